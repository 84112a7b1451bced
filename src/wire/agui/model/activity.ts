import type { JsonObject } from '../../../contract/base/json.ts';
import type { Question } from '../../../contract/holds/question.ts';
import { emit, type Draft } from './draft.ts';
import { findMessage } from '../../../core/agui/messages.ts';
import { difference } from './state-patch.ts';
import { isObject } from '../../../core/base/json.ts';

/** Activity types of cards, with what the ids of their interrupts begin with; agents' own activities cannot use them. */
const idPrefixes = { HITL_FORM: 'hitl', INPUT_REQUEST: 'input', OPERATOR: 'operator' } as const;

export function cardTypeOf({ kind, dialect }: Pick<Question, 'kind' | 'dialect'>): keyof typeof idPrefixes {
  if (kind === 'operator') return 'OPERATOR';
  return dialect === 'a2a.hitl.form' ? 'HITL_FORM' : 'INPUT_REQUEST';
}

export const idPrefixOf = (question: Pick<Question, 'kind' | 'dialect'>): string => idPrefixes[cardTypeOf(question)];

export const isCardType = (activityType: unknown): boolean =>
  typeof activityType === 'string' && Object.hasOwn(idPrefixes, activityType);

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
