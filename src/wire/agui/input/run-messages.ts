// The messages of a run that was taken, as they go to the agent.
import type { JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { objectsIn } from '../../../core/base/json.ts';
import { messageId } from '../../../core/agui/messages.ts';
import { partsOfMessage } from './message-parts.ts';
import { outgoingMessages } from './new-message.ts';
import { readOptions } from './run-options.ts';

/**
 * The parts that a run's normalised body sends to the agent in one message; empty when there are none. `ids`: the
 * messages selected when the run was received; without them, the body alone tells.
 */
export function partsOfRun(body: JsonObject, ids: readonly string[] | null = null): NeutralPart[] {
  return messagesOfRun(body, ids).flatMap(partsOfMessage);
}

/** The messages of a run's body that are sent to the agent. */
export function messagesOfRun(body: JsonObject, ids: readonly string[] | null = null): JsonObject[] {
  const given = body['messages'];
  const messages = objectsIn(given);
  if (ids !== null) return messages.filter((message) => ids.includes(messageId(message)));
  const read = readOptions(body['forwardedProps']);
  return read.ok ? outgoingMessages(messages, read.options) : [];
}
