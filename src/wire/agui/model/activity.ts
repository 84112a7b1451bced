import type { JsonObject } from '../../../contract/base/json.ts';
import { emit, type Draft } from './draft.ts';
import { findMessage } from './projection.ts';
import { difference } from './state-patch.ts';
import { isObject } from '../../../core/base/json.ts';

/** Reserved activity types of cards; agents' own activities cannot use them. */
const cardTypes = new Set(['HITL_FORM', 'INPUT_REQUEST', 'OPERATOR']);

export const isCardType = (activityType: unknown): boolean =>
  typeof activityType === 'string' && cardTypes.has(activityType);

/** True for the card of a hold. */
export const isCard = (message: JsonObject): boolean =>
  message['role'] === 'activity' && isCardType(message['activityType']);

/** Emits ACTIVITY_SNAPSHOT for a new activity, ACTIVITY_DELTA for changed content, nothing otherwise. */
export function emitActivity(draft: Draft, messageId: string, activityType: string, content: JsonObject): void {
  const there = findMessage(draft.p, messageId);
  const before =
    there?.['role'] === 'activity' && there['activityType'] === activityType ? there['content'] : undefined;
  if (!isObject(before)) {
    emit(draft, { type: 'ACTIVITY_SNAPSHOT', messageId, activityType, content, replace: true });
    return;
  }
  const patch = difference(before, content);
  if (patch.length > 0) emit(draft, { type: 'ACTIVITY_DELTA', messageId, activityType, patch });
}
