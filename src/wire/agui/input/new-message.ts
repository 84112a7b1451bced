// Selects the messages of a run to send to the agent: what is behind the agent's last message is new, if the thread has
// not had it before.
import type { JsonObject } from '../../../contract/base/json.ts';
import { historyIn } from '../model/history.ts';
import { messageId } from '../../../core/agui/messages.ts';
import { saysNothing } from './message-parts.ts';

/** Roles next to `user` that may be sent to the agent. */
export interface Included {
  includeToolMessages: boolean;
  includeSystemMessages: boolean;
  includeDeveloperMessages: boolean;
}

/** What a thread has had before this run. */
export interface Before {
  log: readonly JsonObject[];
  /** Ids of the messages that earlier runs have sent to the agent. */
  sent: ReadonlySet<string>;
}

export const nothingBefore: Before = { log: [], sent: new Set() };

const optionOf = new Map<unknown, keyof Included>([
  ['tool', 'includeToolMessages'],
  ['system', 'includeSystemMessages'],
  ['developer', 'includeDeveloperMessages'],
]);

function mayGo({ role }: JsonObject, included: Included): boolean {
  if (role === 'user') return true;
  const option = optionOf.get(role);
  return option !== undefined && included[option];
}

/**
 * The messages to send to the agent, in order: the new ones of the included roles that say something. Empty without words
 * of a person or a result of the client's own tool: instructions alone start nothing.
 */
export function outgoingMessages(
  messages: readonly JsonObject[],
  included: Included,
  { log, sent }: Before = nothingBefore,
): JsonObject[] {
  const history = historyIn(log, messages);
  const outgoing = messages.filter(
    (message) =>
      mayGo(message, included) && !history.has(message) && !sent.has(messageId(message)) && !saysNothing(message),
  );
  return outgoing.some(({ role }) => role === 'user' || role === 'tool') ? outgoing : [];
}

/** The person's words that a transcript ends with; null where the agent has spoken since. */
export function lastWords(messages: readonly JsonObject[]): JsonObject | null {
  const last = messages.findLast(({ role }) => role === 'user' || role === 'assistant' || role === 'reasoning');
  return last?.['role'] === 'user' && !saysNothing(last) ? last : null;
}

/**
 * A person's words alone, under an id that the thread does not know: what a client sends that keeps no transcript. That it
 * has sent the same before proves nothing.
 */
export function isLone(messages: readonly JsonObject[], { log, sent }: Before): boolean {
  const spoken = messages.filter(({ role }) => role !== 'system' && role !== 'developer');
  const [only] = spoken;
  if (only === undefined || spoken.length > 1 || only['role'] !== 'user') return false;
  return !sent.has(messageId(only)) && log.every((message) => messageId(message) !== messageId(only));
}

/** The place of the first new message where none of them says anything; -1 otherwise. */
export function emptyMessageAt(messages: readonly JsonObject[]): number {
  const history = historyIn([], messages);
  const words = messages.filter((message) => message['role'] === 'user' && !history.has(message));
  return words.every(saysNothing) && words[0] !== undefined ? messages.indexOf(words[0]) : -1;
}
