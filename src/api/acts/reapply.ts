// One open question is put under its policy as the configuration has it now, by an operator.
import type { AmendCommand } from '../../contract/holds/decision.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { PolicySchema } from '../../contract/configuration/policy.ts';
import { isCallerThread } from '../../contract/tasks/caller.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import { asUnreadable } from '../../core/consent/judged.ts';
import { errorOf } from '../../core/base/errors.ts';
import { nextRepeat, withRepeat } from '../../core/policy/ladder.ts';
import { planQuestion, withRetryLimit } from '../../core/questions/question-plan.ts';
import { reapplied } from '../../core/task/reapply.ts';
import { createCalendars } from '../../host/calendar/calendar.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import { wholeQuestion } from '../../store/log/whole-question.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';

const windowsOf = createCalendars();

type Reapplying = Pick<ApiContext, 'checkAnswer' | 'config' | 'now' | 'store'>;
type Reapply = Extract<AmendCommand, { kind: 'reapply' }>;

/** With the plan as if the policy had been so when the question opened. */
export async function reapplyCommand(api: Reapplying, hold: HoldRow, principal: Principal): Promise<Reapply> {
  const { holdId, agent, owner, threadId, openedAt } = hold;
  // Rules are judged on all that the agent sent, as they were when the question opened.
  const question = (await wholeQuestion(api.store, hold)) ?? asUnreadable(hold.question);
  const { audience, plan } = await planQuestion(
    {
      config: api.config,
      windowsOf,
      fingerprintOf,
      policyWith: (given) => PolicySchema.parse(given),
      async defaultsOf({ kind, schema, proposed, defaults }) {
        const answer = proposed ?? defaults;
        return kind !== 'authorization' && (await api.checkAnswer(schema, answer)).ok ? answer : null;
      },
    },
    { holdId, question, agent, owner, openedAt, isCallers: isCallerThread(threadId), isAgain: true },
  );
  const now = api.now().toISOString();
  return {
    kind: 'reapply',
    hold: hold.holdId,
    principal,
    receivedAt: now,
    audience,
    plan: withRetryLimit(api, goingOn(plan, now)),
  };
}

/** The question as the workflow will have it; the very same where nothing changes, thrown where it cannot be so. */
export function outcomeOf(hold: HoldRow, command: Reapply): Hold {
  const after = reapplied(hold, command, hold.owner, command.receivedAt);
  if ('ok' in after) throw errorOf(after);
  return after;
}

/** A reminder that repeats in office hours goes on from the last planned step, if that has passed. */
function goingOn(plan: LadderPlan, now: string): LadderPlan {
  const last = plan.steps.length - 1;
  if (plan.repeats === undefined || (plan.steps[last]?.at ?? now) > now) return plan;
  return withRepeat(plan, last + 1, nextRepeat(plan, last, now, windowsOf(plan.repeats.calendar)));
}

const whenOf = (at: string | null): string => (at === null ? 'never expires' : `expires at ${at}`);

const shapeOf = ({ plan, expiresAt, audience }: Hold): string =>
  `${plan.policy}, ${whenOf(expiresAt)}, asks ${audience.join(' ')}`;

/** What would become of the question, in words. */
export async function previewReapplied(api: Reapplying, hold: HoldRow, principal: Principal): Promise<string> {
  const after = outcomeOf(hold, await reapplyCommand(api, hold, principal));
  if (after === hold) return 'nothing changes';
  const [from, to] = [shapeOf(hold), shapeOf(after)];
  return from === to ? `${to}; its steps or rules change` : `${from} → ${to}`;
}
