// One task's transition table: every phase handles every event. Workflow, api and tests share it; nothing else decides.
import type { TaskStart } from '../../contract/tasks/run.ts';
import { onMovedInHolding, onMovedInTurn } from './agent-moved.ts';
import { onAmendInHolding, onAmendWithoutHolds } from './on-amend.ts';
import { onDecideInHolding, onDecideWithoutHolds } from './on-decide.ts';
import { onMessageInHolding, onMessageInTurn, onMessageWhileEnding } from './on-message.ts';
import { onRunInHolding, onRunInNew, onRunInTurn, onRunWhileEnding } from './on-run.ts';
import { onAgentStopped, onCancelInHolding, onCancelInTurn, onLimitInHolding, onLimitInTurn } from './task-stop.ts';
import { onOverInHolding, onOverInTurn } from './task-over.ts';
import { onHoldsOpened } from './hold-open.ts';
import { onRepeatFound, onTimePassed } from './hold-time.ts';
import { onSupervisorDone } from './supervisors.ts';
import { countWork } from './task-limits.ts';
import { withNotices } from './task-notices.ts';
import { onTimeInTurn } from './parked.ts';
import { onDeliveredInHolding, onDoneInHolding, onTurnDelivered, onTurnDone } from './turn-done.ts';
import type { TaskEventType, Outcome, Phase, TaskEvent, TaskState } from './task-state.ts';

type Handler<T extends TaskEventType> = (
  state: TaskState,
  event: Extract<TaskEvent, { type: T }>,
  now: string,
) => Outcome;

const same = (state: TaskState): Outcome => ({ state, effects: [], reply: { ok: true } });
const later = (state: TaskState): Outcome => ({ state, effects: [], reply: { ok: 'later' } });
const rememberCancel: Handler<'cancel'> = (state, event) => ({
  state: { ...state, cancel: state.cancel ?? { by: event.by, reason: event.reason } },
  effects: [],
  reply: { ok: true },
});

/** What a phase that does not wait for it ignores. */
const unawaited = {
  'turn.delivered': same,
  'turn.done': same,
  'holds.opened': same,
  'agent.moved': same,
  'limit.passed': same,
  'time.passed': same,
  'repeat.found': same,
  'supervisor.done': same,
  'task.over': same,
  'agent.stopped': same,
} satisfies { [T in TaskEventType]?: Handler<T> };

/** Total by type: a phase or event without an entry does not compile. */
export const transitions: { [P in Phase]: { [T in TaskEventType]: Handler<T> } } = {
  new: {
    ...unawaited,
    run: onRunInNew,
    decide: onDecideWithoutHolds,
    amend: onAmendWithoutHolds,
    message: later,
    cancel: rememberCancel,
  },
  turn: {
    ...unawaited,
    run: onRunInTurn,
    decide: onDecideWithoutHolds,
    amend: onAmendWithoutHolds,
    message: onMessageInTurn,
    'turn.delivered': onTurnDelivered,
    'turn.done': onTurnDone,
    'agent.moved': onMovedInTurn,
    'limit.passed': onLimitInTurn,
    'time.passed': onTimeInTurn,
    cancel: onCancelInTurn,
    'task.over': onOverInTurn,
  },
  opening: {
    ...unawaited,
    run: later,
    decide: later,
    amend: later,
    message: later,
    'holds.opened': onHoldsOpened,
    cancel: rememberCancel,
  },
  holding: {
    ...unawaited,
    run: onRunInHolding,
    decide: onDecideInHolding,
    amend: onAmendInHolding,
    message: onMessageInHolding,
    'turn.delivered': onDeliveredInHolding,
    'turn.done': onDoneInHolding,
    'agent.moved': onMovedInHolding,
    'limit.passed': onLimitInHolding,
    'time.passed': onTimePassed,
    'repeat.found': onRepeatFound,
    'supervisor.done': onSupervisorDone,
    cancel: onCancelInHolding,
    'task.over': onOverInHolding,
  },
  stopping: {
    ...unawaited,
    run: onRunWhileEnding,
    decide: onDecideWithoutHolds,
    amend: onAmendWithoutHolds,
    message: onMessageWhileEnding,
    'turn.done': onTurnDone,
    cancel: rememberCancel,
    'agent.stopped': onAgentStopped,
  },
  leaving: {
    ...unawaited,
    run: onRunWhileEnding,
    decide: onDecideWithoutHolds,
    amend: onAmendWithoutHolds,
    message: onMessageWhileEnding,
    cancel: same,
  },
};

/** `(state, event, now) → { state, effects, reply }`; now is ISO 8601. Never throws on an event of the right shape. */
export function reduce(state: TaskState, event: TaskEvent, now: string): Outcome {
  // The handler of this event's type: TypeScript cannot see that the two indexes agree.
  const handler = transitions[state.phase][event.type] as Handler<TaskEventType>;
  const { state: next, effects, reply } = handler(state, event, now);
  if (next === state) return { state, effects, reply };
  return { state: countWork(state, next, now), effects: withNotices(state, next, effects), reply };
}

/** The opener of a task on a thread of another owner. */
function withSpeakers({ owner, opening: { principal } }: TaskStart): string[] {
  const { id, actor } = principal;
  return [...new Set([id, ...(actor === undefined ? [] : [actor])])].filter((one) => one !== owner);
}

/** A task before its opening run is admitted. */
export function newTask(start: TaskStart): TaskState {
  const adoption = start.opening.kind === 'adopt' ? start.opening.adoption : null;
  return {
    version: 1,
    taskId: start.taskId,
    agent: start.agent,
    threadId: start.threadId,
    owner: start.owner,
    phase: 'new',
    status: 'NEW',
    a2aTaskId: adoption?.a2aTaskId ?? null,
    contextId: start.contextId,
    turn: 0,
    resumes: 0,
    isDelivered: false,
    parked: null,
    awaySince: null,
    asking: null,
    worked: { ms: 0, since: null },
    spoke: withSpeakers(start),
    amended: 0,
    note: null,
    n: adoption?.n ?? 0,
    runId: start.opening.runId,
    opener: 'client',
    isResendAllowed: false,
    send: { kind: 'nothing' },
    skipped: [],
    pauseMessageId: null,
    explanation: '',
    questions: [],
    holds: [],
    past: [],
    askedBefore: [],
    messages: [],
    runs: [],
    cancel: null,
    end: null,
  };
}
