// A caller's task, built from the caller's log alone.
import type { CallerEntry } from '../../../contract/tasks/caller.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { holdExtension } from './caller-status.ts';
import type { CallerIds } from './caller-ids.ts';
import { isObject, objectOf, objectsIn, stringOf } from '../../../core/base/json.ts';

export interface CallerView {
  /** As A2A 1.0 JSON. Its history, its artifacts and their parts grow in place: a task may have many thousand events. */
  task: JsonObject & { artifacts: JsonObject[]; history: JsonObject[] };
  /** Something was recorded for it: else it is only submitted. */
  isBegun: boolean;
  /** The agent answered with a message alone. */
  reply: JsonObject | null;
  /** Ids of the messages in its history. */
  messageIds: Set<string>;
}

export const newCallerView = ({ taskId, contextId }: CallerIds): CallerView => ({
  task: { id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' }, artifacts: [], history: [] },
  isBegun: false,
  reply: null,
  messageIds: new Set(),
});

export const idOf = (message: JsonObject): string => stringOf(message['messageId']);

/** What we say in the agent's place about people is of the moment: it is no part of the conversation. */
const isHoldpoints = (message: JsonObject): boolean => holdExtension in objectOf(message['metadata']);

function addMessage({ task, messageIds }: CallerView, message: JsonObject): void {
  const id = idOf(message);
  if (id !== '' && messageIds.has(id)) return;
  messageIds.add(id);
  task.history.push(message);
}

/** The words of a status become a part of the conversation when the next one comes. */
function withStatus(view: CallerView, status: JsonObject, metadata: JsonObject): CallerView['task'] {
  const before = objectOf(view.task['status'])['message'];
  if (isObject(before) && !isHoldpoints(before)) addMessage(view, before);
  const all = { ...objectOf(view.task['metadata']), ...metadata };
  return { ...view.task, status, ...(Object.keys(all).length === 0 ? {} : { metadata: all }) };
}

/** Not the artifact that came: its parts are the view's own. */
const ownArtifact = (artifact: JsonObject): JsonObject => ({ ...artifact, parts: objectsIn(artifact['parts']) });

function addArtifact({ artifacts }: CallerView['task'], update: JsonObject): void {
  const artifact = objectOf(update['artifact']);
  const at = artifacts.findIndex((one) => one['artifactId'] === artifact['artifactId']);
  const known = artifacts[at];
  if (known === undefined) artifacts.push(ownArtifact(artifact));
  else if (update['append'] !== true) artifacts[at] = ownArtifact(artifact);
  else {
    // Safe: every artifact in the list is our own.
    const parts = known['parts'] as JsonObject[];
    for (const part of objectsIn(artifact['parts'])) parts.push(part);
    artifacts[at] = { ...known, ...artifact, parts };
  }
}

/** Takes the view over: the one before it grows with it, and is not to be used any more. */
export function seeEntry(view: CallerView, entry: CallerEntry): CallerView {
  if (entry.kind === 'message') {
    addMessage(view, entry.message);
    return view;
  }
  if (entry.kind === 'pause') return view;
  const { task: whole, statusUpdate, artifactUpdate, message } = entry.event;
  const next = { ...view, isBegun: true };
  if (isObject(whole)) {
    const history = objectsIn(whole['history']);
    const artifacts = objectsIn(whole['artifacts']).map(ownArtifact);
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
  entries.reduce(seeEntry, newCallerView(ids));

/** A task, and how much of its caller's log is in it. */
export interface CallerSnapshot {
  view: CallerView;
  seq: number;
}

/** Read page after page, so that the log of a long task is never in memory as a whole. */
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
      snapshot = { view: seeEntry(snapshot.view, entry), seq };
    }
    if (page.length === 0) return snapshot;
  }
}
