// A caller's message lies in the body of its kept run: written and read here alone. To AG-UI it is a message of the user.
import { Message } from '@a2a-js/sdk';
import type { CallerMessage } from '../../../contract/tasks/caller.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { eventBudget } from '../codec/clean.ts';
import { decodeParts } from '../codec/parts.ts';
import { isObject, stringOf } from '../../../core/base/json.ts';

const key = 'holdpoint';

/** Its parts as neutral ones: for people, and for what reads answers. */
export function partsOfCaller({ message }: CallerMessage): NeutralPart[] {
  return decodeParts(Message.fromJSON(message).parts, eventBudget());
}

function textOf(brought: CallerMessage): string {
  const parts = partsOfCaller(brought);
  const texts = parts.flatMap((part) => (part.kind === 'text' && part.text !== '' ? [part.text] : []));
  if (texts.length > 0) return texts.join('\n');
  return parts.map((part) => (part.kind === 'file' ? part.name || part.mediaType || 'file' : 'data')).join(', ');
}

export function bodyOfCaller(run: { threadId: string; runId: string }, brought: CallerMessage): JsonObject {
  const { messageId } = brought.message;
  const messages = [{ id: stringOf(messageId), role: 'user', content: textOf(brought) }];
  const { acceptedOutputModes } = brought;
  // Safe: it came as JSON.
  const forwardedProps = { a2a: { acceptedOutputModes }, [key]: { caller: brought } } as unknown as JsonObject;
  return { ...run, messages, state: {}, tools: [], context: [], forwardedProps };
}

/** Null for the body of any other run. */
export function broughtBy(body: JsonObject): CallerMessage | null {
  const props = body['forwardedProps'];
  const holdpoint = isObject(props) ? props[key] : undefined;
  const caller = isObject(holdpoint) ? holdpoint['caller'] : undefined;
  // Safe: written above.
  return isObject(caller) ? (caller as unknown as CallerMessage) : null;
}
