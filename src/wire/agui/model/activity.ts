import type { JsonObject } from '../../../contract/base/json.ts';
import { emit, type Draft } from './draft.ts';
import { findMessage } from './projection.ts';
import { difference } from './state-patch.ts';
import { isObject } from '../../../core/base/json.ts';

/** Types of the cards of holds; an activity of an agent's own making never has one of these. */
const cardTypes = new Set(['HITL_FORM', 'INPUT_REQUEST', 'OPERATOR']);

export const isCardType = (activityType: unknown): boolean =>
  typeof activityType === 'string' && cardTypes.has(activityType);

/** A hold's card, among the activities of a thread. */
export const isCard = (message: JsonObject): boolean =>
  message['role'] === 'activity' && isCardType(message['activityType']);

/** Makes an activity's content this: a snapshot when it is not there yet, else the difference, or nothing. */
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
