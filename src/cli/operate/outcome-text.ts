// Describes the outcome of a question as the pages do: approved rather than "decided", by whom, and through what.
import type { DecisionSource } from '../../contract/holds/decision.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { decisionLabel } from '../../core/answers/yes-no.ts';
import { parseActor } from '../../core/policy/audience-entry.ts';
import type { Names } from './command-parts.ts';
import { formatSpan, formatTime } from './format-time.ts';

export const bareNames: Names = { agent: (name) => name, person: (id) => id };

/** `Expenses (expenses)`: the display name, and the id that commands take. */
export const formatNameAndId = (name: string, id: string): string => (name === id ? id : `${name} (${id})`);

/** `Anna Arnold (anna)`, `policy finance`. */
export function formatActor(by: string, names: Names): string {
  const { kind, name } = parseActor(by);
  if (kind === 'person') return formatNameAndId(names.person(name), name);
  if (kind === 'agent') return formatNameAndId(names.agent(name), name);
  return kind === 'policy' ? `policy ${name}` : 'an operator of Temporal';
}

const ways: Record<DecisionSource, string> = {
  resume: 'the conversation',
  rest: 'the HTTP interface',
  page: 'the page',
  bulk: 'the page, with others',
  chat: 'the conversation',
  link: 'a link in a message',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  push: 'a push notification',
  signal: 'a Temporal signal',
  agent: 'a supervisor agent',
  mcp: 'a tool call over MCP',
  clock: 'the clock',
};

type Verb = 'approved' | 'rejected' | 'answered' | 'declined';

const wordsFor = (kind: HoldView['kind']): { yes: Verb; no: Verb } =>
  kind === 'confirmation' || kind === 'tool_call' || kind === 'authorization'
    ? { yes: 'approved', no: 'rejected' }
    : { yes: 'answered', no: 'declined' };

/** The verb of an accepted answer, even if it can still be undone; null while there is none. */
export function verbOf({ kind, schema, decision, goesOut, saidNo }: HoldView): Verb | null {
  const given = decision ?? goesOut;
  if (given === null) return null;
  // Safe: the API sends a question's schema and answer as JSON.
  const answer = { status: given.status, values: given.values as JsonObject };
  const label = decisionLabel({ question: { kind, schema: schema as JsonObject }, decision: answer });
  if (label === 'rejected' || saidNo !== null) return wordsFor(kind).no;
  return label === 'approved' ? 'approved' : 'answered';
}

/** `approved by Anna Arnold (anna) at … by the page`; null while there is no answer. */
export function formatDecision(hold: HoldView, names: Names): string | null {
  const { decision, goesOut } = hold;
  const verb = verbOf(hold);
  if (verb === null) return null;
  if (decision !== null) {
    return `${verb} by ${formatActor(decision.by, names)} at ${formatTime(decision.at)}, by ${ways[decision.door]}`;
  }
  return goesOut === null
    ? null
    : `${verb} by ${formatActor(goesOut.by, names)}, goes out at ${formatTime(goesOut.at)}`;
}

/** The end of a question when the answer does not state it: `expired: nobody answered in time (policy finance)`. */
export function formatEnd({ ended, decision, policy, expires }: HoldView, names: Names): string | null {
  if (ended === null) return null;
  const who = formatActor(ended.by, names);
  const at = formatTime(ended.at);
  switch (ended.why) {
    case 'decided':
    case 'declined':
      return decision === null ? `${ended.why} by ${who} at ${at}` : null;
    case 'expired':
      return `nobody answered in time (policy ${policy}, then ${expires.then}), at ${at}`;
    case 'withdrawn':
      return `withdrawn by ${who} at ${at}`;
    case 'superseded':
      return `the agent asked again at ${at}`;
    case 'cancelled':
      return `cancelled with its task by ${who} at ${at}`;
    default:
      return ended.why satisfies never;
  }
}

/** The outcome in a word or two: `approved by anna`, `expired`. */
export function formatShortEnd(row: Pick<HoldView, 'kind' | 'ended' | 'saidNo'>, names: Names): string {
  if (row.ended === null) return 'open';
  const { why, by } = row.ended;
  if (why === 'expired') return 'expired';
  if (why === 'superseded') return 'asked again';
  const { yes, no } = wordsFor(row.kind);
  const isNo = why === 'declined' || row.saidNo !== null;
  const verb = why === 'withdrawn' || why === 'cancelled' ? why : isNo ? no : yes;
  const { kind, name } = parseActor(by);
  return `${verb} by ${kind === 'person' ? names.person(name) : formatActor(by, names)}`;
}

/** Confirms a decision: what was done, and how to undo it while that is possible. */
export function formatDone(hold: HoldView, shownId: string, now = Date.now()): { text: string; isNo: boolean } {
  const { votes, goesOut, graceMs, subject } = hold;
  const verb = verbOf(hold);
  if (verb === null) return { text: `Your answer counts, ${votes.have} of ${votes.need}: ${subject}`, isNo: false };
  const done = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}: ${subject}`;
  const isNo = verb === 'rejected' || verb === 'declined';
  if (goesOut === null) return { text: done, isNo };
  const leftMs = Math.min(graceMs ?? Number.POSITIVE_INFINITY, Math.max(0, Date.parse(goesOut.at) - now));
  const seconds = formatSpan(Math.max(1_000, Math.ceil(leftMs / 1_000) * 1_000));
  return { text: `${done}\nIt goes out in ${seconds}; take it back with: holdpoint undo ${shownId}`, isNo };
}
