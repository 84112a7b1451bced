// What the agent's events mean for the turn: which task it is, and whether the turn is over.
import type {
  A2aState,
  AgentMessage,
  NeutralPart,
  TurnEvent,
  TurnOutcome,
  TurnInput,
} from '../../contract/tasks/turn.ts';
import { waitingParts } from '../../wire/a2a/dialects/adk/adk-call.ts';
import { readPause } from '../../wire/a2a/dialects/registry.ts';
import { messageText, type Previous } from '../../wire/a2a/dialects/base/dialect.ts';
import type { Tables } from '../../store/store.ts';

/** The task as this turn knows it. */
export interface TurnView {
  a2aTaskId: string | null;
  contextId: string | null;
  /** Pause that is being answered: seeing it again is no new pause. */
  pauseMessageId: string | null;
  isAnswering: boolean;
  /** The agent was seen in another state than the old pause since we sent. */
  hasMoved: boolean;
  sawMessage: boolean;
  events: number;
  /** What was asked before this turn. */
  previous: readonly Previous[];
  /** What was called since, and waits for people. */
  waiting: readonly NeutralPart[];
}

export function newTurnView(input: {
  a2aTaskId: string | null;
  contextId: string | null;
  pauseMessageId: string | null;
  isAnswering: boolean;
  previous?: readonly Previous[];
}): TurnView {
  return { previous: [], ...input, hasMoved: false, sawMessage: false, events: 0, waiting: [] };
}

/** True when the event is about another task than this turn's. */
export function isOfOtherTask(view: TurnView, event: TurnEvent): boolean {
  return 'a2aTaskId' in event && view.a2aTaskId !== null && event.a2aTaskId !== view.a2aTaskId;
}

export function observe(view: TurnView, event: TurnEvent): TurnView {
  const seen = { ...view, events: view.events + 1 };
  switch (event.type) {
    case 'message':
      return { ...seen, contextId: event.contextId ?? view.contextId, sawMessage: true };
    case 'task':
    case 'status':
      return {
        ...withIds(seen, event),
        hasMoved: view.hasMoved || !isOldPause(view, event),
        waiting: [...view.waiting, ...calledIn(event)].slice(-maxWaiting),
      };
    case 'artifact':
      return { ...withIds(seen, event), hasMoved: true };
    case 'unknown':
      return seen;
    default:
      return event satisfies never;
  }
}

const maxWaiting = 100;

/** Calls that wait, in a message sent with the pause or in those since a person's last message. */
function calledIn(event: Extract<TurnEvent, { type: 'task' | 'status' }>): NeutralPart[] {
  if (event.type === 'status') return isPaused(event.state) ? [] : waitingParts(event.message);
  const since = event.history.findLastIndex(({ role }) => role === 'user');
  return event.history.slice(since + 1).flatMap(waitingParts);
}

function withIds(view: TurnView, event: { a2aTaskId: string; contextId: string }): TurnView {
  return {
    ...view,
    a2aTaskId: event.a2aTaskId,
    contextId: event.contextId === '' ? view.contextId : event.contextId,
  };
}

/**
 * Servers may start the stream after an answer with the task as it stood before (still paused). A pause is known by
 * its status message; without an id, the first one seen before anything else moved is the old one. So is one whose
 * question has gone into the history, where some servers put it as soon as they have an answer (Python's of 0.3).
 */
function isOldPause(view: TurnView, event: Extract<TurnEvent, { type: 'task' | 'status' }>): boolean {
  if (!view.isAnswering || !isPaused(event.state)) return false;
  const messageId = pauseIdOf(event.message);
  if (messageId === null && hasLeftStatus(view, event)) return !view.hasMoved;
  if (messageId !== null || view.pauseMessageId !== null) {
    if (messageId !== view.pauseMessageId) return false;
    // Some agents give all their questions one id. Repeated after something else it is asked again; a task may lag.
    return event.type === 'task' || !view.hasMoved;
  }
  return event.type === 'task' && !view.hasMoved;
}

/** The question that is being answered stands in the task's history, and nothing in its place. */
export function hasLeftStatus({ pauseMessageId }: TurnView, event: TurnEvent): boolean {
  if (event.type !== 'task' || event.message !== null || pauseMessageId === null) return false;
  return event.history.some(({ messageId }) => messageId === pauseMessageId);
}

/** The task stands in the pause that this turn answers, as far as its id tells. */
export function isAnsweredPause({ isAnswering, pauseMessageId }: TurnView, event: TurnEvent): boolean {
  if (event.type !== 'task' || !isAnswering || pauseMessageId === null) return false;
  return isPaused(event.state) && pauseIdOf(event.message) === pauseMessageId;
}

/** As the pause that this turn answers, where pauses have no ids too: nobody has seen the task in another state. */
export function isUntouched({ isAnswering, pauseMessageId }: TurnView, event: TurnEvent): boolean {
  if (event.type !== 'task' || !isAnswering) return false;
  return isPaused(event.state) && pauseIdOf(event.message) === pauseMessageId;
}

/** Some agents leave the id out; then it reaches us as ''. */
const pauseIdOf = (message: AgentMessage | null): string | null =>
  message === null || message.messageId === '' ? null : message.messageId;

const isPaused = (state: A2aState): state is 'input-required' | 'auth-required' =>
  state === 'input-required' || state === 'auth-required';

/** The turn's outcome if this event ends it, else null. `before` is the view before the event was applied. */
export function outcomeOf(before: TurnView, event: TurnEvent): TurnOutcome | null {
  if (event.type !== 'task' && event.type !== 'status') return null;
  const { state, a2aTaskId, message } = event;
  const contextId = event.contextId === '' ? before.contextId : event.contextId;
  if (isPaused(state)) {
    if (isOldPause(before, event)) return null;
    const earlier = [...before.waiting, ...calledIn(event)];
    const { questions, explanation } = readPause({ state, message, a2aTaskId, previous: before.previous, earlier });
    return {
      kind: 'paused',
      a2aTaskId,
      contextId: contextId ?? '',
      state,
      pauseMessageId: pauseIdOf(message),
      explanation,
      questions,
    };
  }
  if (state === 'completed' || state === 'failed' || state === 'rejected' || state === 'canceled') {
    return { kind: 'ended', a2aTaskId, contextId, state, message: messageText(message).slice(0, 2000) };
  }
  return null;
}

/** The user messages an event shows, to see whether the agent keeps our message ids. */
export function showsMessage(event: TurnEvent, messageId: string): boolean {
  return event.type === 'task' && event.history.some((message) => message.messageId === messageId);
}

/** What the task's last pause asked, and what this turn answers it with. */
export async function lastQuestions(tables: Pick<Tables, 'holds'>, { task, send, n }: TurnInput): Promise<Previous[]> {
  // Nothing was asked before.
  if (n === 0) return [];
  const asked = (await tables.holds.ofTask(task.taskId)).filter(({ question }) => question.kind !== 'operator');
  const last = Math.max(0, ...asked.map(({ pause }) => pause.firstN));
  return asked
    .filter(({ pause }) => pause.firstN === last)
    .toSorted((a, b) => a.n - b.n)
    .map(({ question, decision }) => {
      const isAnswered = send.kind === 'answers' && decision?.status === 'resolved';
      return { question, values: isAnswered ? decision.values : null };
    });
}
