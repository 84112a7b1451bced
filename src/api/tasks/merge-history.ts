// A conversation as kept here, with what only the agent knows put in its place. Pure. A2A messages carry no time: the lines that both
// know hold the two together, and a line of the agent's comes right before the next of them. What is known here stays as it is here;
// what an agent makes of our own messages is never shown: they contain answers, and secrets among those.
import type { ChatMessage } from '../../contract/views/inbox.ts';
import type { AgentHistoryMessage } from '../../contract/tasks/turn.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import { shownId } from '../../wire/agui/model/message-ids.ts';

/** Messages that Standfast sent to this task of the agent's, by their A2A ids. */
export interface SentHere {
  /** Sent by this task. */
  own: ReadonlySet<string>;
  /** The line that the message brought, where it is known exactly. */
  lineOf: ReadonlyMap<string, string>;
  /** The one that the task began with. */
  openingId: string;
  /** Messages of the same person from an earlier task, shown like any other. */
  earlier: ReadonlySet<string>;
  /** Sent by tasks whose messages are not shown here. */
  hidden: ReadonlySet<string>;
  /** This agent shows messages under the ids that they were sent with: others are of other clients. */
  keepsIds: boolean;
}

type Found = { kind: 'known'; at: number } | { kind: 'answer' } | { kind: 'news'; line: ChatMessage };

const isFromPerson = ({ role }: ChatMessage): boolean => role === 'user' || role === 'person';
const isChatLine = ({ holdId }: ChatMessage): boolean => holdId === null;

export function mergeHistory(
  kept: readonly ChatMessage[],
  history: readonly AgentHistoryMessage[],
  sent: SentHere,
): ChatMessage[] {
  const stored = earliestFirst(kept, history, sent);
  const before = new Map<number, ChatMessage[]>();
  let next = 0;
  // News since the last line that both know, separated by messages from Standfast.
  let groups: ChatMessage[][] = [[]];
  const settle = (end: number): void => {
    const answers = [...stored.keys()].filter((at) => at >= next && at < end && stored[at]?.role !== 'agent');
    let target = end;
    for (const [back, group] of groups.toReversed().entries()) {
      if (back > 0) target = answers.at(-back) ?? target;
      before.set(target, [...group, ...(before.get(target) ?? [])]);
    }
    groups = [[]];
    next = end + 1;
  };
  for (const found of findAll(stored, history, sent)) {
    if (found.kind === 'news') groups.at(-1)?.push(found.line);
    else if (found.kind === 'answer') groups.push([]);
    else if (found.at >= next) settle(found.at);
  }
  settle(stored.length);
  const ahead = (at: number): ChatMessage[] => before.get(at) ?? [];
  return [...stored.flatMap((line, at) => [...ahead(at), line]), ...ahead(stored.length)];
}

/** What the agent had before the task's first message came before everything else. */
function earliestFirst(
  kept: readonly ChatMessage[],
  history: readonly AgentHistoryMessage[],
  { openingId, own }: SentHere,
): readonly ChatMessage[] {
  const opening = own.has(openingId) ? history.findIndex(({ messageId }) => messageId === openingId) : -1;
  const ids = history.slice(0, Math.max(0, opening)).map(({ messageId }) => shownId(messageId));
  const early = kept.filter((line) => isChatLine(line) && line.role === 'agent' && ids.includes(line.id));
  return early.length === 0 ? kept : [...early, ...kept.filter((line) => !early.includes(line))];
}

/** What each message is to us; those that are to be ignored are left out. */
function findAll(stored: readonly ChatMessage[], history: readonly AgentHistoryMessage[], sent: SentHere): Found[] {
  const indexes = new Map(stored.map(({ id }, at) => [id, at]));
  const matched = new Set<number>();
  const byId = history.map((message): Found | 'unknown' | 'ignored' => {
    const found = findById(message, stored, indexes, sent);
    if (typeof found !== 'string' && found.kind === 'known') matched.add(found.at);
    return found;
  });
  const seen = new Set(indexes.keys());
  return history.flatMap((message, index): Found[] => {
    const found = byId[index];
    if (found === undefined || found === 'ignored') return [];
    if (found !== 'unknown') return [found];
    // Some agents give their messages new ids each time they are asked.
    const same = stored.findIndex(
      (line, at) => !matched.has(at) && isChatLine(line) && fits(line, message) && line.text === message.text,
    );
    if (same >= 0) {
      matched.add(same);
      return [{ kind: 'known', at: same }];
    }
    const line = newMessagesIn(message, seen, sent);
    return line === null ? [] : [{ kind: 'news', line }];
  });
}

const fits = (line: ChatMessage, { role }: AgentHistoryMessage): boolean =>
  role === 'agent' ? line.role === 'agent' : isFromPerson(line);

function findById(
  message: AgentHistoryMessage,
  stored: readonly ChatMessage[],
  indexes: ReadonlyMap<string, number>,
  sent: SentHere,
): Found | 'unknown' | 'ignored' {
  const { messageId } = message;
  if (messageId === '') return 'unknown';
  if (sent.hidden.has(messageId)) return 'ignored';
  if (sent.own.has(messageId)) {
    const at = indexes.get(sent.lineOf.get(messageId) ?? '');
    return at === undefined ? { kind: 'answer' } : { kind: 'known', at };
  }
  const id = shownId(messageId);
  const at = indexes.get(id) ?? indexes.get(`${id}:explanation`);
  const line = at === undefined ? undefined : stored[at];
  if (at === undefined || line === undefined) return 'unknown';
  // A Standfast id under which the agent has something else.
  return isChatLine(line) && fits(line, message) ? { kind: 'known', at } : 'ignored';
}

/** A line that only the agent has; null when it is not to be shown. */
function newMessagesIn(message: AgentHistoryMessage, seen: Set<string>, sent: SentHere): ChatMessage | null {
  const { messageId, role, text, files, hasData } = message;
  const name = messageId === '' ? `told:${fingerprintOf(text).slice(-16)}` : shownId(messageId);
  const fingerprint = `${name} ${text}`;
  if ((text === '' && files.length === 0) || seen.has(fingerprint)) return null;
  // Data of a person is the answer to a question, and its text repeats it.
  const mayBeAnswer = hasData || !(sent.keepsIds || sent.earlier.has(messageId));
  if (role === 'user' && mayBeAnswer) return null;
  // Agents exist that use an id again for another text.
  const id = freeId(name, seen);
  seen.add(id);
  seen.add(fingerprint);
  return { id, role: role === 'user' ? 'person' : 'agent', by: null, at: null, text, files, holdId: null };
}

function freeId(id: string, ids: ReadonlySet<string>): string {
  let free = id;
  for (let n = 2; ids.has(free); n += 1) free = `${id}~${n}`;
  return free;
}
