// Describes the outcome of a question as the pages do: approved rather than "decided", by whom, and through what.
import type { DecisionSource } from '../../contract/holds/decision.ts';
import type { AnswerName, EndName, HoldView } from '../../contract/holds/hold.ts';
import { chosenText, endNameOf, isAnswerName } from '../../core/answers/end-name.ts';
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

/** The same, with those in whose stead it was given. */
export function formatAuthor({ by, inPlaceOf = [] }: { by: string; inPlaceOf?: string[] }, names: Names): string {
  const others = inPlaceOf.map((user) => formatActor(user, names)).join(', ');
  return others === '' ? formatActor(by, names) : `${formatActor(by, names)} in place of ${others}`;
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
  grant: 'a standing grant',
};

/** What an accepted answer is called, even if it can still be undone; null while there is none. */
export function verbOf(hold: HoldView): AnswerName | null {
  const { decision, outgoing } = hold;
  if (decision === null) return outgoing?.name ?? null;
  const name = endNameOf(hold);
  return isAnswerName(name) ? name : null;
}

/** `approved by Anna Arnold (anna) at … by the page`; null while there is no answer. */
export function formatDecision(hold: HoldView, names: Names): string | null {
  const { decision, outgoing } = hold;
  const name = verbOf(hold);
  if (name === null) return null;
  const verb = `${name}${chosenText(hold.chosen)}`;
  if (decision !== null) {
    return `${verb} by ${formatAuthor(decision, names)} at ${formatTime(decision.at)}, by ${ways[decision.source]}`;
  }
  return outgoing === null
    ? null
    : `${verb} by ${formatAuthor(outgoing, names)}, to be sent at ${formatTime(outgoing.at)}`;
}

const ends: Record<Exclude<EndName, AnswerName>, (hold: HoldView, who: string) => string> = {
  expired: ({ policy, expires }) => `no answer came in time (policy ${policy}, then ${expires.then}),`,
  withdrawn: (_hold, who) => `withdrawn by ${who}`,
  endedWith: (_hold, who) => `ended with the other question (${who})`,
  superseded: () => 'the agent asked again',
  cancelled: (_hold, who) => `cancelled with its task by ${who}`,
};

/** The end of a question when the answer does not state it: `no answer came in time (policy finance, then fail), at …`. */
export function formatEnd(hold: HoldView, names: Names): string | null {
  const { ended, decision } = hold;
  const name = endNameOf(hold);
  if (ended === null || name === null) return null;
  const who = formatActor(ended.by, names);
  if (!isAnswerName(name)) return `${ends[name](hold, who)} at ${formatTime(ended.at)}`;
  return decision === null ? `${name} by ${who} at ${formatTime(ended.at)}` : null;
}

type Row = Pick<HoldView, 'kind' | 'status' | 'ended' | 'verdict' | 'chosen' | 'supersededBy'> & {
  decides?: HoldView['decides'];
};

/** The outcome in a word or two: `approved by anna`, `expired`. */
export function formatShortEnd(row: Row, names: Names): string {
  const name = endNameOf(row);
  if (name === null || row.ended === null) return row.status === 'time_up' ? 'time is up' : 'open';
  if (name === 'expired') return 'expired';
  if (name === 'superseded') return 'asked again';
  const { kind, name: who } = parseActor(row.ended.by);
  const verb = name === 'endedWith' ? 'ended with its neighbour' : name;
  return `${verb}${chosenText(row.chosen)} by ${kind === 'person' ? names.person(who) : formatActor(row.ended.by, names)}`;
}

/** Confirms a decision: what was done, and how to undo it while that is possible. */
export function formatDone(hold: HoldView, shownId: string, now = Date.now()): { text: string; isNo: boolean } {
  const { votes, outgoing, graceMs, headline } = hold;
  const verb = verbOf(hold);
  if (verb === null) return { text: `Your answer counts, ${votes.have} of ${votes.need}: ${headline}`, isNo: false };
  const done = `${verb.charAt(0).toUpperCase()}${verb.slice(1)}${chosenText(hold.chosen)}: ${headline}`;
  const isNo = verb !== 'approved' && verb !== 'answered';
  if (outgoing === null) return { text: done, isNo };
  const leftMs = Math.min(graceMs ?? Number.POSITIVE_INFINITY, Math.max(0, Date.parse(outgoing.at) - now));
  const seconds = formatSpan(Math.max(1_000, Math.ceil(leftMs / 1_000) * 1_000));
  return { text: `${done}\nIt is sent in ${seconds}; take it back with: standfast undo ${shownId}`, isNo };
}
