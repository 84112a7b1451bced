// A caller's A2A message is stored inside the AG-UI body of its run; no other file knows that encoding.
import type { RunId, ThreadId } from '../../../contract/base/id-types.ts';
import { Message } from '@a2a-js/sdk';
import type { CallerMessage } from '../../../contract/tasks/caller.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { eventBudget } from '../codec/clean.ts';
import { decodeParts } from '../codec/parts.ts';
import { isObject, stringOf } from '../../../core/base/json.ts';

const key = 'standfast';

/** The message's parts as neutral parts. */
export function partsOfCaller({ message }: CallerMessage): NeutralPart[] {
  return decodeParts(Message.fromJSON(message).parts, eventBudget());
}

function textOf(incoming: CallerMessage): string {
  const parts = partsOfCaller(incoming);
  const texts = parts.flatMap((part) => (part.kind === 'text' && part.text !== '' ? [part.text] : []));
  if (texts.length > 0) return texts.join('\n');
  return parts.map((part) => (part.kind === 'file' ? part.name || part.mediaType || 'file' : 'data')).join(', ');
}

export function bodyOfCaller(run: { threadId: ThreadId; runId: RunId }, incoming: CallerMessage): JsonObject {
  const { messageId } = incoming.message;
  const messages = [{ id: stringOf(messageId), role: 'user', content: textOf(incoming) }];
  const { acceptedOutputModes } = incoming;
  // Safe: parsed from JSON.
  const forwardedProps = { a2a: { acceptedOutputModes }, [key]: { caller: incoming } } as unknown as JsonObject;
  return { ...run, messages, state: {}, tools: [], context: [], forwardedProps };
}

/** The caller's message in a run's body; null when the run was not started over A2A. */
export function callerMessageIn(body: JsonObject): CallerMessage | null {
  const props = body['forwardedProps'];
  const standfast = isObject(props) ? props[key] : undefined;
  const caller = isObject(standfast) ? standfast['caller'] : undefined;
  // Safe: written by the function above.
  return isObject(caller) ? (caller as unknown as CallerMessage) : null;
}

/** The body of a run that a client posted: what passes for a caller's message there came by no caller. */
export function withoutCaller(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { forwardedProps: props, ...rest } = body;
  if (!isObject(props) || !(key in props)) return body;
  const { [key]: _own, ...others } = props;
  return { ...rest, forwardedProps: others };
}
