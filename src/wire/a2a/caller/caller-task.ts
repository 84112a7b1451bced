// Builds the A2A Task that a caller sees from the caller's event log.
import type { CallerEntry } from '../../../contract/tasks/caller.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { holdExtension } from './caller-status.ts';
import type { CallerIds } from './caller-ids.ts';
import { isObject, objectOf, objectsIn, stringOf } from '../../../core/base/json.ts';

export interface CallerView {
  /** A2A 1.0 JSON; history, artifacts and parts are mutated in place, because a task may have many thousand events. */
  task: JsonObject & { artifacts: JsonObject[]; history: JsonObject[] };
  /** False until the first event: the task is `submitted`. */
  isBegun: boolean;
  /** The agent's reply when it answered with a Message instead of a Task. */
  reply: JsonObject | null;
  messageIds: Set<string>;
}

export const newCallerView = ({ taskId, contextId }: CallerIds): CallerView => ({
  task: { id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' }, artifacts: [], history: [] },
  isBegun: false,
  reply: null,
  messageIds: new Set(),
});

export const idOf = (message: JsonObject): string => stringOf(message['messageId']);

/** Status messages written by Standfast are transient and stay out of the history. */
const isWrittenByStandfast = (message: JsonObject): boolean => holdExtension in objectOf(message['metadata']);

function addMessage({ task, messageIds }: CallerView, message: JsonObject): void {
  const id = idOf(message);
  if (id !== '' && messageIds.has(id)) return;
  messageIds.add(id);
  task.history.push(message);
}

/** A status message moves into the history when the next status replaces it. */
function withStatus(view: CallerView, status: JsonObject, metadata: JsonObject): CallerView['task'] {
  const before = objectOf(view.task['status'])['message'];
  if (isObject(before) && !isWrittenByStandfast(before)) addMessage(view, before);
  const all = { ...objectOf(view.task['metadata']), ...metadata };
  return { ...view.task, status, ...(Object.keys(all).length === 0 ? {} : { metadata: all }) };
}

/** A copy with its own parts array, since `addArtifact` appends in place. */
const copyArtifact = (artifact: JsonObject): JsonObject => ({ ...artifact, parts: objectsIn(artifact['parts']) });

function addArtifact({ artifacts }: CallerView['task'], update: JsonObject): void {
  const artifact = objectOf(update['artifact']);
  const at = artifacts.findIndex((one) => one['artifactId'] === artifact['artifactId']);
  const known = artifacts[at];
  if (known === undefined) artifacts.push(copyArtifact(artifact));
  else if (update['append'] !== true) artifacts[at] = copyArtifact(artifact);
  else {
    // Safe: every artifact in the list went through `copyArtifact`.
    const parts = known['parts'] as JsonObject[];
    for (const part of objectsIn(artifact['parts'])) parts.push(part);
    artifacts[at] = { ...known, ...artifact, parts };
  }
}

/** Applies one log entry. Mutates `view`, so callers must use the returned view only. */
export function applyEntry(view: CallerView, entry: CallerEntry): CallerView {
  if (entry.kind === 'message') {
    addMessage(view, entry.message);
    return view;
  }
  if (entry.kind === 'pause') return view;
  const { task: whole, statusUpdate, artifactUpdate, message } = entry.event;
  const next = { ...view, isBegun: true };
  if (isObject(whole)) {
    const history = objectsIn(whole['history']);
    const artifacts = objectsIn(whole['artifacts']).map(copyArtifact);
    return { ...next, task: { ...whole, artifacts, history }, messageIds: new Set(history.map(idOf)) };
  }
  if (isObject(statusUpdate)) {
    const { status, metadata } = statusUpdate;
    return { ...next, task: withStatus(view, objectOf(status), objectOf(metadata)) };
  }
  if (isObject(artifactUpdate)) {
    addArtifact(view.task, artifactUpdate);
    return next;
  }
  if (!isObject(message)) return view;
  return { ...next, reply: message, task: withStatus(view, { state: 'TASK_STATE_COMPLETED', message }, {}) };
}

export const viewOf = (ids: CallerIds, entries: readonly CallerEntry[]): CallerView =>
  entries.reduce(applyEntry, newCallerView(ids));

/** A Task as of log position `seq`. */
export interface CallerSnapshot {
  view: CallerView;
  seq: number;
}

/** Builds the Task up to `toSeq`, page by page to keep a long log out of memory. */
export async function readTask(
  readPage: (afterSeq: number) => Promise<{ seq: number; entry: CallerEntry }[]>,
  ids: CallerIds,
  toSeq = Infinity,
): Promise<CallerSnapshot> {
  let snapshot: CallerSnapshot = { view: newCallerView(ids), seq: 0 };
  for (;;) {
    const page = await readPage(snapshot.seq);
    for (const { seq, entry } of page) {
      if (seq > toSeq) return snapshot;
      snapshot = { view: applyEntry(snapshot.view, entry), seq };
    }
    if (page.length === 0) return snapshot;
  }
}
