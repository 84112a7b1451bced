import { describe, expect, test } from '@jest/globals';
import type { AnswerEntry } from '../../../src/contract/holds/decision.ts';
import { ownRunIdOf } from '../../../src/core/base/ids.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskState } from '../../../src/core/task/task-state.ts';
import { aDecideCommand, after, aHold, anAnswer, aPrincipal, aRefusal, aTask, taskId } from '../../rigs/factories.ts';

const holds = [aHold({ n: 1 }), aHold({ n: 2 })];
const [one = aHold(), two = aHold()] = holds;
const holding = aTask({ phase: 'holding', holds });
const decide = (state: TaskState, entry: AnswerEntry, now = after('2m'), principal = aPrincipal()): Outcome =>
  reduce(state, { type: 'decide', command: aDecideCommand(entry, { principal, receivedAt: now }) }, now);
const rome = { values: { city: 'Rome' } };

describe('a decision', () => {
  const decision = {
    by: 'olga',
    at: after('2m'),
    status: 'resolved',
    values: { city: 'Paris' },
    reason: null,
    source: 'rest',
    seenDigest: null,
    credential: null,
    actor: null,
    as: ['owner'],
    digest: one.digest,
  };
  const votes = { have: 1, need: 1 };

  test('a decision on one of two holds is recorded, and the task goes on asking for the other', () => {
    const { state, effects, reply } = decide(holding, anAnswer(one));
    expect(reply).toEqual({
      ok: true,
      decide: { holdId: one.holdId, decision, votes, isRepeat: false, taskStatus: 'NEEDS_REVIEW' },
    });
    expect(state).toMatchObject({
      phase: 'holding',
      status: 'NEEDS_REVIEW',
      holds: [{ status: 'decided', nextStep: null }, two],
    });
    expect(effects).toMatchObject([{ kind: 'recordDecisions', holds: [{ holdId: one.holdId, decision }], run: null }]);
  });

  test('a decision on the last open hold is reported with its values, and carries all answers in a run by Standfast', () => {
    const { state, effects, reply } = decide(aTask({ phase: 'holding' }), anAnswer(one));
    expect(reply).toEqual({
      ok: true,
      decide: { holdId: one.holdId, decision, votes, isRepeat: false, taskStatus: 'USER_INPUT_RECEIVED' },
    });
    expect(state).toMatchObject({ phase: 'turn', turn: 2, runId: ownRunIdOf(taskId, 'turn-2'), opener: 'standfast' });
    expect(effects).toEqual([{ kind: 'turn' }]);
  });

  test('a decision may name the hold by its own id', () => {
    expect(decide(holding, { ...anAnswer(one), hold: one.holdId }).reply).toMatchObject({
      decide: { holdId: one.holdId },
    });
  });

  test('a decision on an unknown hold is refused with interrupt_unknown', () => {
    expect(decide(holding, anAnswer({ interruptId: 'hitl-x-1' })).reply).toMatchObject({ code: 'interrupt_unknown' });
  });

  test('a decision that refuses, where the agent can be sent no refusal, answers that the task is no longer in review', () => {
    expect(decide(aTask({ phase: 'holding' }), aRefusal(one, 'no')).reply).toMatchObject({
      ok: true,
      decide: { decision: { status: 'cancelled', reason: 'no', values: {} }, taskStatus: 'USER_INPUT_RECEIVED' },
    });
  });
});

// Promise T1
describe('the record of a decision', () => {
  const ana = { ...aPrincipal(), credential: 'key:ana-2', actor: 'shop' };
  const record = { seenDigest: one.digest, credential: 'key:ana-2', actor: 'shop' };

  test('the record of a decision keeps the digest that was seen and the one that was asked, the key, and the back end that spoke', () => {
    const { reply } = decide(holding, anAnswer(one, { digest: one.digest }), after('2m'), ana);
    expect(reply).toMatchObject({ decide: { decision: { digest: one.digest, ...record } } });
    expect(decide(holding, anAnswer(one)).reply).toMatchObject({
      decide: { decision: { digest: one.digest, seenDigest: null, credential: null, actor: null } },
    });
  });

  test('the record of a decision keeps the same of each vote', () => {
    const careful = aHold({ policy: { quorum: 2 } });
    const { state } = decide(
      aTask({ phase: 'holding', holds: [careful] }),
      anAnswer(careful, { digest: one.digest }),
      after('2m'),
      ana,
    );
    expect(state.holds[0]?.votes).toMatchObject([{ by: 'olga', ...record }]);
  });
});

// Promise T2
describe('a question whose policy requires the digest', () => {
  const strict = aHold({ policy: { requireDigest: true } });
  const state = aTask({ phase: 'holding', holds: [strict] });

  test('a question whose policy requires the digest takes no answer without it, by whatever way, and stays open', () => {
    for (const source of ['rest', 'signal', 'chat', 'resume'] as const) {
      const command = aDecideCommand(anAnswer(strict), { source });
      const outcome = reduce(state, { type: 'decide', command }, after('2m'));
      expect(outcome.reply).toMatchObject({ ok: false, code: 'digest_required' });
      expect(outcome.state).toBe(state);
    }
  });

  test('a question whose policy requires the digest takes one that names it, and none that names another', () => {
    expect(decide(state, anAnswer(strict, { digest: strict.digest })).reply).toMatchObject({ ok: true });
    expect(decide(state, anAnswer(strict, { digest: 'sha256:other' })).reply).toMatchObject({
      code: 'digest_mismatch',
    });
  });
});

describe('a second decision', () => {
  const staged = decide(holding, anAnswer(one)).state;
  const carried = decide(staged, anAnswer(two)).state;
  const ended = { ...carried, phase: 'leaving' as const };

  test.each([
    ['while the other hold is open', staged],
    ['once the answers are on their way', carried],
    ['once the task has ended', ended],
  ])('a second decision that differs is refused with hold_closed %s', (_, state) => {
    expect(decide(state, anAnswer(one, rome))).toMatchObject({
      state,
      effects: [],
      reply: { ok: false, code: 'hold_closed' },
    });
  });

  // Promise O6
  test.each([
    ['while the other hold is open', staged],
    ['once the answers are on their way', carried],
    ['once the task has ended', ended],
  ])('a second decision that is the same gets the same decision again %s', (_, state) => {
    const { state: after2, effects, reply } = decide(state, anAnswer(one), after('9h'));
    expect(after2).toBe(state);
    expect(effects).toEqual([]);
    expect(reply).toMatchObject({
      ok: true,
      decide: {
        holdId: one.holdId,
        isRepeat: true,
        decision: { by: 'olga', at: after('2m'), values: { city: 'Paris' } },
      },
    });
  });

  test('a second decision by somebody else who may decide is answered with the decision of the first', () => {
    const owners = aTask({ phase: 'holding', holds: [aHold({ policy: { audience: ['owner', 'user:finn'] } })] });
    const first = decide(owners, anAnswer(one)).state;
    expect(decide(first, anAnswer(one), after('3m'), aPrincipal('finn')).reply).toMatchObject({
      decide: { isRepeat: true, decision: { by: 'olga' } },
    });
  });

  test('a second decision waits while the holds of the next pause are being written', () => {
    expect(decide({ ...carried, phase: 'opening' }, anAnswer(one)).reply).toEqual({ ok: 'later' });
  });
});
