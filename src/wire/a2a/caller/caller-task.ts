// A caller's task, built from the caller's log alone.
import type { CallerEntry } from '../../../contract/tasks/caller.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { holdExtension } from './caller-status.ts';
import type { CallerIds } from './caller-ids.ts';
import { isObject, objectOf, objectsIn, stringOf } from '../../../core/base/json.ts';

export interface CallerView {
  /** As A2A 1.0 JSON. */
  task: JsonObject;
  /** Something was recorded for it: else it is only submitted. */
  isBegun: boolean;
  /** The agent answered with a message alone. */
  reply: JsonObject | null;
}

export const newCallerView = ({ taskId, contextId }: CallerIds): CallerView => ({
  task: { id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' }, artifacts: [], history: [] },
  isBegun: false,
  reply: null,
});

export const idOf = (message: JsonObject): string => stringOf(message['messageId']);

/** What we say in the agent's place about people is of the moment: it is no part of the conversation. */
const isHoldpoints = (message: JsonObject): boolean => holdExtension in objectOf(message['metadata']);

function withMessage(task: JsonObject, message: JsonObject): JsonObject {
  const history = objectsIn(task['history']);
  const id = idOf(message);
  if (id !== '' && history.some((one) => idOf(one) === id)) return task;
  return { ...task, history: [...history, message] };
}

/** The words of a status become a part of the conversation when the next one comes. */
function withStatus(task: JsonObject, status: JsonObject, metadata: JsonObject): JsonObject {
  const before = objectOf(task['status'])['message'];
  const announced = isObject(before) && !isHoldpoints(before) ? withMessage(task, before) : task;
  const all = { ...objectOf(announced['metadata']), ...metadata };
  return { ...announced, status, ...(Object.keys(all).length === 0 ? {} : { metadata: all }) };
}

function withArtifact(task: JsonObject, update: JsonObject): JsonObject {
  const artifact = objectOf(update['artifact']);
  const artifacts = objectsIn(task['artifacts']);
  const at = artifacts.findIndex((one) => one['artifactId'] === artifact['artifactId']);
  const known = artifacts[at];
  if (known === undefined) return { ...task, artifacts: [...artifacts, artifact] };
  const next =
    update['append'] === true
      ? { ...known, ...artifact, parts: [...objectsIn(known['parts']), ...objectsIn(artifact['parts'])] }
      : artifact;
  return { ...task, artifacts: artifacts.with(at, next) };
}

export function seeEntry(view: CallerView, entry: CallerEntry): CallerView {
  const { task } = view;
  if (entry.kind === 'message') return { ...view, task: withMessage(task, entry.message) };
  if (entry.kind === 'pause') return view;
  const { task: whole, statusUpdate, artifactUpdate, message } = entry.event;
  const next = { ...view, isBegun: true };
  if (isObject(whole)) {
    const lists = { artifacts: objectsIn(whole['artifacts']), history: objectsIn(whole['history']) };
    return { ...next, task: { ...whole, ...lists } };
  }
  if (isObject(statusUpdate)) {
    const { status, metadata } = statusUpdate;
    return { ...next, task: withStatus(task, objectOf(status), objectOf(metadata)) };
  }
  if (isObject(artifactUpdate)) return { ...next, task: withArtifact(task, artifactUpdate) };
  if (!isObject(message)) return view;
  return { ...next, reply: message, task: withStatus(task, { state: 'TASK_STATE_COMPLETED', message }, {}) };
}

export const viewOf = (ids: CallerIds, entries: readonly CallerEntry[]): CallerView =>
  entries.reduce(seeEntry, newCallerView(ids));
