// One task's transition table: every phase answers every fact. Workflow, api and tests share it; nothing else decides.
import type { TaskStart } from '../contract/run.ts';
import { onDecideInHolding, onDecideWithoutHolds } from './door-decide.ts';
import { onRunInHolding, onRunInNew, onRunInTurn, onRunWhileEnding } from './door-run.ts';
import { onCancelInHolding, onCancelInTurn, onAgentStopped } from './task-stop.ts';
import { onHoldsOpened } from './hold-open.ts';
import { onTimePassed } from './hold-time.ts';
import { onTurnDelivered, onTurnDone } from './turn-done.ts';
import type { FactType, Outcome, Phase, TaskFact, TaskState } from './task-state.ts';

type Handler<T extends FactType> = (state: TaskState, fact: Extract<TaskFact, { type: T }>, now: string) => Outcome;

const same = (state: TaskState): Outcome => ({ state, effects: [], reply: { ok: true } });
const later = (state: TaskState): Outcome => ({ state, effects: [], reply: { ok: 'later' } });
const rememberCancel: Handler<'cancel'> = (state, fact) => ({
  state: { ...state, cancel: state.cancel ?? { by: fact.by, reason: fact.reason } },
  effects: [],
  reply: { ok: true },
});

/** Total by type: a phase or fact without an entry does not compile. */
export const transitions: { [P in Phase]: { [T in FactType]: Handler<T> } } = {
  new: {
    run: onRunInNew,
    decide: onDecideWithoutHolds,
    'turn.delivered': same,
    'turn.done': same,
    'holds.opened': same,
    'time.passed': same,
    cancel: rememberCancel,
    'agent.stopped': same,
  },
  turn: {
    run: onRunInTurn,
    decide: onDecideWithoutHolds,
    'turn.delivered': onTurnDelivered,
    'turn.done': onTurnDone,
    'holds.opened': same,
    'time.passed': same,
    cancel: onCancelInTurn,
    'agent.stopped': same,
  },
  opening: {
    run: later,
    decide: later,
    'turn.delivered': same,
    'turn.done': same,
    'holds.opened': onHoldsOpened,
    'time.passed': same,
    cancel: rememberCancel,
    'agent.stopped': same,
  },
  holding: {
    run: onRunInHolding,
    decide: onDecideInHolding,
    'turn.delivered': same,
    'turn.done': same,
    'holds.opened': same,
    'time.passed': onTimePassed,
    cancel: onCancelInHolding,
    'agent.stopped': same,
  },
  stopping: {
    run: onRunWhileEnding,
    decide: onDecideWithoutHolds,
    'turn.delivered': same,
    'turn.done': onTurnDone,
    'holds.opened': same,
    'time.passed': same,
    cancel: rememberCancel,
    'agent.stopped': onAgentStopped,
  },
  leaving: {
    run: onRunWhileEnding,
    decide: onDecideWithoutHolds,
    'turn.delivered': same,
    'turn.done': same,
    'holds.opened': same,
    'time.passed': same,
    cancel: same,
    'agent.stopped': same,
  },
};

/** `(state, fact, now) → { state, effects, reply }`; now is ISO 8601. Never throws on a fact of the right shape. */
export function reduce(state: TaskState, fact: TaskFact, now: string): Outcome {
  // The handler of a fact's own type: TypeScript cannot see that the two indexes agree.
  const handler = transitions[state.phase][fact.type] as Handler<FactType>;
  return handler(state, fact, now);
}

/** A task before its opening run is admitted. */
export function newTask(start: TaskStart): TaskState {
  return {
    version: 1,
    taskId: start.taskId,
    agent: start.agent,
    threadId: start.threadId,
    owner: start.owner,
    phase: 'new',
    status: 'NEW',
    a2aTaskId: start.opening.adopt?.a2aTaskId ?? null,
    contextId: start.contextId,
    turn: 0,
    n: start.opening.adopt?.n ?? 0,
    runId: start.opening.runId,
    opener: 'client',
    isResendAllowed: false,
    send: { what: 'nothing' },
    skipped: [],
    pauseMessageId: null,
    explanation: '',
    questions: [],
    holds: [],
    past: [],
    runs: [],
    cancel: null,
    end: null,
  };
}
