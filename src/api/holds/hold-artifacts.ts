// Artifacts to take away: of a task as they are now, and of a question as they were when it was asked.
import { withoutTurns } from '../../contract/base/text.ts';
import type { HoldView } from '../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { ownsThread } from '../../core/policy/audience.ts';
import type { ShownText } from '../../core/questions/shown-question.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import { stateWhenAsked } from '../../store/log/run-state.ts';
import type { HoldRow, TaskRow } from '../../store/store.ts';
import {
  artifactsAsShown,
  findArtifact,
  shownArtifacts,
  textsAsShown,
  type Artifact,
} from '../../wire/agui/artifacts/shown-artifacts.ts';
import { cutText } from '../../wire/agui/model/text.ts';
import type { WithStore } from '../api-parts.ts';

type Listed = HoldView['context']['artifacts'];

const maxFileName = 200;

async function stateNow(
  { store }: WithStore,
  { agent, threadId }: Pick<TaskRow, 'agent' | 'threadId'>,
): Promise<JsonObject> {
  return (await store.threads.get(agent, threadId))?.state ?? {};
}

/** What a question's own row says; nothing of one whose row was lost and restored. */
export function artifactsOf({ holdId, artifacts }: Pick<HoldRow, 'holdId' | 'artifacts'>): Listed {
  const base = `/api/holds/${encodeURIComponent(holdId)}/artifacts`;
  return (artifacts ?? []).map(({ id, name, digest, textLength }) => ({
    id,
    name,
    url: `${base}/${encodeURIComponent(id)}`,
    digest,
    ...(textLength !== undefined && { textLength }),
  }));
}

/** As `artifactsOf`; of a question whose row was lost and restored what lies there now, and may have changed since. */
export async function listArtifacts(api: WithStore, row: HoldRow): Promise<Listed> {
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
  api: WithStore,
  task: Pick<TaskRow, 'taskId' | 'agent' | 'threadId' | 'owner'>,
  principal: Principal,
): Promise<{ id: string; name: string; url: string }[]> {
  if (!ownsThread(principal, task.owner)) return [];
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
  api: WithStore,
  task: Pick<TaskRow, 'agent' | 'threadId'>,
  id: string,
): Promise<ArtifactBody | null> {
  const artifact = findArtifact(await stateNow(api, task), id);
  return artifact === null ? null : bodyOf(artifact);
}

type Shown = Pick<HoldRow, 'agent' | 'threadId' | 'openedInRun' | 'artifacts'>;

/** One of them as it was when the question was asked; null when the question was about none of this id. */
export async function readShownArtifact({ store }: WithStore, row: Shown, id: string): Promise<ArtifactBody | null> {
  const shown = row.artifacts?.filter((one) => one.id === id) ?? [];
  if (shown.length === 0) return null;
  const [artifact] = artifactsAsShown(await stateWhenAsked(store, row), shown, fingerprintOf);
  return artifact === undefined ? null : bodyOf(artifact);
}

/** What its agent wrote before it asked; null: there is more than text, or it cannot be read as it was. */
export const readShownTexts = ({ store }: WithStore, row: Shown): Promise<ShownText[] | null> =>
  textsAsShown(row.artifacts ?? [], () => stateWhenAsked(store, row), fingerprintOf);

/** A name that no header and no file system reads as anything else. */
export function dispositionOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w. -]+/g, '_').slice(0, 100) || 'artifact';
  const exact = encodeURIComponent(cutText(withoutTurns(fileName).replaceAll(/[\p{Cc}\p{Cs}/\\]/gu, '_'), maxFileName));
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact.replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}
