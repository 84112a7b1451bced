// A caller's task, made of what its caller was told: the log alone says what it is.
import type { CallerEntry } from '../../../contract/caller.ts';
import type { Json, JsonObject } from '../../../contract/json.ts';
import { isJsonObject } from '../codec/clean.ts';
import { holdExtension } from './caller-status.ts';
import type { CallerIds } from './caller-ids.ts';

export interface CallerView {
  /** As A2A 1.0 JSON. */
  task: JsonObject;
  /** Something was told of it: else it is only submitted. */
  isBegun: boolean;
  /** The agent answered with a message alone. */
  reply: JsonObject | null;
}

export const newCallerView = ({ taskId, contextId }: CallerIds): CallerView => ({
  task: { id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' }, artifacts: [], history: [] },
  isBegun: false,
  reply: null,
});

export const listOf = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
export const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
export const idOf = (message: JsonObject): string =>
  typeof message['messageId'] === 'string' ? message['messageId'] : '';

/** What we say in the agent's place about people is of the moment: it is no part of the conversation. */
const isOurs = (message: JsonObject): boolean => holdExtension in objectOf(message['metadata']);

function withMessage(task: JsonObject, message: JsonObject): JsonObject {
  const history = listOf(task['history']);
  const id = idOf(message);
  if (id !== '' && history.some((one) => idOf(one) === id)) return task;
  return { ...task, history: [...history, message] };
}

/** The words of a status become a part of the conversation when the next one comes. */
function withStatus(task: JsonObject, status: JsonObject, metadata: JsonObject): JsonObject {
  const before = objectOf(task['status'])['message'];
  const told = isJsonObject(before) && !isOurs(before) ? withMessage(task, before) : task;
  const all = { ...objectOf(told['metadata']), ...metadata };
  return { ...told, status, ...(Object.keys(all).length === 0 ? {} : { metadata: all }) };
}

function withArtifact(task: JsonObject, update: JsonObject): JsonObject {
  const artifact = objectOf(update['artifact']);
  const artifacts = listOf(task['artifacts']);
  const at = artifacts.findIndex((one) => one['artifactId'] === artifact['artifactId']);
  const known = artifacts[at];
  if (known === undefined) return { ...task, artifacts: [...artifacts, artifact] };
  const next =
    update['append'] === true
      ? { ...known, ...artifact, parts: [...listOf(known['parts']), ...listOf(artifact['parts'])] }
      : artifact;
  return { ...task, artifacts: artifacts.with(at, next) };
}

export function seeEntry(view: CallerView, entry: CallerEntry): CallerView {
  const { task } = view;
  if (entry.kind === 'message') return { ...view, task: withMessage(task, entry.message) };
  if (entry.kind === 'pause') return view;
  const { task: whole, statusUpdate, artifactUpdate, message } = entry.event;
  const next = { ...view, isBegun: true };
  if (isJsonObject(whole)) {
    const lists = { artifacts: listOf(whole['artifacts']), history: listOf(whole['history']) };
    return { ...next, task: { ...whole, ...lists } };
  }
  if (isJsonObject(statusUpdate)) {
    const { status, metadata } = statusUpdate;
    return { ...next, task: withStatus(task, objectOf(status), objectOf(metadata)) };
  }
  if (isJsonObject(artifactUpdate)) return { ...next, task: withArtifact(task, artifactUpdate) };
  if (!isJsonObject(message)) return view;
  return { ...next, reply: message, task: withStatus(task, { state: 'TASK_STATE_COMPLETED', message }, {}) };
}

export const viewOf = (ids: CallerIds, entries: readonly CallerEntry[]): CallerView =>
  entries.reduce(seeEntry, newCallerView(ids));
