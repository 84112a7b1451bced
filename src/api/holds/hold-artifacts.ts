// Artifacts to take away: of a task as they are now, and of a question as they were when it was asked.
import { withoutTurns } from '../../contract/base/text.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isOperator } from '../../core/policy/audience.ts';
import { artifactDigest } from '../../core/questions/hold-digest.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import type { HoldRow, TaskRow } from '../../store/store.ts';
import { findArtifact, shownArtifacts, type Artifact } from '../../wire/agui/artifacts/shown-artifacts.ts';
import { cutText } from '../../wire/agui/model/text.ts';
import type { ApiDeps } from '../api-deps.ts';
import { isObject } from '../../core/base/json.ts';

type Listed = HoldView['context']['artifacts'];

const maxFileName = 200;

async function stateNow(
  { store }: Pick<ApiDeps, 'store'>,
  { agent, threadId }: Pick<TaskRow, 'agent' | 'threadId'>,
): Promise<JsonObject> {
  return (await store.threads.get(agent, threadId))?.state ?? {};
}

/** What a question's own row says; nothing of one whose row was lost and restored. */
export function artifactsOf({ holdId, artifacts }: Pick<HoldRow, 'holdId' | 'artifacts'>): Listed {
  const base = `/api/holds/${encodeURIComponent(holdId)}/artifacts`;
  return (artifacts ?? []).map(({ id, name, digest }) => ({
    id,
    name,
    url: `${base}/${encodeURIComponent(id)}`,
    digest,
  }));
}

/** As `artifactsOf`; of a question whose row was lost and restored what lies there now, and may have changed since. */
export async function listArtifacts(api: Pick<ApiDeps, 'store'>, row: HoldRow): Promise<Listed> {
  if (row.artifacts !== null) return artifactsOf(row);
  const base = `/api/tasks/${encodeURIComponent(row.taskId)}/artifacts`;
  return shownArtifacts(await stateNow(api, row)).map(({ id, name }) => ({
    id,
    name,
    url: `${base}/${encodeURIComponent(id)}`,
    digest: null,
  }));
}

/** What a task's thread holds now, also from after its last question. An earlier task's are shown with its questions alone. */
export async function taskArtifacts(
  api: Pick<ApiDeps, 'store'>,
  task: Pick<TaskRow, 'taskId' | 'agent' | 'threadId' | 'owner'>,
  principal: Principal,
): Promise<{ id: string; name: string; url: string }[]> {
  if (task.owner !== principal.id && !isOperator(principal)) return [];
  const newest = await api.store.tasks.newest(task.agent, task.threadId);
  if (newest?.taskId !== task.taskId) return [];
  const base = `/api/tasks/${encodeURIComponent(task.taskId)}/artifacts`;
  return shownArtifacts(await stateNow(api, task)).map(({ id, name }) => ({
    id,
    name,
    url: `${base}/${encodeURIComponent(id)}`,
  }));
}

export interface ArtifactBody {
  fileName: string;
  contentType: string;
  body: string;
}

const isText = (value: Json): value is string => typeof value === 'string';

function bodyOf({ name, content }: Artifact): ArtifactBody {
  if (isText(content)) return { fileName: `${name}.txt`, contentType: 'text/plain; charset=utf-8', body: content };
  return {
    fileName: `${name}.json`,
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(content, null, 2),
  };
}

/** One artifact of a task as it is now; null when there is none of this id. */
export async function readArtifact(
  api: Pick<ApiDeps, 'store'>,
  task: Pick<TaskRow, 'agent' | 'threadId'>,
  id: string,
): Promise<ArtifactBody | null> {
  const artifact = findArtifact(await stateNow(api, task), id);
  return artifact === null ? null : bodyOf(artifact);
}

/**
 * One artifact as it was when the question was asked: the run that asked ended with it, and its log is never changed.
 * Null when the question was about none of this id, or what is found is not what its digest covers.
 */
export async function readShownArtifact(
  { store }: Pick<ApiDeps, 'store'>,
  row: Pick<HoldRow, 'agent' | 'threadId' | 'openedInRun' | 'artifacts'>,
  id: string,
): Promise<ArtifactBody | null> {
  const shown = row.artifacts?.find((one) => one.id === id);
  if (shown === undefined) return null;
  const run = await store.runs.get({ agent: row.agent, threadId: row.threadId, runId: row.openedInRun });
  const snapshots = run === null ? [] : await store.log.ofType([run.logId], 'STATE_SNAPSHOT');
  const state = snapshots.at(-1)?.event['snapshot'];
  const artifact = isObject(state) ? findArtifact(state, id) : null;
  return artifact !== null && artifactDigest(fingerprintOf, artifact) === shown.digest ? bodyOf(artifact) : null;
}

/** A name that no header and no file system reads as anything else. */
export function dispositionOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w. -]+/g, '_').slice(0, 100) || 'artifact';
  const exact = encodeURIComponent(cutText(withoutTurns(fileName).replaceAll(/[\p{Cc}\p{Cs}/\\]/gu, '_'), maxFileName));
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact.replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}
