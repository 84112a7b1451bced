// Plans a hold for a question: its policy, and that policy's ladder in absolute times. Planned once.
import type { OpenHoldsInput } from '../../contract/tasks/activity.ts';
import { isCallerThread } from '../../contract/tasks/caller.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { PolicySchema } from '../../contract/configuration/policy.ts';
import { asUnreadable } from '../../core/consent/judged.ts';
import { askDialect, holdIdOf, interruptIdOf } from '../../core/base/ids.ts';
import { nextStepOf } from '../../core/policy/ladder.ts';
import { planQuestion } from '../../core/questions/question-plan.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import { wholeQuestion, type Contents } from '../../store/log/whole-question.ts';
import { canRefuse } from '../../wire/a2a/dialects/registry.ts';
import { idPrefixOf } from '../../wire/agui/model/activity.ts';
import type { ActivityDeps } from '../deps.ts';
import type { WithSchemas } from '../dep-parts.ts';

/** What a hold is planned from. */
export type PlanDeps = Pick<ActivityDeps, 'config' | 'checkSchema' | 'windowsOf'> & {
  store: Contents;
};

/** The hold numbered `n` of a task, as it opens; links to an earlier one are made by the caller. */
export async function planHold(
  deps: PlanDeps,
  input: Pick<OpenHoldsInput, 'task' | 'a2aTaskId' | 'openedAt' | 'n' | 'questions'>,
  question: Question,
  n: number,
): Promise<Hold> {
  const { task } = input;
  const holdId = holdIdOf(sha1Hex, task.taskId, n);
  // What is judged is all that the agent sent.
  const whole = (await wholeQuestion(deps.store, { taskId: task.taskId, question })) ?? asUnreadable(question);
  const { audience, plan } = await planQuestion(
    {
      config: deps.config,
      windowsOf: deps.windowsOf,
      fingerprintOf,
      policyWith: (given) => PolicySchema.parse(given),
      defaultsOf: (one) => defaultsOf(deps, one, input.questions.length),
    },
    {
      holdId,
      question: whole,
      agent: task.agent,
      owner: task.owner,
      isCallers: isCallerThread(task.threadId),
      openedAt: input.openedAt,
    },
  );
  const named = question.kind === 'operator' ? task.taskId : (input.a2aTaskId ?? task.taskId);
  return {
    holdId,
    interruptId: interruptIdOf(idPrefixOf(question), named, n),
    n,
    question,
    // Known when its row is written, with its attachments.
    digest: '',
    status: 'open',
    canRefuse: question.dialect === askDialect || canRefuse(question),
    audience,
    plan,
    stepsTaken: 0,
    nextStep: nextStepOf(plan, 0),
    openedAt: input.openedAt,
    expiresAt: plan.expiresAt,
    decision: null,
    answerFingerprint: null,
    votes: [],
    pause: { firstN: input.n + 1, count: input.questions.length },
    supersedes: null,
    supersededBy: null,
    asking: false,
    ended: null,
  };
}

/** The agent's proposed answer to its question, one of `count` in its pause; null if it is incomplete. */
export async function defaultsOf(deps: WithSchemas, question: Question, count: number): Promise<JsonObject | null> {
  if (question.kind === 'authorization') return null;
  // What is found is for the hold's whole life: a busy moment must not make it "no answer". But all questions of a
  // pause are checked one after the other, and what opens them has 30 s.
  const { proposed = question.defaults } = question;
  const verdict = await deps.checkSchema(question.schema, proposed, {
    timeoutMs: Math.min(5_000, 10_000 / count),
  });
  return verdict.ok ? proposed : null;
}
