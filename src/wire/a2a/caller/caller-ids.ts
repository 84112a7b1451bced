// A caller knows a task by our ids: those of the agent stay on its side.
import type { JsonObject } from '../../../contract/base/json.ts';
import { isObject } from '../../../core/base/json.ts';

export interface CallerIds {
  taskId: string;
  contextId: string;
}

/** The same without what is not there. */
const some = (entries: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== ''));

/** A message as the caller may see it; tasks that it refers to are the agent's, and nobody's here. */
export function withMessageIds(message: JsonObject, { taskId, contextId }: CallerIds): JsonObject {
  const { referenceTaskIds: _agents, taskId: theirs, contextId: _their, ...rest } = message;
  return { ...rest, ...(theirs === undefined || theirs === '' ? {} : { taskId }), contextId };
}

function withStatusIds(status: JsonObject, ids: CallerIds): JsonObject {
  const { message } = status;
  return isObject(message) ? { ...status, message: { ...withMessageIds(message, ids), taskId: ids.taskId } } : status;
}

export function withTaskIds(task: JsonObject, ids: CallerIds): JsonObject {
  const { status, history } = task;
  return some({
    ...task,
    id: ids.taskId,
    contextId: ids.contextId,
    ...(isObject(status) ? { status: withStatusIds(status, ids) } : {}),
    ...(Array.isArray(history)
      ? {
          history: history.filter(isObject).map((message) => ({ ...withMessageIds(message, ids), taskId: ids.taskId })),
        }
      : {}),
  });
}

/** An update of a status or an artifact. */
export const withUpdateIds = (update: JsonObject, ids: CallerIds): JsonObject => ({
  ...update,
  taskId: ids.taskId,
  contextId: ids.contextId,
  ...(isObject(update['status']) ? { status: withStatusIds(update['status'], ids) } : {}),
});
