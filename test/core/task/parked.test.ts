// A turn whose agent is away: it parks, is tried again, and what people gave is kept until the agent or an operator ends it.
import { describe, expect, test } from '@jest/globals';
import type { TurnOutcome } from '../../../src/contract/tasks/turn.ts';
import { checkProfile } from '../../../src/core/questions/form-profile.ts';
import { reduce } from '../../../src/core/task/task.ts';
import { nextLimit } from '../../../src/core/task/task-limits.ts';
import type { Outcome, TaskEvent, TaskState } from '../../../src/core/task/task-state.ts';
import { aDecideCommand, aHold, after, anAnswer, aPrincipal, aTask, openedAt } from '../../rigs/factories.ts';

const ids = { a2aTaskId: 'a2a-1', contextId: 'context-1' };
const away: TurnOutcome = { kind: 'away', ...ids, since: after('1m'), again: after('5m'), why: 'connection refused' };
const answers: TaskState['send'] = {
  kind: 'answers',
  answers: [
    {
      interruptId: 'i-1',
      closed: {
        holdId: aHold().holdId,
        status: 'decided',
        decision: null,
        answerFingerprint: 'p',
        votes: [],
        supersededBy: null,
        ended: null,
      },
    },
  ],
};
const turning = aTask({
  phase: 'turn',
  status: 'USER_INPUT_RECEIVED',
  turn: 2,
  n: 1,
  send: answers,
  worked: { ms: 5_000, since: openedAt },
});
const when = (state: TaskState, event: TaskEvent, at: string): Outcome => reduce(state, event, at);
const done = (state: TaskState, outcome: TurnOutcome, at = after('3m')): Outcome =>
  when(state, { type: 'turn.done', outcome, now: at }, at);
const parked = done(turning, away).state;
const limit: TaskEvent = { type: 'limit.passed', limit: 'total' };

describe('a turn whose agent is away', () => {
  // Promise Y81
  test('a turn whose agent is away parks with what it carries, and is tried again when that is due', () => {
    expect(parked).toMatchObject({
      phase: 'turn',
      status: 'USER_INPUT_RECEIVED',
      send: answers,
      awaySince: after('1m'),
      parked: { for: 'agent', since: after('1m'), again: after('5m'), why: 'connection refused' },
    });
    expect(when(parked, { type: 'time.passed' }, after('4m')).effects).toEqual([]);
    const tried = when(parked, { type: 'time.passed' }, after('5m'));
    expect(tried.effects).toEqual([{ kind: 'turn' }]);
    expect(tried.state).toMatchObject({
      turn: 2,
      resumes: 1,
      parked: null,
      isDelivered: false,
      awaySince: after('1m'),
    });
    expect(done(tried.state, away).state).toMatchObject({ send: answers, parked: { for: 'agent' } });
  });

  test('a turn whose agent is away keeps an operator’s leave to send again', () => {
    expect(done({ ...turning, isResendAllowed: true }, away).state.isResendAllowed).toBe(true);
  });

  test('a turn whose agent is away is asked to stop by a cancel like any that is parked', () => {
    const cancelled = when(parked, { type: 'cancel', by: 'olga', reason: 'enough' }, after('4m'));
    expect(cancelled.effects).toEqual([{ kind: 'stopAgent' }]);
  });

  // Promise Y83
  test('a turn whose agent is away for longer than its task may take is asked of operators, with the answers kept', () => {
    const { state, effects } = when(parked, limit, after('4m'));
    expect(effects).toEqual([{ kind: 'openHolds', openedAt: after('4m') }]);
    expect(state).toMatchObject({ phase: 'opening', send: answers, parked: null });
    const [question] = state.questions;
    expect(question).toMatchObject({ kind: 'operator', message: expect.stringContaining('connection refused') });
    expect(question && checkProfile(question.schema)).toEqual({ ok: true });
    const hold = aHold({ n: 2, question: question ?? aHold().question, policy: { audience: ['role:operator'] } });
    const waiting = when(state, { type: 'holds.opened', holds: [hold] }, after('4m')).state;
    const choose = (choice: string): Outcome => {
      const entry = anAnswer(hold, { values: { choice } });
      const command = aDecideCommand(entry, { principal: aPrincipal('opal', 'operator'), receivedAt: after('6m') });
      return when(waiting, { type: 'decide', command }, after('6m'));
    };
    const again = choose('try_again');
    expect(again.effects.map(({ kind }) => kind)).toEqual(['recordDecisions', 'turn']);
    expect(again.state).toMatchObject({
      phase: 'turn',
      turn: 2,
      send: answers,
      isResendAllowed: false,
      isDelivered: false,
      awaySince: null,
      worked: { ms: 0, since: after('6m') },
    });
    const given = choose('give_up');
    expect(given.state).toMatchObject({
      end: { kind: 'failed', code: 'agent_unreachable', message: 'given up by opal' },
    });
  });

  test('a turn whose agent is away and that carries no answers ends with its limit', () => {
    const { state } = when({ ...parked, send: { kind: 'message' } }, limit, after('4m'));
    expect(state).toMatchObject({ phase: 'stopping', cancel: { code: 'agent_silent' } });
  });

  test('a turn whose agent is away is not limited while answers are on their way, and is as soon as they wait', () => {
    const limits = { silenceMs: 60_000, totalMs: 120_000 };
    expect(nextLimit(turning, limits)).toBeNull();
    expect(when(turning, limit, after('4m'))).toEqual({ state: turning, effects: [], reply: { ok: true } });
    expect(nextLimit(parked, limits)).toEqual({ at: after('115s'), limit: 'total' });
    const delivered = when(turning, { type: 'turn.delivered' }, after('4m')).state;
    expect(nextLimit(delivered, limits)).toMatchObject({ limit: 'total' });
  });

  // Promise Y88
  test.each(['agent_unreachable', 'internal'])(
    'a turn with answers that fails by no word of its agent’s (%s) is asked of operators, with the answers kept',
    (code) => {
      const outcome: TurnOutcome = { kind: 'failed', ...ids, code, message: 'out of order' };
      const { state, effects } = done(turning, outcome);
      expect(state).toMatchObject({ phase: 'opening', send: answers });
      expect(effects.map(({ kind }) => kind)).toEqual(['openHolds']);
      expect(done({ ...turning, send: { kind: 'message' } }, outcome).state.status).toBe('FAILED');
    },
  );

  test('a turn with answers that its agent fails ends its task', () => {
    const outcome: TurnOutcome = { kind: 'failed', ...ids, code: 'agent_failed', message: 'no money' };
    expect(done(turning, outcome).state.status).toBe('FAILED');
  });
});
