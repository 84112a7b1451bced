// The whole transition table, pinned: a cell that changes asks "on purpose?".
import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { TurnOutcome } from '../../../src/contract/tasks/turn.ts';
import { newTask, reduce, transitions } from '../../../src/core/task/task.ts';
import { phases, type Outcome, type Phase, type TaskEvent, type TaskState } from '../../../src/core/task/task-state.ts';
import {
  after,
  aDecideCommand,
  aRunCommand,
  aHold,
  anAnswer,
  aPrincipal,
  aQuestion,
  aResume,
  aTask,
  aWord,
  openedAt,
  owner,
  taskId,
} from '../../rigs/factories.ts';

const now = after('1m');
const ids = { a2aTaskId: 'a2a-1', contextId: 'context-1' };
const done = (outcome: TurnOutcome): TaskEvent => ({ type: 'turn.done', outcome, now });
const paused = (questions: Question[]): Extract<TurnOutcome, { kind: 'paused' }> => ({
  kind: 'paused',
  ...ids,
  state: 'input-required',
  pauseMessageId: 'm-1',
  explanation: 'Where to?',
  questions,
});

const events = {
  'run: message': { type: 'run', command: aRunCommand({ runId: 'run-9' }) },
  'run: resume': { type: 'run', command: aResume([anAnswer()]) },
  decide: { type: 'decide', command: aDecideCommand(anAnswer()) },
  'turn.delivered': { type: 'turn.delivered' },
  'turn.done: paused': done(paused([aQuestion()])),
  'turn.done: asked': done({ ...paused([aQuestion()]), opened: [aHold()] }),
  'turn.done: written': done({ kind: 'ended', ...ids, state: 'completed', message: '', isWritten: true }),
  'turn.done: delivery-unknown': done({ kind: 'delivery-unknown', ...ids, what: 'cut off' }),
  'turn.done: completed': done({ kind: 'ended', ...ids, state: 'completed', message: '' }),
  'turn.done: message-only': done({ kind: 'ended', ...ids, state: 'message-only', message: '' }),
  'turn.done: failed': done({ kind: 'ended', ...ids, state: 'failed', message: 'no money' }),
  'turn.done: rejected': done({ kind: 'ended', ...ids, state: 'rejected', message: 'not mine' }),
  'turn.done: canceled': done({ kind: 'ended', ...ids, state: 'canceled', message: '' }),
  'turn.done: unreachable': done({ kind: 'failed', ...ids, code: 'agent_unreachable', message: 'gone' }),
  'turn.done: already-run': done({ kind: 'already-run' }),
  'turn.done: waiting': done({ kind: 'waiting', ...ids, lastEventAt: now }),
  amend: {
    type: 'amend',
    command: { hold: aHold().holdId, principal: aPrincipal(), receivedAt: now, kind: 'withdraw-vote' },
  },
  message: { type: 'message', command: aWord('Why so dear?') },
  'agent.moved: pause': { type: 'agent.moved', kind: 'pause', watchVersion: 1 },
  'agent.moved: turn': { type: 'agent.moved', kind: 'turn', watchVersion: 0 },
  'limit.passed': { type: 'limit.passed', limit: 'total' },
  'holds.opened': { type: 'holds.opened', holds: [aHold()] },
  'time.passed': { type: 'time.passed' },
  'repeat.found': { type: 'repeat.found', holdId: aHold().holdId, index: 0, at: now },
  'supervisor.done': { type: 'supervisor.done', holdId: aHold().holdId, agent: 'judge', call: -1, why: null },
  cancel: { type: 'cancel', by: owner, reason: 'not needed any more' },
  'agent.stopped': { type: 'agent.stopped', state: 'canceled', message: '' },
} satisfies Record<string, TaskEvent>;
type EventName = keyof typeof events;

/** `reply → next phase STATUS: effects`; a cell that leaves the state as it was says only the reply. */
function cell(state: TaskState, event: TaskEvent): string {
  const outcome = reduce(state, event, now);
  const effects = outcome.effects.map((effect) => effect.kind).join(' ');
  const reply = replyWord(outcome.reply);
  if (outcome.state === state && effects === '') return reply;
  return `${reply} → ${outcome.state.phase} ${outcome.state.status}${effects === '' ? '' : `: ${effects}`}`;
}

function replyWord(reply: Outcome['reply']): string {
  if (reply.ok === 'later') return 'later';
  return reply.ok ? 'ok' : reply.code;
}

/** The states of a task: its phases, and two of them while no one, or only the agent, is listened to. */
const situations = {
  ...(Object.fromEntries(phases.map((phase) => [phase, aTask({ phase })])) as Record<Phase, TaskState>),
  'turn, waiting': aTask({ phase: 'turn', parked: { for: 'news', since: openedAt } }),
  'holding, asking': aTask({
    phase: 'holding',
    status: 'IN_PROGRESS',
    holds: [aHold({ asking: true })],
    asking: { messageId: 'word-1', by: owner },
    runId: 'holdpoint-talk',
    opener: 'holdpoint',
  }),
};
type Situation = keyof typeof situations;

const table: Record<Situation, Record<EventName, string>> = {
  new: {
    'run: message': 'ok → turn NEW: turn',
    'run: resume': 'interrupt_unknown',
    decide: 'interrupt_unknown',
    'turn.delivered': 'ok',
    'turn.done: paused': 'ok',
    'turn.done: asked': 'ok',
    'turn.done: written': 'ok',
    'turn.done: delivery-unknown': 'ok',
    'turn.done: completed': 'ok',
    'turn.done: message-only': 'ok',
    'turn.done: failed': 'ok',
    'turn.done: rejected': 'ok',
    'turn.done: canceled': 'ok',
    'turn.done: unreachable': 'ok',
    'turn.done: already-run': 'ok',
    'turn.done: waiting': 'ok',
    amend: 'interrupt_unknown',
    message: 'later',
    'agent.moved: pause': 'ok',
    'agent.moved: turn': 'ok',
    'limit.passed': 'ok',
    'holds.opened': 'ok',
    'time.passed': 'ok',
    'repeat.found': 'ok',
    'supervisor.done': 'ok',
    cancel: 'ok → new NEW',
    'agent.stopped': 'ok',
  },
  turn: {
    'run: message': 'ok → turn USER_INPUT_RECEIVED: inject',
    'run: resume': 'later',
    decide: 'later',
    'turn.delivered': 'ok → turn IN_PROGRESS',
    'turn.done: paused': 'ok → opening IN_PROGRESS: openHolds',
    'turn.done: asked': 'ok → holding NEEDS_REVIEW',
    'turn.done: written': 'ok → leaving DONE',
    'turn.done: delivery-unknown': 'ok → opening IN_PROGRESS: openHolds',
    'turn.done: completed': 'ok → leaving DONE: close',
    'turn.done: message-only': 'ok → leaving DONE: close',
    'turn.done: failed': 'ok → leaving FAILED: close',
    'turn.done: rejected': 'ok → leaving FAILED: close',
    'turn.done: canceled': 'ok → leaving CANCELED: close',
    'turn.done: unreachable': 'ok → leaving FAILED: close',
    'turn.done: already-run': 'ok → leaving DONE: close',
    'turn.done: waiting': 'ok → turn IN_PROGRESS',
    amend: 'later',
    message: 'ok → turn USER_INPUT_RECEIVED: inject',
    'agent.moved: pause': 'ok',
    'agent.moved: turn': 'ok',
    'limit.passed': 'ok → stopping IN_PROGRESS: stopTurn',
    'holds.opened': 'ok',
    'time.passed': 'ok',
    'repeat.found': 'ok',
    'supervisor.done': 'ok',
    cancel: 'ok → stopping IN_PROGRESS: stopTurn',
    'agent.stopped': 'ok',
  },
  opening: {
    'run: message': 'later',
    'run: resume': 'later',
    decide: 'later',
    'turn.delivered': 'ok',
    'turn.done: paused': 'ok',
    'turn.done: asked': 'ok',
    'turn.done: written': 'ok',
    'turn.done: delivery-unknown': 'ok',
    'turn.done: completed': 'ok',
    'turn.done: message-only': 'ok',
    'turn.done: failed': 'ok',
    'turn.done: rejected': 'ok',
    'turn.done: canceled': 'ok',
    'turn.done: unreachable': 'ok',
    'turn.done: already-run': 'ok',
    'turn.done: waiting': 'ok',
    amend: 'later',
    message: 'later',
    'agent.moved: pause': 'ok',
    'agent.moved: turn': 'ok',
    'limit.passed': 'ok',
    'holds.opened': 'ok → holding NEEDS_REVIEW',
    'time.passed': 'ok',
    'repeat.found': 'ok',
    'supervisor.done': 'ok',
    cancel: 'ok → opening IN_PROGRESS',
    'agent.stopped': 'ok',
  },
  holding: {
    'run: message': 'interrupts_pending',
    'run: resume': 'ok → turn USER_INPUT_RECEIVED: turn',
    decide: 'ok → turn USER_INPUT_RECEIVED: turn',
    'turn.delivered': 'ok',
    'turn.done: paused': 'ok',
    'turn.done: asked': 'ok',
    'turn.done: written': 'ok',
    'turn.done: delivery-unknown': 'ok',
    'turn.done: completed': 'ok',
    'turn.done: message-only': 'ok',
    'turn.done: failed': 'ok',
    'turn.done: rejected': 'ok',
    'turn.done: canceled': 'ok',
    'turn.done: unreachable': 'ok',
    'turn.done: already-run': 'ok',
    'turn.done: waiting': 'ok',
    amend: 'ok',
    message: 'ok → holding USER_INPUT_RECEIVED: amendHolds turn',
    'agent.moved: pause': 'ok → turn IN_PROGRESS: recordDecisions turn',
    'agent.moved: turn': 'ok',
    'limit.passed': 'ok',
    'holds.opened': 'ok',
    'time.passed': 'ok',
    'repeat.found': 'ok',
    'supervisor.done': 'ok',
    cancel: 'ok → stopping USER_INPUT_RECEIVED: recordDecisions stopAgent',
    'agent.stopped': 'ok',
  },
  stopping: {
    'run: message': 'busy',
    'run: resume': 'later',
    decide: 'later',
    'turn.delivered': 'ok',
    'turn.done: paused': 'ok → stopping IN_PROGRESS: stopAgent',
    'turn.done: asked': 'ok → stopping USER_INPUT_RECEIVED: recordDecisions stopAgent',
    'turn.done: written': 'ok → leaving DONE: close',
    'turn.done: delivery-unknown': 'ok → stopping IN_PROGRESS: stopAgent',
    'turn.done: completed': 'ok → leaving DONE: close',
    'turn.done: message-only': 'ok → leaving DONE: close',
    'turn.done: failed': 'ok → leaving FAILED: close',
    'turn.done: rejected': 'ok → leaving FAILED: close',
    'turn.done: canceled': 'ok → leaving CANCELED: close',
    'turn.done: unreachable': 'ok → leaving CANCELED: close',
    'turn.done: already-run': 'ok → leaving DONE: close',
    'turn.done: waiting': 'ok → stopping IN_PROGRESS: stopAgent',
    amend: 'later',
    message: 'busy',
    'agent.moved: pause': 'ok',
    'agent.moved: turn': 'ok',
    'limit.passed': 'ok',
    'holds.opened': 'ok',
    'time.passed': 'ok',
    'repeat.found': 'ok',
    'supervisor.done': 'ok',
    cancel: 'ok → stopping IN_PROGRESS',
    'agent.stopped': 'ok → leaving CANCELED: close',
  },
  'turn, waiting': {
    'run: message': 'ok → turn USER_INPUT_RECEIVED: inject turn',
    'run: resume': 'interrupt_unknown',
    decide: 'interrupt_unknown',
    'turn.delivered': 'ok → turn IN_PROGRESS',
    'turn.done: paused': 'ok → opening IN_PROGRESS: openHolds',
    'turn.done: asked': 'ok → holding NEEDS_REVIEW',
    'turn.done: written': 'ok → leaving DONE',
    'turn.done: delivery-unknown': 'ok → opening IN_PROGRESS: openHolds',
    'turn.done: completed': 'ok → leaving DONE: close',
    'turn.done: message-only': 'ok → leaving DONE: close',
    'turn.done: failed': 'ok → leaving FAILED: close',
    'turn.done: rejected': 'ok → leaving FAILED: close',
    'turn.done: canceled': 'ok → leaving CANCELED: close',
    'turn.done: unreachable': 'ok → leaving FAILED: close',
    'turn.done: already-run': 'ok → leaving DONE: close',
    'turn.done: waiting': 'ok → turn IN_PROGRESS',
    amend: 'interrupt_unknown',
    message: 'ok → turn USER_INPUT_RECEIVED: inject turn',
    'agent.moved: pause': 'ok',
    'agent.moved: turn': 'ok → turn IN_PROGRESS: turn',
    'limit.passed': 'ok → stopping IN_PROGRESS: stopAgent',
    'holds.opened': 'ok',
    'time.passed': 'ok',
    'repeat.found': 'ok',
    'supervisor.done': 'ok',
    cancel: 'ok → stopping IN_PROGRESS: stopAgent',
    'agent.stopped': 'ok',
  },
  'holding, asking': {
    'run: message': 'interrupts_pending',
    'run: resume': 'later',
    decide: 'later',
    'turn.delivered': 'ok → holding IN_PROGRESS',
    'turn.done: paused': 'ok → opening IN_PROGRESS: openHolds',
    'turn.done: asked': 'ok → opening IN_PROGRESS: openHolds',
    'turn.done: written': 'ok → leaving DONE: close',
    'turn.done: delivery-unknown': 'ok → holding NEEDS_REVIEW: amendHolds',
    'turn.done: completed': 'ok → leaving DONE: close',
    'turn.done: message-only': 'ok → leaving DONE: close',
    'turn.done: failed': 'ok → leaving FAILED: close',
    'turn.done: rejected': 'ok → leaving FAILED: close',
    'turn.done: canceled': 'ok → leaving CANCELED: close',
    'turn.done: unreachable': 'ok → holding NEEDS_REVIEW: amendHolds',
    'turn.done: already-run': 'ok → holding NEEDS_REVIEW: amendHolds',
    'turn.done: waiting': 'ok → holding IN_PROGRESS',
    amend: 'ok',
    message: 'busy',
    'agent.moved: pause': 'ok',
    'agent.moved: turn': 'ok',
    'limit.passed': 'ok → stopping USER_INPUT_RECEIVED: recordDecisions stopTurn',
    'holds.opened': 'ok',
    'time.passed': 'ok',
    'repeat.found': 'ok',
    'supervisor.done': 'ok',
    cancel: 'ok → stopping USER_INPUT_RECEIVED: recordDecisions stopTurn',
    'agent.stopped': 'ok',
  },
  leaving: {
    'run: message': 'busy',
    'run: resume': 'hold_closed',
    decide: 'hold_closed',
    'turn.delivered': 'ok',
    'turn.done: paused': 'ok',
    'turn.done: asked': 'ok',
    'turn.done: written': 'ok',
    'turn.done: delivery-unknown': 'ok',
    'turn.done: completed': 'ok',
    'turn.done: message-only': 'ok',
    'turn.done: failed': 'ok',
    'turn.done: rejected': 'ok',
    'turn.done: canceled': 'ok',
    'turn.done: unreachable': 'ok',
    'turn.done: already-run': 'ok',
    'turn.done: waiting': 'ok',
    amend: 'hold_closed',
    message: 'busy',
    'agent.moved: pause': 'ok',
    'agent.moved: turn': 'ok',
    'limit.passed': 'ok',
    'holds.opened': 'ok',
    'time.passed': 'ok',
    'repeat.found': 'ok',
    'supervisor.done': 'ok',
    cancel: 'ok',
    'agent.stopped': 'ok',
  },
};

describe('the transition table of a task', () => {
  const names = Object.keys(events) as EventName[];
  const cells = (Object.keys(situations) as Situation[]).flatMap((where) =>
    names.map((name) => [where, name] as const),
  );
  test.each(cells)('the transition table of a task in phase %s the fact "%s" has one outcome', (where, name) => {
    expect(cell(situations[where], events[name])).toBe(table[where][name]);
  });

  test('every phase answers every kind of fact, and the pins speak of all of them', () => {
    const kinds = [...new Set(Object.values(events).map((event) => event.type))].toSorted();
    expect(Object.keys(transitions).toSorted()).toEqual([...phases].toSorted());
    for (const handlers of Object.values(transitions)) expect(Object.keys(handlers).toSorted()).toEqual(kinds);
  });
});

describe('a new task', () => {
  test('a new task is accepted, has sent nothing, and keeps the context its thread is bound to', () => {
    const state = newTask({
      version: 1,
      taskId,
      agent: 'expenses',
      threadId: 't-1',
      owner,
      opening: aRunCommand(),
      contextId: 'bound',
      limits: { silenceMs: null, totalMs: null },
      restartOf: null,
      publicUrl: '',
    });
    expect(state).toMatchObject({
      phase: 'new',
      status: 'NEW',
      turn: 0,
      n: 0,
      contextId: 'bound',
      runs: [],
      end: null,
    });
  });
});
