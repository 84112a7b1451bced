// A2UI: an agent draws a user interface by operations on a surface. The surface is an activity `a2ui-surface` whose
// content lists the operations in order; each is noted in the activity's metadata, so that it is told once.
import { isAcceptableA2aId } from '../../../contract/ids.ts';
import type { Json, JsonObject } from '../../../contract/json.ts';
import { emit, type Draft } from '../model/draft.ts';
import { jsonBytes } from '../model/json-bytes.ts';
import { shownId } from '../model/reserved-ids.ts';
import { findMessage } from '../model/projection.ts';
import { isObject } from '../model/state-patch.ts';

const activityType = 'a2ui-surface';
const operations = ['beginRendering', 'surfaceUpdate', 'dataModelUpdate', 'deleteSurface'];
/** An agent that goes on beyond these is not followed any further. */
const maxOperations = 1000;
const maxContentBytes = 1024 * 1024;

/** The surface that a data part operates on; null when it does not. */
export function surfaceOf(data: Json): string | null {
  if (!isObject(data)) return null;
  for (const name of operations) {
    const operation = data[name];
    const surfaceId = isObject(operation) ? operation['surfaceId'] : undefined;
    if (typeof surfaceId === 'string' && isAcceptableA2aId(surfaceId)) return surfaceId;
  }
  return null;
}

/** Under its own id, unless something else has that; null when there is no place for it. */
function surfaceLocation(draft: Draft, surfaceId: string): { id: string; there: JsonObject | undefined } | null {
  for (const id of [shownId(surfaceId), `surface:${surfaceId}`]) {
    const there = findMessage(draft.p, id);
    if (there === undefined || (there['role'] === 'activity' && there['activityType'] === activityType)) {
      return { id, there };
    }
  }
  return null;
}

/** One more operation on a surface; `partKey` names the part that brings it. */
export function operate(draft: Draft, surfaceId: string, data: JsonObject, partKey: string): void {
  const path = surfaceLocation(draft, surfaceId);
  if (path === null) return;
  const { id, there } = path;
  const note = `holdpoint.part:${partKey}`;
  const noted = there?.['metadata'];
  if (isObject(noted) && Object.hasOwn(noted, note)) return;
  const content = isObject(there?.['content']) ? there['content'] : { operations: [] };
  const list = Array.isArray(content['operations']) ? content['operations'] : [];
  if (list.length >= maxOperations || jsonBytes(content) + jsonBytes(data) > maxContentBytes) return;
  if (there === undefined)
    emit(draft, { type: 'ACTIVITY_SNAPSHOT', messageId: id, activityType, content, replace: true });
  const patch = [{ op: 'add', path: '/operations/-', value: data }];
  emit(draft, { type: 'ACTIVITY_DELTA', messageId: id, activityType, patch, metadata: { [note]: true } });
}
