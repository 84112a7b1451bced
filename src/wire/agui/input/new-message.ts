// Which messages of a run are sent to the agent. Real clients send the whole history with every run, so most of it was
// sent before: by an earlier run of the thread, or before the assistant's last message.
import type { JsonObject } from '../../../contract/base/json.ts';
import { isResultId } from '../model/message-ids.ts';
import { messageId } from '../model/projection.ts';

/** Which roles other than the user's may be sent to the agent. */
export interface Included {
  includeToolMessages: boolean;
  includeSystemMessages: boolean;
  includeDeveloperMessages: boolean;
}

/**
 * The last user message, if its id was not sent on this thread yet; null when nothing is new. Older messages are never
 * new: whatever came after them was sent in their place.
 */
export function newUserMessage(messages: readonly JsonObject[], sentIds: ReadonlySet<string>): JsonObject | null {
  const last = messages.findLast((message) => message['role'] === 'user');
  return last === undefined || sentIds.has(messageId(last)) ? null : last;
}

/**
 * The message a run brings as far as the run alone tells: its last user message, unless the assistant has spoken since. A
 * client that runs again without a new message must not say the old one twice.
 */
function lastUserMessage(messages: readonly JsonObject[]): JsonObject | null {
  const at = messages.findLastIndex((message) => message['role'] === 'user');
  const isAnswered = messages.slice(at + 1).some((message) => message['role'] === 'assistant');
  return isAnswered ? null : (messages[at] ?? null);
}

const optionOf = new Map<unknown, keyof Included>([
  ['tool', 'includeToolMessages'],
  ['system', 'includeSystemMessages'],
  ['developer', 'includeDeveloperMessages'],
]);

/**
 * What goes to the agent with a run, in order: the messages the options include that came since the assistant spoke
 * last (or, by `sentIds`, that were not sent yet), and the one user message. Results that Holdpoint itself emitted are not
 * sent back. Empty when there is neither a user message nor a tool's result: a system message alone is no message.
 */
export function outgoingMessages(
  messages: readonly JsonObject[],
  included: Included,
  sentIds: ReadonlySet<string> | null,
): JsonObject[] {
  const spoken = sentIds === null ? lastUserMessage(messages) : newUserMessage(messages, sentIds);
  const lastSpoken = messages.findLastIndex((message) => message['role'] === 'assistant');
  const outgoing = messages.filter((message, at) => {
    if (message === spoken) return true;
    const id = messageId(message);
    const option = optionOf.get(message['role']);
    if (option === undefined || !included[option] || isResultId(id)) return false;
    return sentIds === null ? at > lastSpoken : !sentIds.has(id);
  });
  return outgoing.some((message) => message === spoken || message['role'] === 'tool') ? outgoing : [];
}
