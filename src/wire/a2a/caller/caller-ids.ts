// Callers see Standfast's task and context ids; the agent's own ids are never exposed to them.
import type { TaskId } from '../../../contract/base/id-types.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { isObject } from '../../../core/base/json.ts';

export interface CallerIds {
  taskId: TaskId;
  contextId: string;
}

/** Drops empty strings: protobuf's default for an absent field. */
const withoutEmpty = (entries: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== ''));

/** The message under the caller's ids, without `referenceTaskIds`, which name tasks on the agent's side. */
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
  return withoutEmpty({
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

/** A TaskStatusUpdateEvent or TaskArtifactUpdateEvent under the caller's ids. */
export const withUpdateIds = (update: JsonObject, ids: CallerIds): JsonObject => ({
  ...update,
  taskId: ids.taskId,
  contextId: ids.contextId,
  ...(isObject(update['status']) ? { status: withStatusIds(update['status'], ids) } : {}),
});
