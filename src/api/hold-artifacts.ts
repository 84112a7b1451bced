// Artifacts as the thread's stored state has them: the agent is their truth, this is what a person can look at meanwhile.
import type { HoldView } from '../contract/hold.ts';
import type { Json, JsonObject } from '../contract/json.ts';
import type { TaskRow } from '../store/store.ts';
import { readInfo } from '../wire/agui/artifact-entry.ts';
import { artifactPlace } from '../wire/agui/artifact-path.ts';
import { isObject, valueAt } from '../wire/agui/state-patch.ts';
import type { Room } from './deps.ts';

type Listed = HoldView['context']['artifacts'];

/** More are there, and not named: a page cannot show them either. */
const maxListed = 100;
const maxName = 200;

const objectAt = (state: JsonObject, path: string[]): JsonObject => {
  const value = valueAt(state, path);
  return isObject(value) ? value : {};
};

function nameOf(id: string, state: JsonObject, value: Json | undefined): string {
  const named = readInfo(valueAt(state, ['view', 'artifactInfo', id]))?.name ?? '';
  const own = isObject(value) && typeof value['name'] === 'string' ? value['name'] : '';
  return (named || own || id).slice(0, maxName);
}

/** Ids of all artifacts: those at the usual place, and those that wished for another one. */
function idsOf(state: JsonObject): string[] {
  const [usual, wished] = [objectAt(state, ['view', 'artifacts']), objectAt(state, ['view', 'artifactInfo'])];
  return [...new Set([...Object.keys(usual), ...Object.keys(wished)])];
}

function valueOf(state: JsonObject, id: string): Json | undefined {
  const usual = objectAt(state, ['view', 'artifacts']);
  if (Object.hasOwn(usual, id)) return usual[id];
  const place = artifactPlace(readInfo(valueAt(state, ['view', 'artifactInfo', id]))?.path ?? '');
  return place === null ? undefined : valueAt(state, place);
}

export async function listArtifacts(
  { store }: Pick<Room, 'store'>,
  task: Pick<TaskRow, 'taskId' | 'agent' | 'threadId'>,
): Promise<Listed> {
  const state = (await store.threads.get(task.agent, task.threadId))?.state ?? {};
  return idsOf(state)
    .map((id) => ({ id, value: valueOf(state, id) }))
    .filter(({ value }) => value !== undefined)
    .slice(0, maxListed)
    .map(({ id, value }) => ({
      id,
      name: nameOf(id, state, value),
      url: `/api/tasks/${encodeURIComponent(task.taskId)}/artifacts/${encodeURIComponent(id)}`,
    }));
}

export interface ArtifactBody {
  fileName: string;
  contentType: string;
  body: string;
}

const isText = (value: Json): value is string => typeof value === 'string';

/** One artifact to take away; null when there is none of this id. */
export async function readArtifact(
  { store }: Pick<Room, 'store'>,
  task: Pick<TaskRow, 'agent' | 'threadId'>,
  id: string,
): Promise<ArtifactBody | null> {
  const state = (await store.threads.get(task.agent, task.threadId))?.state ?? {};
  const value = valueOf(state, id);
  if (value === undefined) return null;
  const name = nameOf(id, state, value);
  if (isText(value)) return { fileName: `${name}.txt`, contentType: 'text/plain; charset=utf-8', body: value };
  return {
    fileName: `${name}.json`,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(value, null, 2),
  };
}

/** A name that no header and no file system reads as anything else. */
export function dispositionOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w. -]+/g, '_').slice(0, 100) || 'artifact';
  const exact = encodeURIComponent(fileName.replaceAll(/[\p{Cc}/\\]/gu, '_').slice(0, maxName));
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact.replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}
