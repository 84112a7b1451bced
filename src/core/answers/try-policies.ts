// What a configuration would have made of the past: which questions would have been asked, by which policy, and which would have come
// under a standing grant, had the approver of a call granted others like it as widely as the policy allows.
import type { GrantTerms, GrantUsed } from '../../contract/base/grant.ts';
import type { Config } from '../../contract/configuration/config.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { askAgent, askDialect } from '../base/ids.ts';
import { askerOf } from '../base/asker.ts';
import { ownEntry } from '../base/own-entry.ts';
import { amountOf, isRechecked, termsOfGrant, whyOutside, type Call } from '../consent/grants.ts';
import { judge, judgingOf } from '../consent/judged.ts';
import { judgeCall } from '../policy/gate-rules.ts';

/** A question of the past, oldest first. */
export interface PastQuestion {
  id: string;
  agent: string;
  owner: string;
  kind: Question['kind'];
  dialect: string;
  title: string;
  policy: string;
  /** Null: it is about no tool call, or not all of its arguments are known. */
  call: { tool: string; args: JsonObject } | null;
  /** It came with files or data, so that no grant covers it. */
  hasMore?: boolean;
  /** What else rules compare; null: it is not known whole. */
  data: JsonObject[] | null;
  openedAt: string;
  /** How it ended, for a call that was sent as it was asked; null: otherwise, or not yet. */
  decided: { verdict: 'yes' | 'no'; by: string; at: string } | null;
}

export type Tried = Pick<PastQuestion, 'id' | 'agent' | 'title'> & {
  before: string;
  /** `grant`: of which approval. */
  now:
    | { do: 'ask'; policy: string }
    | { do: 'grant'; policy: string; of: string; by: string }
    | { do: 'pass' | 'refuse' };
};

/** A grant that an approver could have given: all that came under it later was asked all the same. */
export interface ProposedGrant {
  hold: string;
  by: string;
  terms: GrantTerms;
  /** Calls that would not have been asked about. */
  spared: number;
}

type Tries = Pick<Config, 'agents' | 'gates' | 'policies'>;

export interface TriedAll {
  tried: Tried[];
  proposed: ProposedGrant[];
}

const defaultPolicy = 'default';

type Judged = { do: 'ask'; policy: string } | { do: 'pass' | 'refuse' };

function judged(config: Tries, past: PastQuestion): Judged {
  const { agent, kind, dialect, title, call, data, policy } = past;
  if (agent === askAgent) {
    const [gate, ...rest] = call?.tool.split('/') ?? [];
    const of = gate === undefined || rest.length === 0 ? undefined : ownEntry(config.gates, gate);
    if (of === undefined || call === null) return { do: 'ask', policy };
    // What its server says of the tool is not in the record: as where it says nothing.
    const verdict = judgeCall(of, { name: rest.join('/'), annotations: {} }, call.args);
    return verdict.do === 'ask' ? { do: 'ask', policy: verdict.policy } : { do: verdict.do };
  }
  // The gate of an agent asks in this dialect about a message to it.
  const own = dialect === askDialect ? ownEntry(config.agents, agent) : undefined;
  // Skills of a card are not in the record: whatever message was held counts as one that its gate holds.
  if (own !== undefined) return own.gate === undefined ? { do: 'pass' } : { do: 'ask', policy: own.gate.policy };
  const found = judge(judgingOf(config, agent), { kind, dialects: [dialect], title, data });
  return { do: 'ask', policy: found.policy ?? defaultPolicy };
}

interface Standing extends ProposedGrant {
  from: string;
  used: GrantUsed;
  isOver: boolean;
}

/** @param past oldest first */
export function tryPolicies(config: Tries, past: readonly PastQuestion[]): TriedAll {
  const standing: Standing[] = [];
  const tried = past.map((question): Tried => {
    const { id, agent, title, policy: before } = question;
    const now = judged(config, question);
    const as = { id, agent, title, before };
    if (now.do !== 'ask') return { ...as, now };
    const call = callOf(question, now.policy);
    const under = call === null ? undefined : standing.find((one) => covers(one, call, question.openedAt));
    if (under === undefined || call === null) {
      const grant = call === null ? null : proposedBy(config, question, call);
      if (grant !== null) standing.push(grant);
      return { ...as, now };
    }
    const isAsked = isRechecked(under.terms, under.used);
    count(under, call, isAsked);
    if (isAsked) {
      under.isOver ||= question.decided?.verdict === 'no';
      return { ...as, now };
    }
    under.spared += 1;
    return { ...as, now: { do: 'grant', policy: now.policy, of: under.hold, by: under.by } };
  });
  const proposed = standing.filter(({ spared }) => spared > 0).toSorted((a, b) => b.spared - a.spared);
  return { tried, proposed: proposed.map(({ hold, by, terms, spared }) => ({ hold, by, terms, spared })) };
}

function callOf({ agent, owner, call, hasMore }: PastQuestion, policy: string): Call | null {
  if (call === null || hasMore === true) return null;
  return { agent: askerOf({ agent, owner }), policy, tool: call.tool, args: call.args };
}

/** Before its approval no one could have given it. */
const covers = ({ terms, used, isOver, from }: Standing, call: Call, at: string): boolean =>
  !isOver && Date.parse(at) >= Date.parse(from) && whyOutside(terms, call, used, at) === null;

function count({ used, terms }: Standing, { args }: Call, isAsked: boolean): void {
  used.seen += 1;
  if (isAsked) return;
  used.times += 1;
  used.sum += terms.sum === null ? 0 : (amountOf(terms.sum.of, args) ?? 0);
}

function proposedBy({ policies }: Tries, { id, decided }: PastQuestion, call: Call): Standing | null {
  const allowed = ownEntry(policies, call.policy)?.grants;
  if (allowed === undefined || decided?.verdict !== 'yes') return null;
  const terms = termsOfGrant(allowed, call, {}, decided.at);
  return {
    hold: id,
    by: decided.by,
    terms,
    spared: 0,
    from: decided.at,
    used: { times: 0, sum: 0, seen: 0 },
    isOver: false,
  };
}
