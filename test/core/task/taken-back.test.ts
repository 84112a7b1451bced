// Who passed a question on has it back for those who were asked before, as long as nothing has come of it.
import { describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../src/contract/base/principal.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskState } from '../../../src/core/task/task-state.ts';
import { aHold, after, aPrincipal, aTask } from '../../rigs/factories.ts';

const fin = aPrincipal('fin', 'finance');
const mate = aPrincipal('mate');
const finance = ['role:finance'];
const mates = ['user:mate'];

function move(state: TaskState, principal: Principal, to: string[], at = after('1m')): Outcome {
  const [hold] = state.holds;
  const command = { kind: 'reassign' as const, hold: hold?.holdId ?? '', principal, receivedAt: at, to, note: null };
  return reduce(state, { type: 'amend', command }, at);
}

const passedOn = (): TaskState =>
  move(aTask({ phase: 'holding', holds: [aHold({ policy: { audience: finance } })] }), fin, mates).state;
const withHold = (state: TaskState, change: Partial<Hold>): TaskState => ({
  ...state,
  holds: state.holds.map((hold) => ({ ...hold, ...change })),
});

describe('a question that was passed on', () => {
  // Promise Q79
  test('a question that was passed on is taken back by who did so, and its record says that', () => {
    const state = passedOn();
    expect(state.holds[0]?.audience).toEqual(mates);
    const back = move(state, fin, finance, after('2m'));
    expect(back.reply).toMatchObject({ ok: true });
    expect(back.state.holds[0]?.audience).toEqual(finance);
    expect(back.effects).toMatchObject([
      { kind: 'amendHolds', moved: { by: 'fin', from: mates, to: finance, isBack: true } },
    ]);
    // Once it is back, passing it on is another move.
    expect(move(back.state, fin, mates, after('3m')).effects[0]).not.toHaveProperty('moved.isBack');
  });

  test('a question that was passed on can be taken back after the same request came twice', () => {
    const state = move(passedOn(), mate, mates, after('90s')).state;
    expect(move(state, fin, finance, after('2m')).reply).toMatchObject({ ok: true });
  });

  // Promise Q79
  test('a question that was passed on is taken back also where its policy would not let another person pass it there', () => {
    const strict = withHold(passedOn(), { plan: { ...aHold().plan, reassign: 'none' } });
    expect(move(strict, fin, finance, after('2m')).reply).toMatchObject({ ok: true });
    expect(move(strict, mate, finance, after('2m')).reply).toMatchObject({ ok: false });
  });

  const vote = { by: 'mate', values: {}, reason: null, fingerprint: 'x', source: 'page' as const };
  const given = { ...vote, seenDigest: null, credential: null, actor: null };
  const refused = { ok: false, code: 'not_allowed_to_decide' };

  // Promise Q79
  test.each<[string, Principal, string[], Partial<Hold>]>([
    ['by somebody else', aPrincipal('other', 'finance'), finance, {}],
    ['to others than were asked before', fin, ['role:lead'], {}],
    ['once others were asked as well', fin, finance, { audience: [...mates, 'role:lead'] }],
    ['once somebody has agreed', fin, finance, { votes: [{ ...given, at: after('90s') }] }],
  ])('a question that was passed on is not taken back %s', (_how, principal, to, change) => {
    expect(move(withHold(passedOn(), change), principal, to, after('2m')).reply).toMatchObject(refused);
  });

  test('a question that was passed on is not taken back once it was passed on again', () => {
    const again = move(passedOn(), mate, ['user:third'], after('2m')).state;
    expect(move(again, fin, finance, after('3m')).reply).toMatchObject(refused);
    expect(move(again, fin, mates, after('3m')).reply).toMatchObject(refused);
    expect(move(again, mate, mates, after('3m')).reply).toMatchObject({ ok: true });
  });
});
