// What a turn's outcome does to a task.
import type { TurnOutcome } from '../contract/turn.ts';
import { assertNever } from './assert-never.ts';
import { doubtQuestion } from './doubt.ts';
import type { Outcome, TaskEffect, TaskEnd, TaskFact, TaskState } from './task-state.ts';

type DoneFact = Extract<TaskFact, { type: 'turn.done' }>;

export function onTurnDelivered(state: TaskState): Outcome {
  return { state: { ...state, status: 'IN_PROGRESS' }, effects: [], reply: { ok: true } };
}

export function onTurnDone(state: TaskState, fact: DoneFact): Outcome {
  const { outcome } = fact;
  const bound: TaskState = {
    ...state,
    a2aTaskId: ('a2aTaskId' in outcome ? outcome.a2aTaskId : null) ?? state.a2aTaskId,
    contextId: ('contextId' in outcome ? outcome.contextId : null) ?? state.contextId,
    isResendAllowed: false,
  };
  switch (outcome.kind) {
    case 'paused':
      if (bound.phase === 'stopping') return stopPaused(bound);
      return open(
        {
          ...bound,
          questions: outcome.questions,
          explanation: outcome.explanation,
          pauseMessageId: outcome.pauseMessageId,
        },
        fact.now,
      );
    case 'in-doubt':
      if (bound.phase === 'stopping') return stopPaused(bound);
      return open(
        { ...bound, questions: [doubtQuestion(state.agent, outcome.what)], explanation: outcome.what },
        fact.now,
      );
    case 'already-run':
      return leave(bound, { how: 'already-run' });
    case 'failed':
      if (bound.phase === 'stopping' && bound.cancel !== null) {
        const reason = `${bound.cancel.reason} (not confirmed by the agent: ${outcome.message})`;
        return leave(bound, { how: 'canceled', by: bound.cancel.by, reason });
      }
      return leave(bound, { how: 'failed', code: outcome.code, message: outcome.message });
    case 'ended':
      return leave(bound, endOf(bound, outcome));
    default:
      return assertNever(outcome);
  }
}

function open(state: TaskState, now: string): Outcome {
  return { state: { ...state, phase: 'opening' }, effects: [{ do: 'openHolds', openedAt: now }], reply: { ok: true } };
}

/** The turn ended in a pause after a cancel was asked for: no question is opened, the agent is told to stop. */
function stopPaused(state: TaskState): Outcome {
  return { state, effects: [{ do: 'stopAgent' }], reply: { ok: true } };
}

function leave(state: TaskState, end: TaskEnd): Outcome {
  const effects: TaskEffect[] = [{ do: 'close' }];
  return { state: { ...state, phase: 'leaving', status: statusOf(end), end }, effects, reply: { ok: true } };
}

function endOf(state: TaskState, outcome: Extract<TurnOutcome, { kind: 'ended' }>): TaskEnd {
  switch (outcome.state) {
    case 'completed':
      return { how: 'completed' };
    case 'message-only':
      return { how: 'message-only' };
    case 'failed':
      return { how: 'failed', code: 'agent_failed', message: outcome.message };
    case 'rejected':
      return { how: 'failed', code: 'agent_rejected', message: outcome.message };
    case 'canceled':
      return {
        how: 'canceled',
        by: state.cancel?.by ?? `agent:${state.agent}`,
        reason: state.cancel?.reason ?? outcome.message,
      };
    default:
      return assertNever(outcome.state);
  }
}

export function statusOf(end: TaskEnd): TaskState['status'] {
  switch (end.how) {
    case 'completed':
    case 'message-only':
    case 'already-run':
      return 'DONE';
    case 'refused':
    case 'failed':
      return 'FAILED';
    case 'canceled':
      return 'CANCELED';
    default:
      return assertNever(end);
  }
}
