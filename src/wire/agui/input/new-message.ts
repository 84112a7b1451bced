// Selects the messages of a run to send to the agent: clients send the whole history with every run, so most of it was
// already sent by an earlier run, or precedes the last assistant message.
import type { JsonObject } from '../../../contract/base/json.ts';
import { isResultId } from '../model/message-ids.ts';
import { messageId } from '../model/projection.ts';

/** Roles next tos `user` that may be sent to the agent. */
export interface Included {
  includeToolMessages: boolean;
  includeSystemMessages: boolean;
  includeDeveloperMessages: boolean;
}

/** The last user message unless its id was already sent on this thread, else null. Older messages are never new. */
export function newUserMessage(messages: readonly JsonObject[], sentIds: ReadonlySet<string>): JsonObject | null {
  const last = messages.findLast((message) => message['role'] === 'user');
  return last === undefined || sentIds.has(messageId(last)) ? null : last;
}

/**
 * The last user message if no assistant message follows it: a client that runs again without a new message must not
 * send the old one twice.
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
 * The messages to send to the agent, in order: those of the included roles since the last assistant message (with
 * `sentIds`: not sent yet), and the user message. Tool results emitted by Holdpoint are excluded. Empty without a user
 * message or tool result: a system message alone starts nothing.
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
