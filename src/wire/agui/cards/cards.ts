// A hold's card: an AG-UI activity message whose id is the interrupt id. The first snapshot has every key of its
// content (null when absent), so that later deltas always apply.
import type { A2aTaskId, InterruptId, TaskId } from '../../../contract/base/id-types.ts';
import type { Hold } from '../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { NextStep } from '../../../contract/configuration/policy.ts';
import { tallyOf } from '../../../core/consent/agreement.ts';
import { decisionLabel } from '../../../core/consent/verdict.ts';
import { isCard } from '../model/activity.ts';
import { cardValues, sharedValues } from './card-values.ts';
import { emit, type Draft } from '../model/draft.ts';
import { findMessage, messageId } from '../../../core/agui/messages.ts';
import { type Projection } from '../model/projection.ts';
import { difference } from '../model/state-patch.ts';
import { objectOf, stringOf } from '../../../core/base/json.ts';

export type CardStage = 'awaiting_input' | 'working' | 'completed' | 'expired' | 'cancelled' | 'withdrawn';

/** The card of a hold in a thread. */
export interface Card {
  interruptId: InterruptId;
  activityType: string;
  content: JsonObject;
}

/** Ids of a hold that front ends get. */
export interface HoldNames {
  taskId: TaskId;
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
}

export function nextStepJson(step: NextStep | null): Json {
  return step === null ? null : { at: step.at, do: step.do, to: step.to };
}

/** Votes of a hold: agreements so far and agreements needed. */
export const votesJson = (hold: Hold): JsonObject => ({ ...tallyOf(hold) });

/** Content of an open hold's card. */
export function cardContent(hold: Hold, names: HoldNames): JsonObject {
  return {
    stage: 'awaiting_input',
    taskId: names.taskId,
    a2aTaskId: names.a2aTaskId,
    contextId: names.contextId,
    form: hold.question.form,
    reason: hold.question.message,
    decision: null,
    values: null,
    nextStep: nextStepJson(hold.nextStep),
    votes: votesJson(hold),
    supersedes: hold.supersedes,
    links: hold.question.links.map((link) => ({ ...link })),
    ...(hold.question.kind === 'tool_call' ? { approval: null } : {}),
  };
}

/** The cards in a projection, in order. */
export function cardsOf(p: Projection): Card[] {
  return p.messages.filter(isCard).map((message) => ({
    interruptId: messageId(message),
    activityType: stringOf(message['activityType']),
    content: objectOf(message['content']),
  }));
}

export function cardOf(p: Projection, interruptId: InterruptId): Card | undefined {
  const message = findMessage(p, interruptId);
  return message !== undefined && isCard(message)
    ? cardsOf(p).find((card) => card.interruptId === interruptId)
    : undefined;
}

export function showCard(draft: Draft, { interruptId, activityType, content }: Card): void {
  emit(draft, { type: 'ACTIVITY_SNAPSHOT', messageId: interruptId, activityType, content, replace: true });
}

/** Changes keys of an existing card; emits nothing when they are unchanged. */
export function changeCard(draft: Draft, interruptId: InterruptId, change: JsonObject): void {
  const card = cardOf(draft.p, interruptId);
  if (card === undefined) return;
  const patch = difference(card.content, { ...card.content, ...change });
  if (patch.length === 0) return;
  emit(draft, { type: 'ACTIVITY_DELTA', messageId: interruptId, activityType: card.activityType, patch });
}

/** Shows on the cards of this task whose answers are on their way that it does not go on; null: that it does again. */
export function showStuck(draft: Draft, stuck: JsonObject | null): void {
  for (const { interruptId, activityType, content } of liveCards(draft)) {
    const { stuck: before, ...rest } = content;
    if (content['stage'] !== 'working' || (stuck === null && before === undefined)) continue;
    const patch = difference(content, stuck === null ? rest : { ...rest, stuck });
    if (patch.length > 0) emit(draft, { type: 'ACTIVITY_DELTA', messageId: interruptId, activityType, patch });
  }
}

/** `{by: 'policy:<name>'}` when a policy decided, else empty: only operators may see which person decided. */
export function policyOf({ decision }: Pick<Hold, 'decision'>): JsonObject {
  return decision?.by.startsWith('policy:') === true ? { by: decision.by } : {};
}

/** What a tool call was approved with, including edited arguments; null for a refusal. */
function approvalOf(hold: Hold): JsonObject | null {
  if (decisionLabel(hold) === 'rejected') return null;
  return { values: sharedValues(hold.question, hold.decision?.values ?? {}), ...policyOf(hold) };
}

/** Moves the card to `working`: the answer was accepted and is on its way to the agent. */
export function showAnswered(draft: Draft, hold: Hold): void {
  const { schema, secrets, kind } = hold.question;
  const values = hold.decision?.status === 'resolved' ? cardValues(schema, hold.decision.values, secrets) : null;
  const approval = kind === 'tool_call' ? { approval: approvalOf(hold) } : {};
  const decision = decisionLabel(hold);
  changeCard(draft, hold.interruptId, { stage: 'working', decision, values, nextStep: null, ...approval });
}

/** Cards of the draft's task that have not ended. */
export function liveCards(draft: Draft): (Card & { stage: 'awaiting_input' | 'working' })[] {
  return cardsOf(draft.p).flatMap((card) => {
    const { stage, taskId } = card.content;
    const isLive = taskId === draft.ctx.taskId && (stage === 'awaiting_input' || stage === 'working');
    return isLive ? [{ ...card, stage }] : [];
  });
}
