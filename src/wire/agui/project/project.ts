// Projects a run's start and each event of the agent. Closing events are elsewhere (pause, end): a paused status's
// message is the explanation and is not streamed here.
import type { A2aTaskId, InterruptId, RunId, ThreadId } from '../../../contract/base/id-types.ts';
import { isEndState, isPausedState } from '../../../contract/tasks/agent-state-names.ts';
import { assertNever } from '../../../core/base/errors.ts';
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { Hold } from '../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import type { Stuck, TaskStatus } from '../../../contract/tasks/task.ts';
import type { A2aState, AgentMessage, TurnEvent } from '../../../contract/tasks/turn.ts';
import { replaceArtifacts, projectToolCalls, writeArtifact, emitFrontendActivities } from '../artifacts/artifact.ts';
import { refuseBoundCall } from '../cards/bound-call.ts';
import { showAnswered, showCard, showStuck, type Card } from '../cards/cards.ts';
import { closeOpen } from './closing.ts';
import { draftOf, emit, emitState, type Draft, type ProjectContext } from '../model/draft.ts';
import { callsMadeIn, type MessageToShow, showMessage } from './message.ts';
import { mergeMessages, restatable, withCards } from './messages.ts';
import { emptyProjection, type Projection } from '../model/projection.ts';
import { startState, stateForTask } from './start-state.ts';
import { a2aTaskIdOf, changeEntry, hasEntry, removePending, stuckShown } from '../cards/task-entry.ts';
import { isAnyOpen, lastEndedText, messageText } from '../model/text.ts';
import { isFunctionResponse } from '../cards/tool-part.ts';

/** The AG-UI version that we speak; never an echo of the client's. */
export const protocolVersion = '1.0';

export interface RunStart {
  threadId: ThreadId;
  runId: RunId;
  parentRunId?: string;
  clientState: Json | undefined;
  /** The state that the thread's last closed run ended with. */
  threadState: JsonObject | null;
  threadMessages: JsonObject[];
  /** Null for a run opened by Standfast, which starts from the thread's own state and messages. */
  clientMessages: JsonObject[] | null;
  /** Ids of those that go to the agent. */
  sentMessages?: string[];
  /** All cards of the thread, oldest first. */
  cards: Card[];
  /** Holds whose answers this run delivers: their cards move to `working`. */
  answered: Hold[];
  /** Entries of `resume` that were skipped. */
  skipped: { interruptId: InterruptId; code: string }[];
  task: { a2aTaskId: A2aTaskId | null; contextId: string | null; status: TaskStatus };
}

/** The thread's messages with current cards, then those that only the client has. */
const startMessages = (start: RunStart): JsonObject[] =>
  restatable(
    mergeMessages(withCards(start.threadMessages, start.cards), start.clientMessages ?? [], start.sentMessages),
  );

/**
 * RUN_STARTED (with the messages that other tabs lack as input), STATE_SNAPSHOT, the thread's cards, answered ones
 * moved to `working`, STATE_DELTA, and a CUSTOM event for each skipped resume entry.
 */
export function runStartEvents(start: RunStart, ctx: ProjectContext): AguiEvent[] {
  const { threadId, runId } = start;
  const draft = draftOf(emptyProjection(threadId, runId), ctx);
  const parent: JsonObject = start.parentRunId === undefined ? {} : { parentRunId: start.parentRunId };
  const messages = startMessages(start);
  const input: JsonObject = messages.length === 0 ? {} : { input: { threadId, runId, messages } };
  emit(draft, { type: 'RUN_STARTED', threadId, runId, protocolVersion, ...parent, ...input });
  const threadState = stateForTask(start.threadState, ctx.taskId);
  const clientState = start.clientMessages === null ? (threadState ?? {}) : start.clientState;
  emit(draft, { type: 'STATE_SNAPSHOT', snapshot: startState(clientState, threadState) });
  draft.state = draft.p.state;
  for (const card of start.cards) showCard(draft, card);
  for (const hold of start.answered) {
    showAnswered(draft, hold);
    refuseBoundCall(draft, hold);
    removePending(draft, hold.interruptId);
  }
  // A message-only reply must not change the state, so the entry waits for the agent's task.
  if (start.task.a2aTaskId !== null) changeEntry(draft, start.task);
  emitState(draft);
  for (const { interruptId, code } of start.skipped) {
    emit(draft, { type: 'CUSTOM', name: 'standfast.entry_skipped', value: { interruptId, code } });
  }
  return draft.events;
}

const isGoingOn = (state: A2aState): boolean => !isPausedState(state) && !isEndState(state);

/** The latest text of the agent that is whole: what it is still writing changes with each token. */
function summaryOf(draft: Draft, state: A2aState, message: AgentMessage | null): string | null {
  const isWriting = isGoingOn(state) && isAnyOpen(draft);
  const text = isWriting || message === null || message.role !== 'agent' ? '' : messageText(message.parts);
  return text === '' ? lastEndedText(draft) : text;
}

function noteTask(
  draft: Draft,
  event: { a2aTaskId: A2aTaskId; contextId: string },
  state: A2aState,
  message: AgentMessage | null,
): void {
  const summary = summaryOf(draft, state, message);
  changeEntry(draft, {
    a2aTaskId: event.a2aTaskId,
    contextId: event.contextId,
    ...(isGoingOn(state) ? { status: 'IN_PROGRESS' } : {}),
    ...(summary === null ? {} : { summary }),
    stuck: null,
  });
  showStuck(draft, null);
}

/** Why the task does not go on, also one that its agent has not met yet; null: it goes on. */
export function stuckEvents(p: Projection, stuck: Stuck | null, ctx: ProjectContext): AguiEvent[] {
  const draft = draftOf(p, ctx);
  if (stuck === null && !hasEntry(draft)) return [];
  changeEntry(draft, { stuck });
  const shown = stuckShown(draft);
  showStuck(draft, shown === null ? null : { ...shown });
  emitState(draft);
  return draft.events;
}

/** The message of a paused status is only emitted as far as the pause does not emit it as a question. */
function projectMessage(
  draft: Draft,
  a2aTaskId: A2aTaskId,
  message: AgentMessage,
  how: Pick<MessageToShow, 'isLive' | 'isQuestion' | 'isPast' | 'callsMade'>,
): void {
  showMessage(draft, message, { ...how, idPrefix: `${a2aTaskId}:status:`, hasTask: true });
}

function onStatus(draft: Draft, event: Extract<TurnEvent, { type: 'status' }>): void {
  const { a2aTaskId, message, state } = event;
  if (message !== null) projectMessage(draft, a2aTaskId, message, { isLive: true, isQuestion: isPausedState(state) });
  if (isEndState(state)) closeOpen(draft);
  noteTask(draft, event, state, message);
}

function onArtifact(draft: Draft, event: Extract<TurnEvent, { type: 'artifact' }>): void {
  const how = { isAppended: event.append, isLast: event.lastChunk };
  if (event.artifact.isQuestion !== true) writeArtifact(draft, event.a2aTaskId, event.artifact, how);
  noteTask(draft, event, 'working', null);
}

/**
 * A whole Task replaces the artifacts gathered so far; unlisted ones stay, because agents omit artifacts from
 * snapshots. Only the difference is emitted.
 */
function onTask(draft: Draft, event: Extract<TurnEvent, { type: 'task' }>): void {
  const { a2aTaskId, message, state } = event;
  // The status message is emitted last, or as a pause's explanation, though some agents list it in the history too.
  const lastUser = event.history.findLastIndex(({ role }) => role === 'user');
  const listed = event.history.filter(({ messageId }) => messageId !== '' && messageId !== message?.messageId);
  const callsMade = callsMadeIn(draft, message === null ? listed : [...listed, message]);
  for (const [index, outgoing] of event.history.entries()) {
    if (outgoing.messageId === '' || outgoing.messageId === message?.messageId) continue;
    projectMessage(draft, a2aTaskId, outgoing, {
      isLive: false,
      isQuestion: false,
      isPast: index < lastUser,
      callsMade,
    });
  }
  const results = event.artifacts.filter(({ isQuestion }) => isQuestion !== true);
  replaceArtifacts(draft, a2aTaskId, results, isEndState(state));
  if (message !== null)
    projectMessage(draft, a2aTaskId, message, {
      isLive: false,
      isQuestion: isPausedState(state),
      callsMade,
    });
  projectLateMessage(draft, event, { lastUser, callsMade });
  noteTask(draft, event, state, message);
}

/** Results that precede their calls in the task. */
function projectLateMessage(
  draft: Draft,
  event: Extract<TurnEvent, { type: 'task' }>,
  { lastUser, callsMade }: { lastUser: number; callsMade: ReadonlySet<string> },
): void {
  const { a2aTaskId, history, message } = event;
  const artifacts = new Map(event.artifacts.map((artifact) => [artifact.artifactId, artifact]));
  for (const artifact of artifacts.values()) projectToolCalls(draft, a2aTaskId, artifact);
  for (const [index, outgoing] of history.entries()) {
    const isReported = outgoing.messageId !== '' && outgoing.messageId !== message?.messageId;
    if (isReported && outgoing.parts.some(isFunctionResponse)) {
      const isPast = index < lastUser;
      const how = { isLive: false, isQuestion: false, isPast, callsMade };
      projectMessage(draft, a2aTaskId, outgoing, how);
    }
  }
}

/**
 * The AG-UI events for one event of the agent; empty for a repeated snapshot or status, another A2A task, and an ended
 * run.
 */
export function turnEvents(p: Projection, event: TurnEvent, ctx: ProjectContext): AguiEvent[] {
  if (p.ended !== 'open' || event.type === 'unknown') return [];
  const draft = draftOf(p, ctx);
  if (event.type === 'message') {
    const how = { idPrefix: `${ctx.taskId}:message:`, isLive: true, isQuestion: false, hasTask: false };
    showMessage(draft, event.message, how);
    return draft.events;
  }
  const known = a2aTaskIdOf(p, ctx.taskId);
  if (known !== null && known !== event.a2aTaskId && known !== ctx.endedTask) return [];
  switch (event.type) {
    case 'task':
      onTask(draft, event);
      break;
    case 'status':
      onStatus(draft, event);
      break;
    case 'artifact':
      onArtifact(draft, event);
      break;
    default:
      assertNever(event);
  }
  // Skipped for most tokens, which leave the state unchanged.
  if (draft.state !== draft.p.state) emitFrontendActivities(draft);
  emitState(draft);
  return draft.events;
}
