// The policy of a question, and that policy's ladder in absolute times: as it opens, and again under a reloaded policy.
import type { Config } from '../../contract/configuration/config.ts';
import type { Calendar, LadderPlan, MatchedRule, Policy } from '../../contract/configuration/policy.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { HoldId } from '../../contract/base/id-types.ts';
import type { Question } from '../../contract/holds/question.ts';
import { isKind } from '../policy/audience-entry.ts';
import { isAgentUser } from '../policy/askers.ts';
import type { WindowsFrom } from '../policy/calendar.ts';
import { channelsOfUsers } from '../policy/delegates.ts';
import { durationMs } from '../policy/duration.ts';
import { audienceOf, planLadder, withPeople } from '../policy/ladder.ts';
import { isParallel, stagesOf } from '../policy/stages.ts';
import { judge, judgingOf, sentOf } from '../consent/judged.ts';
import { heldCallOf, judgingOfGate } from './held-call.ts';
import { ownEntry } from '../base/own-entry.ts';
import { askDialect } from '../base/ids.ts';

export interface QuestionPlanDeps {
  config: Pick<Config, 'agents' | 'gates' | 'policies' | 'users' | 'auth' | 'notifications' | 'temporal'>;
  windowsOf: (calendar: Calendar) => WindowsFrom;
  fingerprintOf: (value: unknown) => string;
  /** A policy with what is not given as the configuration has it by default. */
  policyWith: (given: Partial<typeof operatorsPolicy>) => Policy;
  /** The question's proposed answer, if it is a complete one. */
  defaultsOf: (question: Question) => Promise<JsonObject | null>;
}

interface Asked {
  holdId: HoldId;
  question: Question;
  agent: string;
  owner: string;
  /** Its task came over A2A: its caller owns the thread. */
  isCallers: boolean;
  openedAt: string;
  /** It is planned once more: by the rules as they are now. */
  isAgain?: true;
}

/** Who is asked from the start, and the plan, without calls of agents. */
export async function planQuestion(
  deps: QuestionPlanDeps,
  asked: Asked,
): Promise<{ audience: string[]; plan: LadderPlan }> {
  const { config } = deps;
  const { holdId, question, owner, openedAt } = asked;
  const { name, policy: chosen, rule, judging } = policyOf(deps, asked);
  const { policy, ask } = askedOf(asked, stagesFor(deps, owner, chosen));
  const { calendar } = policy;
  const ladder = planLadder(name, policy, openedAt, await usableDefaults(deps, policy, question), {
    windowsFrom: calendar === undefined ? undefined : deps.windowsOf(calendar),
    idDigest: deps.fingerprintOf(holdId),
    expireAfter: question.expireAfter,
    channelsOf: (entries) => channelsOfUsers(config, entries, owner, new Date(openedAt)),
  });
  return {
    audience: withPeople(audienceFor(deps, owner, policy)),
    plan: {
      ...ladder,
      ...ask,
      ...receiptOf(deps, policy),
      ...(config.temporal.answers === true ? {} : { byTemporal: false as const }),
      ...(rule === undefined ? {} : { rule }),
      ...(judging === undefined ? {} : { judging }),
    },
  };
}

/** The plan includes how long channels are retried, as the workflow has no configuration. */
export function withRetryLimit({ config }: Pick<QuestionPlanDeps, 'config'>, plan: LadderPlan): LadderPlan {
  const later = plan.stages?.list.flatMap(({ opens, notify }) => [{ notify }, ...(opens?.ladder ?? [])]) ?? [];
  const isNotified = plan.notify.length > 0 || [...plan.steps, ...later].some(({ notify = [] }) => notify.length > 0);
  return isNotified ? { ...plan, giveUpAfterMs: durationMs(config.notifications.giveUpAfter) } : plan;
}

const defaultReceiptMs = 3_600_000;

/** The version is of the policy as it is when the question is planned. */
function receiptOf({ fingerprintOf }: QuestionPlanDeps, { receipt, ...policy }: Policy): Pick<LadderPlan, 'receipt'> {
  if (receipt === false) return {};
  const forMs = receipt === true ? defaultReceiptMs : durationMs(receipt.for);
  return { receipt: { forMs, version: fingerprintOf(policy) } };
}

/** The owner of an agent's thread does not decide: if no one else is asked, operators are. */
function audienceFor({ config }: QuestionPlanDeps, owner: string, policy: Policy): string[] {
  const audience = audienceOf(policy);
  return isAgentUser(config, owner) ? audience.filter((entry) => !isKind(entry, 'owner')) : audience;
}

/** The same of each stage. */
function stagesFor({ config }: QuestionPlanDeps, owner: string, policy: Policy): Policy {
  const stages = stagesOf(policy);
  if (stages.length === 0 || !isAgentUser(config, owner)) return policy;
  const without = stages.map(({ audience, ...stage }) => {
    const others = audience.filter((entry) => !isKind(entry, 'owner'));
    return { ...stage, audience: others.length === 0 ? ['role:operator'] : others };
  });
  return { ...policy, stages: without, stageOrder: isParallel(policy) ? 'parallel' : 'sequential' };
}

/** A caller over A2A who may answer is the owner of the task's thread. */
function askedOf({ isCallers }: Asked, policy: Policy): { policy: Policy; ask: Pick<LadderPlan, 'ask'> } {
  const { ask } = policy;
  if (ask === 'people' || !isCallers) return { policy, ask: {} };
  const audience = ask === 'caller' ? ['owner'] : [...new Set([...audienceOf(policy), 'owner'])];
  return { policy: { ...policy, audience }, ask: { ask } };
}

type JudgedBy = NonNullable<LadderPlan['judging']>;

/** What operators are asked stays open until one of them decides: a deadline would drop what people gave. */
export const operatorsPolicy = {
  audience: ['role:operator'],
  ladder: [{ after: '1d', remind: true as const, every: '1d' }],
  expire: { after: '1d', then: 'keep-open' as const },
};

interface Chosen {
  name: string;
  policy: Policy;
  rule?: MatchedRule;
  judging?: JudgedBy;
}

/** The policy the asker named, of the first rule that matches, or the agent's; else none: the owner is asked, for a day. */
function policyOf(deps: QuestionPlanDeps, { agent, question, isAgain }: Asked): Chosen {
  const { policies } = deps.config;
  if (question.kind === 'operator') return { name: 'default', policy: deps.policyWith(operatorsPolicy) };
  const named = question.dialect === askDialect ? question.reply['policy'] : undefined;
  const known = (name: string | null): Chosen => {
    const policy = ownEntry(policies, name);
    return name === null || policy === undefined ? { name: 'default', policy: deps.policyWith({}) } : { name, policy };
  };
  if (typeof named === 'string') return { ...known(named), ...judgingOfHeld(deps, question, named) };
  const judging = judgingOf(deps.config, agent);
  const { policy: chosen, rule } = isAgain
    ? judge(judging, sentOf(question))
    : (question.judged ?? judge(judging, sentOf(question)));
  const isRejudged = question.tool?.isEditable === true && judging.rules.length > 0;
  return {
    ...known(chosen),
    ...(rule === undefined ? {} : { rule }),
    ...(isRejudged ? { judging: { ...judging, chosen } } : {}),
  };
}

/** Of a call that a gate holds, and that people may edit. */
function judgingOfHeld({ config }: QuestionPlanDeps, question: Question, chosen: string): Pick<Chosen, 'judging'> {
  const held = question.tool?.isEditable === true ? heldCallOf(question) : null;
  const gate = held !== null && Object.hasOwn(config.gates, held.gate) ? config.gates[held.gate] : undefined;
  return held === null || gate === undefined ? {} : { judging: judgingOfGate(gate, held.tool, chosen) };
}

/** What the expiry may answer for people: the question's defaults, if they are a complete answer. */
async function usableDefaults(deps: QuestionPlanDeps, policy: Policy, question: Question): Promise<JsonObject | null> {
  if (policy.expire.then !== 'default') return null;
  // The expiry must not repeat a person's earlier message that the agent did not take.
  if ((question.filledIn ?? []).length > 0 && question.proposed === undefined) return null;
  return deps.defaultsOf(question);
}
