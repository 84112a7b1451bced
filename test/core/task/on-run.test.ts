import { describe, expect, test } from '@jest/globals';
import type { RunCommand } from '../../../src/contract/tasks/run.ts';
import { reduce } from '../../../src/core/task/task.ts';
import { runsKept, type Outcome, type TaskState } from '../../../src/core/task/task-state.ts';
import {
  aDecideCommand,
  aRunCommand,
  aDeliveryUnknown,
  after,
  aHold,
  anAnswer,
  aPrincipal,
  aRefusal,
  aResume,
  aSuper,
  aTask,
  taskId,
} from '../../rigs/factories.ts';

const enter = (state: TaskState, command: RunCommand, now = after('2m')): Outcome =>
  reduce(state, { type: 'run', command }, now);

describe('a run with a message', () => {
  test('a run with a message opens a task: the first turn carries it', () => {
    const { state, effects, reply } = enter(aTask(), aRunCommand());
    expect(reply).toEqual({ ok: true, run: { runId: 'run-1', kind: 'opened', taskId, skipped: [] } });
    expect(state).toMatchObject({
      phase: 'turn',
      turn: 1,
      runId: 'run-1',
      opener: 'client',
      send: { kind: 'message' },
    });
    expect(effects).toEqual([{ kind: 'turn' }]);
  });

  // Promise CO12
  test('a run with a message goes into a working task in the background, and the task has user input until the agent has it', () => {
    const working = aTask({ phase: 'turn' });
    const { state, effects, reply } = enter(working, aRunCommand({ runId: 'run-2' }));
    expect(reply).toMatchObject({ ok: true, run: { kind: 'injected' } });
    expect(effects).toEqual([{ kind: 'inject', runId: 'run-2', message: null }]);
    // The turn goes on writing its own run.
    expect(state).toMatchObject({ phase: 'turn', status: 'USER_INPUT_RECEIVED', runId: working.runId, turn: 1 });
    expect(reduce(state, { type: 'turn.delivered' }, after('3m')).state.status).toBe('IN_PROGRESS');
  });

  test('a run with a message is refused with interrupts_pending while questions are open, naming them', () => {
    const holds = [aHold({ n: 1, status: 'decided' }), aHold({ n: 2 })];
    expect(enter(aTask({ phase: 'holding', holds }), aRunCommand({ runId: 'run-2' })).reply).toMatchObject({
      ok: false,
      code: 'interrupts_pending',
      data: { open: [holds[1]?.interruptId] },
    });
  });
});

describe('a run with resume', () => {
  const holds = [aHold({ n: 1 }), aHold({ n: 2 })];
  const holding = aTask({ phase: 'holding', holds });
  const [one = aHold(), two = aHold()] = holds;

  test('a run with resume carries all answers to the agent in one turn, in its own run', () => {
    const { state, effects, reply } = enter(holding, aResume([anAnswer(two), anAnswer(one)]));
    expect(reply).toEqual({ ok: true, run: { runId: 'run-2', kind: 'resumed', taskId, skipped: [] } });
    expect(effects).toEqual([{ kind: 'turn' }]);
    expect(state).toMatchObject({
      phase: 'turn',
      status: 'USER_INPUT_RECEIVED',
      turn: 2,
      runId: 'run-2',
      opener: 'client',
      holds: [],
      send: {
        kind: 'answers',
        answers: [
          { interruptId: one.interruptId, closed: { holdId: one.holdId, status: 'decided', decision: { by: 'olga' } } },
          { interruptId: two.interruptId, closed: { holdId: two.holdId, status: 'decided' } },
        ],
      },
    });
  });

  // Promise A1
  test.each([
    ['interrupts_not_covered', [anAnswer(one)], aPrincipal()],
    ['interrupt_unknown', [anAnswer({ interruptId: 'hitl-x-1' })], aPrincipal()],
    ['not_allowed_to_decide', [anAnswer(one), anAnswer(two)], aPrincipal('eve')],
    ['digest_mismatch', [anAnswer(one, { digest: 'sha256:old' }), anAnswer(two)], aPrincipal()],
  ])('a run with resume refused with %s changes nothing', (code, entries, principal) => {
    const { state, effects, reply } = enter(holding, aResume(entries, { principal }));
    expect(reply).toMatchObject({ ok: false, code });
    expect(state).toBe(holding);
    expect(effects).toEqual([]);
  });

  test('a run with resume that comes too late is refused with interrupt_expired before the clock has closed the hold', () => {
    const late = { receivedAt: after('25h') };
    expect(enter(holding, aResume([anAnswer(one), anAnswer(two)], late), after('25h')).reply).toMatchObject({
      code: 'interrupt_expired',
    });
  });

  test('a run with resume after another person decided one hold tells what it skipped', () => {
    const other = aDecideCommand(anAnswer(one, { values: { city: 'Rome' } }));
    const staged = reduce(holding, { type: 'decide', command: other }, after('1m')).state;
    const skipped = [{ interruptId: one.interruptId, code: 'hold_closed' }];
    const { state, reply } = enter(staged, aResume([anAnswer(one), anAnswer(two)]));
    expect(reply).toMatchObject({ ok: true, run: { skipped } });
    expect(state).toMatchObject({
      skipped,
      send: { answers: [{ closed: { decision: { values: { city: 'Rome' } } } }, {}] },
    });
  });

  // Promise CO18
  test('a run with resume that refuses a hold whose refusal cannot be carried stops the task in its own run', () => {
    const { state, effects, reply } = enter(holding, aResume([anAnswer(one), aRefusal(two)]));
    expect(reply).toMatchObject({ ok: true, run: { kind: 'resumed' } });
    expect(state).toMatchObject({ phase: 'stopping', runId: 'run-2', opener: 'client', cancel: { by: 'olga' } });
    expect(effects.map((effect) => effect.kind)).toEqual(['recordDecisions', 'stopAgent']);
  });

  test.each(['turn', 'stopping', 'leaving'] as const)(
    'a run with resume for closed holds finds them closed in phase %s',
    (phase) => {
      const past = enter(holding, aResume([anAnswer(one), anAnswer(two)])).state.past;
      const task = aTask({ phase, past });
      const again = aResume([anAnswer(one)], { runId: 'run-5' });
      const otherwise = aResume([anAnswer(one, { values: { city: 'Rome' } })], { runId: 'run-6' });
      for (const command of [again, otherwise])
        expect(enter(task, command).reply).toMatchObject({ ok: false, code: 'hold_closed' });
    },
  );
});

describe("an operator's hold is not an interrupt", () => {
  const unknown = aDeliveryUnknown({ n: 1 });
  const holding = aTask({ phase: 'holding', holds: [unknown] });
  const choose = anAnswer(unknown, { values: { choice: 'send_again' } });

  test('a resume that names it is refused with interrupt_unknown, even by an operator', () => {
    const { state, reply } = enter(holding, aResume([choose], { principal: aSuper }));
    expect(reply).toMatchObject({ ok: false, code: 'interrupt_unknown' });
    expect(state).toBe(holding);
  });

  test('a resume that names it after it was decided is refused with interrupt_unknown', () => {
    const decided = reduce(
      holding,
      { type: 'decide', command: aDecideCommand(choose, { principal: aSuper }) },
      after('2m'),
    ).state;
    expect(enter(decided, aResume([choose], { principal: aSuper })).reply).toMatchObject({
      ok: false,
      code: 'interrupt_unknown',
    });
  });
});

describe('the same run again', () => {
  test('the same run again gets the same answer and does nothing, whatever the task does meanwhile', () => {
    const first = enter(aTask(), aRunCommand());
    for (const phase of ['turn', 'holding', 'stopping', 'leaving'] as const) {
      const later = aTask({ phase, runs: first.state.runs });
      expect(enter(later, aRunCommand({ receivedAt: after('9m') }))).toEqual({
        state: later,
        effects: [],
        reply: first.reply,
      });
    }
  });

  test('the same run again tells of the entries it skipped the first time', () => {
    const holds = [aHold({ n: 1, status: 'expired' }), aHold({ n: 2 })];
    const command = aResume(holds.map((hold) => anAnswer(hold)));
    const first = enter(aTask({ phase: 'holding', holds }), command);
    expect(first.reply).toMatchObject({ run: { skipped: [{ code: 'interrupt_expired' }] } });
    expect(enter(first.state, command).reply).toEqual(first.reply);
  });

  test('the same run again with another body is refused with run_conflict', () => {
    const { state } = enter(aTask(), aRunCommand());
    expect(enter(state, aRunCommand({ fingerprint: 'print:other' })).reply).toMatchObject({
      ok: false,
      code: 'run_conflict',
    });
  });

  test('the same run again is known among the last runs, and older ones are forgotten', () => {
    let state = aTask({ phase: 'turn' });
    for (let i = 0; i < runsKept; i += 1) state = enter(state, aRunCommand({ runId: `chat-${i}` })).state;
    expect(state.runs).toHaveLength(runsKept);
    expect(state.runs.map(({ runId }) => runId)).not.toContain('run-1');
    expect(enter(state, aRunCommand({ runId: 'chat-0' })).effects).toEqual([]);
  });
});
