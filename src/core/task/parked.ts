// A turn that is parked: until a silent agent moves, or until an agent that is away takes its message. What people gave is
// kept for as long as the task may take; then operators decide.
import { carriesAnswers, isAgentsWord } from '../consent/delivery.ts';
import { agentAwayQuestion } from '../questions/delivery-unknown.ts';
import type { Outcome, TaskEvent, TaskState } from './task-state.ts';
import type { TurnOutcome } from '../../contract/tasks/turn.ts';

/** A parked turn resumes at once: with news, a person's message, or its next try. */
export function goOnWithTurn(state: TaskState): Pick<Outcome, 'state' | 'effects'> {
  if (state.parked === null) return { state, effects: [] };
  return { state: { ...state, parked: null, resumes: state.resumes + 1 }, effects: [{ kind: 'turn' }] };
}

/** The turn waits for its agent to be back, or for its next try; no activity runs meanwhile. */
export function awaitAgent(
  state: TaskState,
  { since, again, why, isDelivered, isQueued }: Extract<TurnOutcome, { kind: 'away' }>,
): Outcome {
  const has = isDelivered === true ? { isDelivered, status: 'IN_PROGRESS' as const } : {};
  const parked: TaskState = {
    ...state,
    ...has,
    parked: { for: 'agent', since, again, why, ...(isQueued === true ? { isQueued } : {}) },
    awaySince: isQueued === true ? state.awaySince : since,
  };
  // The agent came back before this was known here.
  if (isWoken(state)) return { ...goOnWithTurn(parked), reply: { ok: true } };
  return { state: parked, effects: [], reply: { ok: true } };
}

const isWoken = ({ woken, turn, resumes }: TaskState): boolean => woken?.turn === turn && woken.resumes === resumes;

/** The next try is due. */
export function onTimeInTurn(
  state: TaskState,
  _event: Extract<TaskEvent, { type: 'time.passed' }>,
  now: string,
): Outcome {
  const isDue = state.parked?.for === 'agent' && state.parked.again <= now;
  return isDue ? { ...goOnWithTurn(state), reply: { ok: true } } : { state, effects: [], reply: { ok: true } };
}

/** A limit passes while the agent has not taken what people gave: operators decide. Null: it is not so. */
export function onLimitOfAnswers(state: TaskState, now: string): Outcome | null {
  const { parked, send, isDelivered } = state;
  if (!carriesAnswers(send) || isDelivered) return null;
  // It is judged when the try that is under way has come to its end.
  if (parked?.for !== 'agent') return { state, effects: [], reply: { ok: true } };
  return askOperators(state, parked, now);
}

/** A turn with answers failed by no word of its agent's: operators decide. Null: it is not so. */
export function onFailedAnswers(
  state: TaskState,
  { code, message }: Extract<TurnOutcome, { kind: 'failed' }>,
  now: string,
): Outcome | null {
  if (!carriesAnswers(state.send) || isAgentsWord(code)) return null;
  return askOperators(state, { since: now, why: message }, now);
}

/** Operators decide, and the answers stay in the turn. */
function askOperators(state: TaskState, away: { since: string; why: string }, now: string): Outcome {
  const question = agentAwayQuestion(state.agent, away);
  return {
    state: {
      ...state,
      phase: 'opening',
      parked: null,
      awaySince: away.since,
      questions: [question],
      explanation: question.message,
    },
    effects: [{ kind: 'openHolds', openedAt: now }],
    reply: { ok: true },
  };
}
