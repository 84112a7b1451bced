import { Message } from '@a2a-js/sdk';
import type { Answer } from '../../../src/contract/holds/question.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Pause, Previous } from '../../../src/wire/a2a/dialects/base/dialect.ts';
import { readMessage } from '../../../src/wire/a2a/dialects/read-event.ts';

/** A pause whose message came over the wire as `wire` (A2A 1.0 JSON). */
export function aPause(options: { wire?: unknown; state?: Pause['state'] }): Pause {
  const event = options.wire === undefined ? null : readMessage(Message.fromJSON(options.wire));
  if (event !== null && event.type !== 'message') throw new Error('the fixture is not a message');
  return { state: options.state ?? 'input-required', message: event?.message ?? null, a2aTaskId: 't-1' };
}

export function aFormPause(form: JsonObject): Pause {
  return aPause({
    wire: { messageId: 'm-1', role: 'ROLE_AGENT', parts: [{ data: { type: 'a2a.hitl.form', ...form } }] },
  });
}

/** A pause of one message with these parts and nothing else. */
export function aPartsPause(parts: unknown[], more: { state?: Pause['state']; previous?: Previous[] } = {}): Pause {
  const { previous, ...rest } = more;
  const pause = aPause({ wire: { messageId: 'm-1', role: 'ROLE_AGENT', parts }, ...rest });
  return previous === undefined ? pause : { ...pause, previous };
}

/** A function call of an ADK agent that waits, as it comes over the wire. */
export function anAdkCall(name: string, args: JsonObject = {}, id = 'adk-1'): JsonObject {
  return { data: { id, name, args }, metadata: { adk_type: 'function_call', adk_is_long_running: true } };
}

export function refused(reason: string | null = null, by = 'user:ana'): Answer {
  return { status: 'cancelled', values: {}, reason, by };
}

export function resolved(values: JsonObject, by = 'user:ana'): Answer {
  return { status: 'resolved', values, reason: null, by };
}
