// Deadlines that are moved to a later time.
import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import type { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskState } from '../../../src/core/task/task-state.ts';
import { aHold, after, aPrincipal, aTask } from '../../rigs/factories.ts';

type Policy = z.input<typeof PolicySchema>;
const opal = aPrincipal('opal', 'operator');
const finn = aPrincipal('finn', 'finance');
const policy: Policy = {
  audience: ['role:finance'],
  expire: { after: '4h', then: 'cancel' },
  ladder: [{ after: '1h', remind: true }],
  notify: ['mail'],
};
const holding = (change: Policy = {}): TaskState =>
  aTask({ phase: 'holding', holds: [aHold({ policy: { ...policy, ...change } })] });

function extend(state: TaskState, until: unknown, by = opal, at = after('10m')): Outcome {
  const hold = state.holds[0]?.holdId ?? '';
  const command = { kind: 'extend' as const, hold, principal: by, receivedAt: at, until, note: 'on a plane' };
  // Safe: a person with Temporal's own tools may send anything.
  return reduce(state, { type: 'amend', command: command as never }, at);
}

describe('A deadline', () => {
  test('A deadline is moved by an operator, recorded, and notified once', () => {
    const { state, effects, reply } = extend(holding(), after('8h'));
    expect(reply).toMatchObject({ ok: true });
    const [hold] = state.holds;
    expect(hold).toMatchObject({ expiresAt: after('8h'), nextStep: { at: after('1h'), do: 'remind' } });
    expect(hold?.plan.extensions).toEqual([
      { at: after('10m'), by: 'opal', from: after('4h'), until: after('8h'), note: 'on a plane', credential: null },
    ]);
    expect(effects).toMatchObject([{ kind: 'amendHolds' }, { kind: 'notify', event: 'extended', channels: ['mail'] }]);
    const again = extend(state, after('8h'));
    expect(again.effects).toEqual([]);
    expect(again.state).toEqual(state);
  });

  test('A deadline that was extended expires at its later time and not before', () => {
    const { state } = extend(holding(), after('8h'));
    const early = reduce(
      reduce(state, { type: 'time.passed' }, after('2h')).state,
      { type: 'time.passed' },
      after('5h'),
    );
    expect(early.state.holds[0]).toMatchObject({ status: 'open', nextStep: { do: 'expire', at: after('8h') } });
    expect(reduce(early.state, { type: 'time.passed' }, after('8h')).state.holds[0]).toMatchObject({
      status: 'expired',
      ended: { at: after('8h') },
    });
  });

  test.each<[string, Policy, ReturnType<typeof aPrincipal>, string | null]>([
    ['by an operator, without a word of the policy', {}, opal, null],
    ['by one who is asked, without a word of the policy', {}, finn, 'not_allowed_to_decide'],
    ['by one who is asked, where the policy says so', { extend: 'asked' }, finn, null],
    ['by a stranger, where those asked may', { extend: 'asked' }, aPrincipal('mate'), 'not_allowed_to_decide'],
    ['by an operator, where nobody may', { extend: 'none' }, opal, 'forbidden'],
    [
      'by the requester under four eyes',
      { extend: 'asked', audience: ['owner'], exclude: ['requester'] },
      aPrincipal(),
      'not_allowed_to_decide',
    ],
  ])('A deadline is moved by those who may, and by no others: %s', (_how, change, by, code) => {
    expect(extend(holding(change), after('8h'), by).reply).toMatchObject(
      code === null ? { ok: true } : { ok: false, code },
    );
  });

  test.each([
    ['an earlier time', after('2h')],
    ['a time that has passed', after('0s')],
    ['a time in ten years', '2036-01-01T00:00:00Z'],
    ['no time', 'soon'],
    ['no text', 7],
    ['nothing', undefined],
  ])('A deadline is not moved to %s', (_what, until) => {
    const state = holding();
    const outcome = extend(state, until);
    expect(outcome.reply).toMatchObject({ ok: false, code: 'payload_invalid' });
    expect(outcome.state).toEqual(state);
  });

  test('A deadline of a question that waits for ever, or was decided, is not moved', () => {
    const open = holding({ expire: { after: '1d', then: 'keep-open' } });
    expect(extend(open, after('8h')).reply).toMatchObject({ ok: false, code: 'payload_invalid' });
    const over = aTask({ phase: 'holding', holds: [aHold({ policy, status: 'decided' })] });
    expect(extend(over, after('8h')).reply).toMatchObject({ ok: false, code: 'hold_closed' });
  });
});
