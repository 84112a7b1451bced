// The effect of a turn's outcome on its task.
import type { OpenedHold } from '../../contract/tasks/activity.ts';
import type { TurnOutcome } from '../../contract/tasks/turn.ts';
import { assertNever } from '../base/errors.ts';
import { agentGoneQuestion, unconfirmedQuestion } from '../questions/delivery-unknown.ts';
import { awaitAgent, onFailedAnswers } from './parked.ts';
import { goOn } from './hold-close.ts';
import { onHoldsOpened, openedHolds } from './hold-open.ts';
import { endOpen } from './hold-end.ts';
import { endOfStop } from './task-stop.ts';
import {
  type Outcome,
  type TaskEffect,
  type TaskEnd,
  type TaskEvent,
  type TaskState,
  openHoldsOf,
} from './task-state.ts';

type DoneEvent = Extract<TaskEvent, { type: 'turn.done' }>;

export function onTurnDelivered(state: TaskState): Outcome {
  return {
    state: { ...state, status: 'IN_PROGRESS', isDelivered: true, awaySince: null },
    effects: [],
    reply: { ok: true },
  };
}

/** The state with the ids that the turn learned from the agent. */
const bind = (state: TaskState, outcome: TurnOutcome): TaskState => ({
  ...state,
  a2aTaskId: ('a2aTaskId' in outcome ? outcome.a2aTaskId : null) ?? state.a2aTaskId,
  contextId: ('contextId' in outcome ? outcome.contextId : null) ?? state.contextId,
  isResendAllowed: false,
  awaySince: null,
});

/** The agent has the message and is silent for so long that the turn parks; a watch reports when it moves. */
function wait(state: TaskState, since: string): Outcome {
  return {
    state: {
      ...state,
      status: 'IN_PROGRESS',
      isDelivered: true,
      parked: { for: 'news', since },
      awaySince: null,
    },
    effects: [],
    reply: { ok: true },
  };
}

export function onDeliveredInHolding(state: TaskState): Outcome {
  return state.asking === null ? { state, effects: [], reply: { ok: true } } : onTurnDelivered(state);
}

/** The agent's reply in talk-back. */
export function onDoneInHolding(state: TaskState, event: DoneEvent): Outcome {
  if (state.asking === null) return { state, effects: [], reply: { ok: true } };
  const { outcome } = event;
  const bound = bind(state, outcome);
  switch (outcome.kind) {
    case 'paused': {
      // The same pause as before: the agent did not take the message.
      if (outcome.pauseMessageId !== null && outcome.pauseMessageId === state.pauseMessageId)
        return stay(bound, 'the agent did not take it', event.now);
      const { questions, explanation, pauseMessageId } = outcome;
      const holds = withdrawn(bound, 'superseded', event.now);
      return open({ ...bound, holds, questions, explanation, pauseMessageId }, event.now);
    }
    case 'waiting':
      return wait(bound, outcome.lastEventAt);
    case 'ended':
      return leave(
        { ...bound, asking: null, holds: withdrawn(bound, 'withdrawn', event.now) },
        turnEnd(bound, outcome),
      );
    case 'away':
      return stay(bound, outcome.why, event.now);
    case 'agent-gone':
      return stay(bound, 'it is not in the configuration any more', event.now);
    case 'delivery-unknown':
      return stay(bound, outcome.what, event.now);
    case 'failed':
      return stay(bound, outcome.message, event.now);
    case 'already-run':
      return stay(bound, 'its run is another task’s', event.now);
    default:
      return assertNever(outcome);
  }
}

function withdrawn(state: TaskState, why: 'superseded' | 'withdrawn', at: string): TaskState['holds'] {
  return state.holds.map((hold) => endOpen(hold, 'withdrawn', { by: `agent:${state.agent}`, at, why }));
}

/** Whether the agent has the message is unknown: the questions stay as they were, and people are notified. */
function stay(state: TaskState, why: string, now: string): Outcome {
  const holdIds = openHoldsOf(state).map(({ holdId }) => holdId);
  const { runId, opener } = state;
  const next: TaskState = {
    ...state,
    asking: null,
    parked: null,
    note: `the agent could not be asked: ${why}`,
    holds: state.holds.map((hold) => ({ ...hold, asking: false })),
  };
  const carrier = { runId, opener, skipped: [] };
  // A timer has answered in the meantime: that answer goes to the agent now.
  if (holdIds.length === 0) return { ...goOn(next, now, carrier, []), reply: { ok: true } };
  return {
    state: { ...next, status: 'NEEDS_REVIEW' },
    effects: [{ kind: 'amendHolds', holdIds, run: carrier, failed: why }],
    reply: { ok: true },
  };
}

export function onTurnDone(state: TaskState, event: DoneEvent): Outcome {
  const { outcome } = event;
  const bound = bind(state, outcome);
  switch (outcome.kind) {
    case 'paused':
      if (outcome.opened !== undefined) return opened(bound, outcome, outcome.opened, event.now);
      if (bound.phase === 'stopping') return stopPaused(bound);
      return open(
        {
          ...bound,
          questions: outcome.questions,
          explanation: outcome.explanation,
          pauseMessageId: outcome.pauseMessageId,
        },
        event.now,
      );
    case 'agent-gone': {
      if (bound.phase === 'stopping') return stopPaused(bound);
      const question = agentGoneQuestion(state.agent);
      return open({ ...bound, questions: [question], explanation: question.message }, event.now);
    }
    case 'delivery-unknown':
      if (bound.phase === 'stopping') return stopPaused(bound);
      return open(
        { ...bound, questions: [unconfirmedQuestion(state.agent, outcome.what)], explanation: outcome.what },
        event.now,
      );
    case 'already-run':
      return leave(bound, { kind: 'already-run' });
    case 'failed':
      if (bound.phase === 'stopping' && bound.cancel !== null)
        return leave(bound, endOfStop(bound.cancel, ` (not confirmed by the agent: ${outcome.message})`));
      return (
        onFailedAnswers(bound, outcome, event.now) ??
        leave(bound, { kind: 'failed', code: outcome.code, message: outcome.message })
      );
    case 'ended': {
      const end = turnEnd(bound, outcome);
      // Requests that came in the meantime are not in what the turn wrote.
      const isWritten = outcome.isWritten === true && bound.phase === 'turn';
      return isWritten ? { ...leave(bound, end), effects: [] } : leave(bound, end);
    }
    case 'waiting':
      return bound.phase === 'stopping' ? stopPaused(bound) : wait(bound, outcome.lastEventAt);
    case 'away':
      // An operator's "send again" is still to be done.
      return bound.phase === 'stopping'
        ? stopPaused(bound)
        : awaitAgent({ ...bound, isResendAllowed: state.isResendAllowed, awaySince: state.awaySince }, outcome);
    default:
      return assertNever(outcome);
  }
}

/** The turn wrote its questions with this outcome: they open, or end at once if a cancel came in the meantime. */
function opened(
  state: TaskState,
  { questions, pauseMessageId }: Extract<TurnOutcome, { kind: 'paused' }>,
  holds: OpenedHold[],
  now: string,
): Outcome {
  return onHoldsOpened(
    { ...state, pauseMessageId },
    { type: 'holds.opened', holds: openedHolds(holds, questions) },
    now,
  );
}

function open(state: TaskState, now: string): Outcome {
  return {
    state: { ...state, phase: 'opening', parked: null },
    effects: [{ kind: 'openHolds', openedAt: now }],
    reply: { ok: true },
  };
}

/** The turn ended in a pause after a cancel: no question is opened, and the agent is asked to cancel. */
function stopPaused(state: TaskState): Outcome {
  return { state, effects: [{ kind: 'stopAgent' }], reply: { ok: true } };
}

function leave(state: TaskState, end: TaskEnd): Outcome {
  const effects: TaskEffect[] = [{ kind: 'close' }];
  return { state: { ...state, phase: 'leaving', status: statusOf(end), end }, effects, reply: { ok: true } };
}

type Ended = Extract<TurnOutcome, { kind: 'ended' }>;

const turnEnd = (state: TaskState, outcome: Ended): TaskEnd =>
  agentsEnd(outcome) ?? endOfStop(state.cancel ?? { by: `agent:${state.agent}`, reason: outcome.message });

/** The end of a task that its agent ended; null if it was cancelled by anybody. */
export function agentsEnd(outcome: Ended): Extract<TaskEnd, { kind: 'completed' | 'message-only' | 'failed' }> | null {
  switch (outcome.state) {
    case 'completed':
      return { kind: 'completed' };
    case 'message-only':
      return { kind: 'message-only' };
    case 'failed':
      return { kind: 'failed', code: 'agent_failed', message: outcome.message };
    case 'rejected':
      return { kind: 'failed', code: 'agent_rejected', message: outcome.message };
    case 'canceled':
      return null;
    default:
      return assertNever(outcome.state);
  }
}

export function statusOf(end: TaskEnd): TaskState['status'] {
  switch (end.kind) {
    case 'completed':
    case 'message-only':
    case 'already-run':
      return 'DONE';
    case 'refused':
    case 'failed':
      return 'FAILED';
    case 'canceled':
      return 'CANCELED';
    case 'ended-before':
      return end.status;
    default:
      return assertNever(end);
  }
}
