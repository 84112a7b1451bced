import type { TaskId } from '../../../contract/base/id-types.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { readInfo, artifactPath } from '../artifacts/artifact-entry.ts';
import { valueAt, withValueAt } from '../model/state-patch.ts';
import { isObject, objectOf } from '../../../core/base/json.ts';

/**
 * The client's state with only `/view` replaced; a non-object counts as empty. The records in `/view/engram` are kept
 * as the client has them: they belong to the agent, and no conversation restates them.
 */
export function startState(clientState: Json | undefined, threadState: JsonObject | null): JsonObject {
  const own = Object.entries(objectOf(clientState)).filter(([key]) => key !== 'view');
  const records = isObject(clientState) ? valueAt(clientState, ['view', 'engram']) : undefined;
  const kept: [string, Json][] = isObject(records) ? [['engram', records]] : [];
  const view = threadState?.['view'];
  if (!isObject(view) && kept.length === 0) return Object.fromEntries(own);
  const recorded = Object.entries(objectOf(view)).filter(([key]) => key !== 'engram');
  return Object.fromEntries([...own, ['view', Object.fromEntries([...recorded, ...kept])]]);
}

const objectAt = (state: JsonObject, ...path: string[]): JsonObject => {
  const value = valueAt(state, path);
  return objectOf(value);
};

/** Filters the entries of `/view/<area>`; an absent area stays absent. */
function keepOf(state: JsonObject, area: string, isKept: (key: string, value: Json) => boolean): JsonObject {
  if (!isObject(valueAt(state, ['view', area]))) return state;
  const kept = Object.entries(objectAt(state, 'view', area)).filter(([key, value]) => isKept(key, value));
  return withValueAt(state, ['view', area], Object.fromEntries(kept));
}

const isOfTask =
  (taskId: TaskId) =>
  (_key: string, entry: Json): boolean =>
    isObject(entry) && entry['taskId'] === taskId;

/**
 * The thread's state at the start of a task: questions, files and artifacts of earlier tasks are removed, except
 * artifacts of scope `thread`; task entries stay. A task that is already there keeps everything.
 */
export function stateForTask(state: JsonObject | null, taskId: TaskId): JsonObject | null {
  if (state === null || valueAt(state, ['view', 'tasks', taskId]) !== undefined) return state;
  const infos = Object.entries(objectAt(state, 'view', 'artifactInfo')).map(([artifactId, entry]) => {
    const info = readInfo(entry);
    const isKept = info !== null && (info.scope === 'thread' || info.taskId === taskId);
    return { artifactId, isKept, place: artifactPath(info?.path ?? '') };
  });
  const kept = infos.filter(({ isKept }) => isKept);
  const values = kept.map(({ place: path }) => ({
    place: path,
    value: path === null ? undefined : valueAt(state, path),
  }));
  let next = keepOf(state, 'pendingInterrupts', isOfTask(taskId));
  for (const area of ['artifacts', 'files', 'artifactTails']) next = keepOf(next, area, () => false);
  for (const { place: path, isKept } of infos) if (!isKept && path !== null) next = withValueAt(next, path, undefined);
  for (const { place: pointer, value } of values) if (pointer !== null) next = withValueAt(next, pointer, value);
  return keepOf(next, 'artifactInfo', (artifactId) => kept.some((one) => one.artifactId === artifactId));
}
