import { emitActivity } from '../model/activity.ts';
import { drawnArtifacts, entryValue, keptInfo } from './artifact-entry.ts';
import { artifactPath } from './artifact-path.ts';
import type { Draft } from '../model/draft.ts';
import { jsonBytes } from '../model/json-bytes.ts';
import { a2aTaskIdOf } from '../cards/task-entry.ts';
import { omitted, omittedBytes } from './view.ts';

const maxShownBytes = 64 * 1024;

/**
 * The activity of an artifact that the front end draws (metadata `uiKind`, which is its type): what the artifact is, the
 * place of its entry in the state, and its value if that is short.
 */
function emitFrontendActivity(draft: Draft, a2aTaskId: string, artifactId: string): void {
  const info = keptInfo(draft, artifactId);
  const pointer = info === null ? null : artifactPath(info.path);
  if (info === null || info.uiKind === null || pointer === null) return;
  const value = entryValue(draft, artifactId, pointer) ?? null;
  const bytes = jsonBytes(value);
  const shown = bytes <= maxShownBytes || omittedBytes(value) !== null ? value : omitted(bytes);
  const { taskId, name, path } = info;
  const content = { taskId, a2aTaskId, artifactId, name, path, value: shown };
  emitActivity(draft, `ui:${a2aTaskId}:${artifactId}`, info.uiKind, content);
}

/** The activities of all artifacts that are drawn, as the wanted state has these. */
export function emitFrontendActivities(draft: Draft): void {
  const a2aTaskId = a2aTaskIdOf({ ...draft.p, state: draft.state }, draft.ctx.taskId);
  if (a2aTaskId === null) return;
  for (const artifactId of drawnArtifacts(draft)) emitFrontendActivity(draft, a2aTaskId, artifactId);
}
