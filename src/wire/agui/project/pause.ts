import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { Hold } from '../../../contract/holds/hold.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { TaskStatus } from '../../../contract/tasks/task.ts';
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
import { draftOf, emit, emitState, type Draft, type ProjectContext } from '../model/draft.ts';
import { openInterrupts, type HoldSource } from '../cards/open-holds.ts';
import { shownId } from '../model/message-ids.ts';
import { contentText, findMessage, type Projection } from '../model/projection.ts';
import { changeEntry, removePending, setPending } from '../cards/task-entry.ts';
import { cutText, maxTextLength, emitWholeText } from '../model/text.ts';

export interface Pause {
  /** The agent's text; null when there is nothing new (a ladder step's run, a staged vote). */
  explanation: string | null;
  explanationMessageId: string;
  /** All open holds of the task. */
  holds: Hold[];
  /** Holds of the same pause whose answers were taken and wait for the rest. */
  staged?: Hold[];
  a2aTaskId: string | null;
  contextId: string | null;
  publicUrl: string;
  /** Whether the reader of this run may decide the hold. */
  mayDecide: (hold: Hold) => boolean;
}

/** The final assistant message; under the agent's messageId if that is free, and not twice. Returns its id. */
function explain(draft: Draft, pause: Pause, asked: readonly Hold[]): string | null {
  if (pause.explanation === null) return null;
  const question = asked[0]?.question;
  const message = [pause.explanation, question?.message ?? '', question?.title ?? ''].find(
    (text) => text.trim() !== '',
  );
  const text = cutText(message ?? 'The agent is waiting for an answer.', maxTextLength);
  const wanted = shownId(pause.explanationMessageId);
  const there = findMessage(draft.p, wanted);
  if (there !== undefined && there['role'] === 'assistant' && contentText(there) === text) return wanted;
  // A message that so far only carries tool calls has no words yet.
  const isFree = there === undefined || (there['role'] === 'assistant' && contentText(there) === '');
  const id = isFree && wanted !== '' ? wanted : `${wanted}:explanation`;
  if (contentText(findMessage(draft.p, id) ?? {}) === '') emitWholeText(draft, id, text);
  return id;
}

/** Earlier cards: an answer that was carried is completed; a question that is not open any more was withdrawn. */
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

/** The state that a run pausing here ends with, but for what `pauseEvents` says of the questions. */
export function stateAtPause(p: Projection, ctx: ProjectContext): JsonObject {
  const draft = draftOf(p, ctx);
  closeOpen(draft);
  return draft.state;
}

/**
 * Ends a run in a pause, in the order of docs/spec.md: the explanation as a message; the cards; the change of state;
 * STATE_SNAPSHOT; MESSAGES_SNAPSHOT; RUN_FINISHED with every open interrupt.
 *
 * An operator's hold is never an interrupt: a pause of such holds alone ends RUN_ERROR `send_in_doubt`.
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
    failRun(draft, 'send_in_doubt', about);
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
    showCard(draft, { interruptId, activityType: question.activityType, content: card });
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

/** A ladder step that was taken, on the hold's card and as a CUSTOM event; `hold` is as the step left it. */
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
  emit(draft, { type: 'CUSTOM', name: 'holdpoint.step', value });
  return draft.events;
}

/** Questions that the agent waits for no longer: their cards end, and the task goes on without them. */
export function withdrawnEvents(
  p: Projection,
  interruptIds: readonly string[],
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

/** A person's word did not reach the agent: its questions stand as they did. */
export function talkFailedEvents(
  p: Projection,
  { holds, why }: { holds: readonly Hold[]; why: string },
  ctx: ProjectContext,
): AguiEvent[] {
  if (p.ended !== 'open') return [];
  const draft = draftOf(p, ctx);
  const value = { interruptIds: holds.map(({ interruptId }) => interruptId), why };
  emit(draft, { type: 'CUSTOM', name: 'holdpoint.talk_failed', value });
  return draft.events;
}
