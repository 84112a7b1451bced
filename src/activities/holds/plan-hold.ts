// Plans a hold for a question: its policy, and that policy's ladder in absolute times. Planned once.
import type { OpenHoldsInput } from '../../contract/tasks/activity.ts';
import { isCallerThread } from '../../contract/tasks/caller.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { PolicySchema, type LadderPlan, type Policy } from '../../contract/configuration/policy.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import { askDialect } from '../../core/questions/ask.ts';
import { isKind } from '../../core/policy/audience-entry.ts';
import { isAgentUser } from '../../core/policy/askers.ts';
import { holdIdOf, interruptIdOf } from '../../core/base/ids.ts';
import { audienceOf, nextStepOf, planLadder, withPeople } from '../../core/policy/ladder.ts';
import { policyByRule } from '../../core/policy/matcher.ts';
import { channelsOfUsers } from '../../core/policy/delegates.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import { canRefuse } from '../../wire/a2a/dialects/registry.ts';
import type { ActivityDeps } from '../deps.ts';

/** What a hold is planned from. */
export type PlanDeps = Pick<ActivityDeps, 'config' | 'checkSchema' | 'windowsOf'>;

/** The hold numbered `n` of a task, as it opens; links to an earlier one are made by the caller. */
export async function planHold(
  deps: PlanDeps,
  input: Pick<OpenHoldsInput, 'task' | 'a2aTaskId' | 'openedAt' | 'n' | 'questions'>,
  question: Question,
  n: number,
): Promise<Hold> {
  const { task } = input;
  const { name, policy: chosen } = policyOf(deps, task.agent, question);
  const { policy, asked } = askedOf(task, chosen);
  const { calendar } = policy;
  const ladder = planLadder(
    name,
    policy,
    input.openedAt,
    await usableDefaults(deps, policy, question, input.questions.length),
    {
      windowsFrom: calendar === undefined ? undefined : deps.windowsOf(calendar),
      channelsOf: (entries) => channelsOfUsers(deps.config, entries, task.owner, new Date(input.openedAt)),
    },
  );
  const named = question.kind === 'operator' ? task.taskId : (input.a2aTaskId ?? task.taskId);
  return {
    holdId: holdIdOf(sha1Hex, task.taskId, n),
    interruptId: interruptIdOf(question.idPrefix, named, n),
    n,
    question,
    // Known when its row is written, with its attachments.
    digest: '',
    status: 'open',
    canRefuse: question.dialect === askDialect || canRefuse(question),
    audience: withPeople(audienceFor(deps, task.owner, policy)),
    plan: { ...ladder, ...asked, ...receiptOf(policy) },
    stepsTaken: 0,
    nextStep: nextStepOf(ladder, 0),
    openedAt: input.openedAt,
    expiresAt: ladder.expiresAt,
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

const defaultReceiptMs = 3_600_000;

/** The version is of the policy as it was when the question opened. */
function receiptOf({ receipt, ...policy }: Policy): Pick<LadderPlan, 'receipt'> {
  if (receipt === false) return {};
  const forMs = receipt === true ? defaultReceiptMs : durationMs(receipt.for);
  return { receipt: { forMs, version: fingerprintOf(policy) } };
}

/** The owner of an agent's thread does not decide: if nobody else is asked, operators are. */
function audienceFor({ config }: Pick<ActivityDeps, 'config'>, owner: string, policy: Policy): string[] {
  const audience = audienceOf(policy);
  return isAgentUser(config, owner) ? audience.filter((entry) => !isKind(entry, 'owner')) : audience;
}

/** A caller over A2A who may answer is the owner of the task's thread. */
function askedOf({ threadId }: TaskRef, policy: Policy): { policy: Policy; asked: Pick<LadderPlan, 'ask'> } {
  const { ask } = policy;
  if (ask === 'people' || !isCallerThread(threadId)) return { policy, asked: {} };
  const audience = ask === 'caller' ? ['owner'] : [...new Set([...audienceOf(policy), 'owner'])];
  return { policy: { ...policy, audience }, asked: { ask } };
}

/** The policy the asker named, of the first rule that matches, or the agent's; else none: the owner is asked, for a day. */
function policyOf(
  deps: Pick<ActivityDeps, 'config'>,
  agent: string,
  question: Question,
): { name: string; policy: Policy } {
  const { agents, policies } = deps.config;
  const isOperators = question.kind === 'operator';
  if (isOperators) return { name: 'default', policy: PolicySchema.parse({ audience: ['role:operator'] }) };
  const named = question.dialect === askDialect ? question.reply['policy'] : undefined;
  const ruled = policyByRule(agents[agent]?.rules ?? [], question) ?? agents[agent]?.policy;
  const name = typeof named === 'string' ? named : ruled;
  const policy = name !== undefined && Object.hasOwn(policies, name) ? policies[name] : undefined;
  return name === undefined || policy === undefined
    ? { name: 'default', policy: PolicySchema.parse({}) }
    : { name, policy };
}

/** What the expiry may answer for people: the question's defaults, if they are a complete answer. */
async function usableDefaults(
  deps: Pick<ActivityDeps, 'checkSchema'>,
  policy: Policy,
  question: Question,
  count: number,
): Promise<JsonObject | null> {
  if (policy.expire.then !== 'default') return null;
  // The expiry must not repeat a person's earlier message that the agent did not take.
  if ((question.filledIn ?? []).length > 0 && question.proposed === undefined) return null;
  return defaultsOf(deps, question, count);
}

/** The agent's proposed answer to its question, one of `count` in its pause; null if it is incomplete. */
export async function defaultsOf(
  deps: Pick<ActivityDeps, 'checkSchema'>,
  question: Question,
  count: number,
): Promise<JsonObject | null> {
  if (question.kind === 'authorization') return null;
  // What is found here stands for the hold's whole life: a busy moment must not make it "no answer". But all questions of a
  // pause are checked one after the other, and what opens them has 30 s.
  const { proposed = question.defaults } = question;
  const verdict = await deps.checkSchema(question.schema, proposed, {
    timeoutMs: Math.min(5_000, 10_000 / count),
  });
  return verdict.ok ? proposed : null;
}
