// Messages that people send into a running task: each is sent by a control run, and readers of the long run get it
// there as a message of role `user`.
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { findMessage, messageId } from '../../../core/agui/messages.ts';
import { type Projection } from '../model/projection.ts';
import { cutText, maxTextLength, textPieces } from '../model/text.ts';
import { objectOf, objectsIn } from '../../../core/base/json.ts';
import type { TaskRef } from '../../../contract/tasks/task.ts';

/** A file as text, because streamed messages are text only. */
function describeFile(part: JsonObject): string {
  const metadata = objectOf(part['metadata']);
  const name = metadata['filename'] ?? metadata['name'];
  const kind = typeof part['type'] === 'string' ? part['type'] : 'file';
  return typeof name === 'string' && name !== '' ? `[${kind}: ${name}]` : `[${kind}]`;
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  const parts = objectsIn(content);
  return parts
    .map((part) => (part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : describeFile(part)))
    .join('\n');
}

/** Emits those of the person's messages that the run lacks; nothing after the run has ended. */
export function injectedEvents(p: Projection, messages: readonly JsonObject[]): AguiEvent[] {
  if (p.ended !== 'open') return [];
  const news = new Map<string, JsonObject>();
  for (const message of messages) {
    const id = messageId(message);
    if (message['role'] === 'user' && id !== '' && findMessage(p, id) === undefined) news.set(id, message);
  }
  return [...news].flatMap(([id, message]) => {
    const name: JsonObject = typeof message['name'] === 'string' ? { name: message['name'] } : {};
    const deltas = [...textPieces(cutText(contentText(message['content']), maxTextLength))];
    return [
      { type: 'TEXT_MESSAGE_START', messageId: id, role: 'user', ...name },
      ...deltas.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta })),
      { type: 'TEXT_MESSAGE_END', messageId: id },
    ];
  });
}

/** The message with its author's name, unless the author owns the thread. */
export const withName = (task: Pick<TaskRef, 'owner'>, by: string, message: JsonObject): JsonObject =>
  by === task.owner ? message : { ...message, name: by };

/** A person's parts as a message of the thread. */
export function personMessage(
  task: Pick<TaskRef, 'owner'>,
  message: { messageId: string; text: string; by: string },
): JsonObject {
  return withName(task, message.by, { id: message.messageId, role: 'user', content: message.text });
}
