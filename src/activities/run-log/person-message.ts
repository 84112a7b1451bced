import type { JsonObject } from '../../contract/base/json.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';

/** Whoever is not the thread's owner is named. */
export const withName = (task: Pick<TaskRef, 'owner'>, by: string, message: JsonObject): JsonObject =>
  by === task.owner ? message : { ...message, name: by };

/** A person's message as a message of the thread. */
export function personMessage(
  task: Pick<TaskRef, 'owner'>,
  { messageId, text, by }: { messageId: string; text: string; by: string },
): JsonObject {
  return withName(task, by, { id: messageId, role: 'user', content: text });
}
