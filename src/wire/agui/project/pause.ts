import type { A2aTaskId, InterruptId } from '../../../contract/base/id-types.ts';
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { Hold } from '../../../contract/holds/hold.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { TaskStatus } from '../../../contract/tasks/task.ts';
import { endedTaskOf } from '../../../core/questions/asks.ts';
import { bindCalls, endBoundCall } from '../cards/bound-call.ts';
import {
  cardContent,
  changeCard,
  liveCards,
  nextStepJson,
  showAnswered,
  showCard,
  type HoldNames,
} from '../cards/cards.ts';
import { closeOpen, failRun, finishRun, restateAll } from './closing.ts';
import { cardTypeOf } from '../model/activity.ts';
import { draftOf, emit, emitState, type Draft, type ProjectContext } from '../model/draft.ts';
import { openInterrupts, type HoldSource } from '../cards/open-holds.ts';
import { shownId } from '../model/message-ids.ts';
import { contentText, findMessage, messageId } from '../../../core/agui/messages.ts';
import { type Projection } from '../model/projection.ts';
import { changeEntry, removePending, setPending } from '../cards/task-entry.ts';
import { cutText, maxTextLength, emitWholeText } from '../model/text.ts';

export interface Pause {
  /** The agent's text; null when there is none new (a ladder step's run, a vote). */
  explanation: string | null;
  explanationMessageId: string;
  holds: Hold[];
  /** Holds of the same pause that are answered while others are still open. */
  staged?: Hold[];
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  publicUrl: string;
  /** True when the reader of this run may decide the hold. */
  mayDecide: (hold: Hold) => boolean;
}

/** The last message of the run, where its words ask: of an agent that asks without a pause. */
function wordsThatAsk(draft: Draft, asked: readonly Hold[], text: string): JsonObject | undefined {
  const latest = draft.p.messages.at(-1);
  const isThere = latest?.['role'] === 'assistant' && contentText(latest).trim() === text.trim();
  return isThere && endedTaskOf(asked.map((hold) => hold.question)) !== undefined ? latest : undefined;
}

/** Emits the final assistant message under the agent's messageId if that is free, and never twice; returns its id. */
function explain(draft: Draft, pause: Pause, asked: readonly Hold[]): string | null {
  if (pause.explanation === null) return null;
  const question = asked[0]?.question;
  const message = [pause.explanation, question?.message ?? '', question?.title ?? ''].find(
    (text) => text.trim() !== '',
  );
  const text = cutText(message ?? 'The agent is waiting for an answer.', maxTextLength);
  const asking = wordsThatAsk(draft, asked, text);
  if (asking !== undefined) return messageId(asking);
  const wanted = shownId(pause.explanationMessageId);
  const there = findMessage(draft.p, wanted);
  if (there !== undefined && there['role'] === 'assistant' && contentText(there) === text) return wanted;
  // A message that only carries tool calls has no text yet.
  const isFree = there === undefined || (there['role'] === 'assistant' && contentText(there) === '');
  const id = isFree && wanted !== '' ? wanted : `${wanted}:explanation`;
  if (contentText(findMessage(draft.p, id) ?? {}) === '') emitWholeText(draft, id, text);
  return id;
}

/** Settles earlier cards: a delivered answer completes its card, a question that is no longer open was withdrawn. */
function settleOthers(
  draft: Draft,
  asked: readonly Hold[],
  staged: readonly Hold[],
  askedCalls: ReadonlySet<string>,
): void {
  for (const hold of staged) showAnswered(draft, hold);
  const open = new Set([...asked, ...staged].map((hold) => hold.interruptId));
  for (const card of liveCards(draft)) {
    if (open.has(card.interruptId)) continue;
    const stage = card.stage === 'working' ? 'completed' : 'withdrawn';
    changeCard(draft, card.interruptId, { stage, nextStep: null });
    endBoundCall(draft, card.interruptId, stage, askedCalls);
  }
}

/** The state at the end of a pausing run, except for what `pauseEvents` adds about the questions. */
export function stateAtPause(p: Projection, ctx: ProjectContext): JsonObject {
  const draft = draftOf(p, ctx);
  closeOpen(draft);
  return draft.state;
}

/**
 * Ends a run in a pause, in the order of docs/spec.md: explanation, cards, STATE_DELTA, STATE_SNAPSHOT,
 * MESSAGES_SNAPSHOT, RUN_FINISHED with every open interrupt.
 *
 * Operator holds are never interrupts: a pause with only those ends with RUN_ERROR `delivery_unknown`.
 */
export function pauseEvents(p: Projection, pause: Pause, ctx: ProjectContext): AguiEvent[] {
  if (p.ended !== 'open') return [];
  const draft = draftOf(p, ctx);
  const names: HoldNames = { taskId: ctx.taskId, a2aTaskId: pause.a2aTaskId, contextId: pause.contextId };
  const source: HoldSource = { ...names, publicUrl: pause.publicUrl, mayDecide: pause.mayDecide };
  const asked = pause.holds
    .filter((hold) => hold.question.kind !== 'operator' && hold.status === 'open')
    .toSorted((a, b) => a.n - b.n);
  const last = asked.at(-1);
  closeOpen(draft);
  if (last === undefined) {
    changeEntry(draft, { ...names, status: 'NEEDS_REVIEW' });
    restateAll(draft);
    const about = pause.explanation ?? pause.holds[0]?.question.message ?? '';
    failRun(draft, 'delivery_unknown', about);
    return draft.events;
  }
  const explainedAs = explain(draft, pause, asked);
  const staged = pause.staged ?? [];
  const calls = bindCalls(draft, { asked, staged }, explainedAs ?? `call:${last.interruptId}`);
  settleOthers(draft, asked, staged, new Set(calls.values()));
  const shown = asked.map((hold) => {
    const toolCallId = calls.get(hold.interruptId);
    const content = cardContent(hold, names);
    return { ...hold, card: toolCallId === undefined ? content : { ...content, toolCallId } };
  });
  for (const { interruptId, question, card } of shown) {
    showCard(draft, { interruptId, activityType: cardTypeOf(question), content: card });
  }
  changeEntry(draft, {
    ...names,
    status: 'NEEDS_REVIEW',
    lastInterruptId: last.interruptId,
    ...(pause.explanation === null ? {} : { summary: pause.explanation }),
  });
  setPending(draft, asked, names);
  restateAll(draft);
  finishRun(draft, { type: 'interrupt', interrupts: openInterrupts(shown, source) });
  return draft.events;
}

/** A ladder step, on the hold's card and as a CUSTOM event; `hold` is its state after the step. */
export function stepEvents(
  p: Projection,
  hold: Hold,
  step: { at: string; do: string; to: string[] },
  ctx: ProjectContext,
): AguiEvent[] {
  if (p.ended !== 'open') return [];
  const draft = draftOf(p, ctx);
  const { interruptId, holdId, audience } = hold;
  const nextStep = nextStepJson(hold.nextStep);
  changeCard(draft, interruptId, { nextStep });
  const value = { interruptId, holdId, at: step.at, do: step.do, to: step.to, audience, nextStep };
  emit(draft, { type: 'CUSTOM', name: 'standfast.step', value });
  return draft.events;
}

/** Ends the cards of questions that the agent no longer waits for; the task continues without them. */
export function withdrawnEvents(
  p: Projection,
  interruptIds: readonly InterruptId[],
  status: TaskStatus,
  ctx: ProjectContext,
): AguiEvent[] {
  if (p.ended !== 'open') return [];
  const draft = draftOf(p, ctx);
  for (const interruptId of interruptIds) {
    changeCard(draft, interruptId, { stage: 'withdrawn', nextStep: null });
    endBoundCall(draft, interruptId, 'withdrawn');
    removePending(draft, interruptId);
  }
  changeEntry(draft, { status });
  emitState(draft);
  return draft.events;
}

/** Talk-back failed to reach the agent: its questions stay open. */
export function talkFailedEvents(
  p: Projection,
  { holds, why }: { holds: readonly Hold[]; why: string },
  ctx: ProjectContext,
): AguiEvent[] {
  if (p.ended !== 'open') return [];
  const draft = draftOf(p, ctx);
  const value = { interruptIds: holds.map(({ interruptId }) => interruptId), why };
  emit(draft, { type: 'CUSTOM', name: 'standfast.talk_failed', value });
  return draft.events;
}
