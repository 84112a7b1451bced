// The agent's task as a turn sees it, event by event: whose it is, and whether a pause is the one that is being answered.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import { isEndState, isPausedState } from '../../contract/tasks/agent-state-names.ts';
import type { AgentMessage, TurnEvent } from '../../contract/tasks/turn.ts';

export type SeenTask = Extract<TurnEvent, { type: 'task' }>;
type Status = Extract<TurnEvent, { type: 'task' | 'status' }>;

/** The task as this turn knows it. */
export interface TurnView {
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  /** Pause that is being answered: seeing it again is not a new pause. */
  pauseMessageId: string | null;
  /** The turn sent into a task that was there: its pause, seen again, is not a new one. */
  isReplying: boolean;
  /** The agent was seen in another state than the old pause since we sent. */
  hasMoved: boolean;
  /** The agent sent a message of its own, in a task or without one. */
  sawMessage: boolean;
}

export function newTurnView(
  known: Pick<TurnView, 'a2aTaskId' | 'contextId' | 'pauseMessageId' | 'isReplying'>,
): TurnView {
  const { a2aTaskId, contextId, pauseMessageId, isReplying } = known;
  return { a2aTaskId, contextId, pauseMessageId, isReplying, hasMoved: false, sawMessage: false };
}

/** A message is the whole reply only where there is no task: in one it is a word between, and the task says how it ends. */
export const isMessageOnly = ({ sawMessage, a2aTaskId }: TurnView): boolean => sawMessage && a2aTaskId === null;

/** True when the event is about another task than this turn's. */
export function isOfOtherTask(view: TurnView, event: TurnEvent): boolean {
  return 'a2aTaskId' in event && view.a2aTaskId !== null && event.a2aTaskId !== view.a2aTaskId;
}

/** The view once this event is known. */
export function observe(view: TurnView, event: TurnEvent): TurnView {
  switch (event.type) {
    case 'message':
      return { ...view, contextId: event.contextId ?? view.contextId, sawMessage: true };
    case 'task':
    case 'status':
      return { ...withIds(view, event), hasMoved: view.hasMoved || !isOldPause(view, event) };
    case 'artifact':
      return { ...withIds(view, event), hasMoved: true };
    case 'unknown':
      return view;
    default:
      return event satisfies never;
  }
}

function withIds(view: TurnView, event: { a2aTaskId: A2aTaskId; contextId: string }): TurnView {
  const contextId = event.contextId === '' ? view.contextId : event.contextId;
  return { ...view, a2aTaskId: event.a2aTaskId, contextId };
}

/**
 * Servers may start the stream after an answer with the task as it stood before (still paused). A pause is known by
 * its status message; without an id, the first one seen before anything else moved is the old one. So is one whose
 * question has gone into the history, where some servers put it as soon as they have an answer (Python's of 0.3).
 */
function isOldPause(view: TurnView, event: Status): boolean {
  if (!view.isReplying || !isPausedState(event.state)) return false;
  const messageId = pauseIdOf(event.message);
  if (messageId === null && hasLeftStatus(view, event)) return !view.hasMoved;
  if (messageId !== null || view.pauseMessageId !== null) {
    if (messageId !== view.pauseMessageId) return false;
    // Some agents give all their questions one id. Repeated after something else it is asked again; a task may lag.
    return event.type === 'task' || !view.hasMoved;
  }
  return event.type === 'task' && !view.hasMoved;
}

/** The question that is being answered is in the task's history, and no other has replaced it. */
export function hasLeftStatus({ pauseMessageId }: TurnView, event: TurnEvent): boolean {
  if (event.type !== 'task' || event.message !== null || pauseMessageId === null) return false;
  return event.history.some(({ messageId }) => messageId === pauseMessageId);
}

/** The task is in the pause that this turn answers, judged by the pause's id. */
export function isAnsweredPause(view: TurnView, event: TurnEvent): boolean {
  return view.pauseMessageId !== null && isUntouched(view, event);
}

/** As the pause that this turn answers, where pauses have no ids too: the task was not seen in another state. */
export function isUntouched({ isReplying, pauseMessageId }: TurnView, event: TurnEvent): boolean {
  if (event.type !== 'task' || !isReplying) return false;
  return isPausedState(event.state) && pauseIdOf(event.message) === pauseMessageId;
}

/** The turn is over with this event. `before`: the view before the event was observed. */
export function endsTurn(before: TurnView, event: TurnEvent): event is Status {
  if (event.type !== 'task' && event.type !== 'status') return false;
  return isPausedState(event.state) ? !isOldPause(before, event) : isEndState(event.state);
}

/** Why this does not answer a request for the task; an agent that never answers one counts as unreachable. */
export function whyNoAnswer(view: TurnView, task: TurnEvent): string | null {
  if (task.type === 'unknown') return `the agent’s answer was not understood: ${task.what}`;
  return isOfOtherTask(view, task) ? 'the agent answered with another task' : null;
}

/**
 * A task that works, or that stays in the pause that was answered, can be watched from outside. A pause without an id is
 * distinguished from the one before it by time alone, which only a turn does.
 */
export function mayPark(view: TurnView, task: TurnEvent): task is SeenTask {
  if (task.type !== 'task' || isOfOtherTask(view, task)) return false;
  return !isPausedState(task.state) || view.pauseMessageId !== null;
}

export const isAtWork = (task: TurnEvent): boolean =>
  task.type === 'task' && (task.state === 'submitted' || task.state === 'working');

/** Some agents leave the id out; then it reaches us as ''. */
export const pauseIdOf = (message: AgentMessage | null): string | null =>
  message === null || message.messageId === '' ? null : message.messageId;
