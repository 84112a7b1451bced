// What can be answered together: which questions are alike, and what keeps one of them out.
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { togetherGroups } from '../../../src/core/answers/together.ts';
import { aHoldView } from '../../rigs/hold-row.ts';
import { fc } from '../../rigs/properties.ts';

const decides = { field: 'approved', yes: true, no: false };
const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
const one = (id: string, change: Partial<HoldView> = {}): HoldView => ({
  ...aHoldView(),
  id,
  kind: 'tool_call',
  title: 'Pay invoice 1?',
  values: [],
  defaults: {},
  links: [],
  message: '',
  decides,
  schema,
  forMe: true,
  mayDecide: true,
  ...change,
});
const expense = (id: string, change: Partial<HoldView> = {}): HoldView =>
  one(id, {
    kind: 'form',
    title: 'Approve an expense',
    schema: {
      type: 'object',
      properties: { ...schema.properties, amount: { type: 'number' }, note: { type: 'string' } },
    },
    defaults: { amount: id.length },
    ...change,
  });
const idsOf = (holds: readonly HoldView[]): string[][] =>
  togetherGroups(holds).map((group) => group.holds.map(({ id }) => id));

describe('questions answered together', () => {
  test('questions answered together are the same about other numbers, the most of them first', () => {
    const holds = [
      expense('b1'),
      one('a1'),
      one('a2', { title: 'Pay invoice 2?' }),
      expense('b22'),
      one('a3', { title: 'Pay invoice 3?' }),
      one('x', { title: 'Delete all of it' }),
    ];
    expect(idsOf(holds)).toEqual([
      ['a1', 'a2', 'a3'],
      ['b1', 'b22'],
    ]);
    expect(togetherGroups(holds)[0]?.title).toBe('Pay invoice #?');
  });

  test('questions answered together may differ in words, too, where most of the title is the same', () => {
    const vendors = ['Kranz & Sons', 'Olu', 'Miller Ltd'].map((name, n) =>
      one(`v${n}`, { title: `Allow the vendor ${name} into the portal?` }),
    );
    const others = [one('x', { title: 'Allow it?' }), one('y', { title: 'Delete the old portal?' })];
    expect(togetherGroups([...vendors, ...others])).toEqual([
      { holds: vendors, title: 'Allow the vendor … into the portal?', sum: null },
    ]);
  });

  test('questions answered together add up where all are about an amount in one currency', () => {
    const money = (amount: number): HoldView['values'] => [
      { name: 'amount', value: amount, role: 'amount' },
      { name: 'currency', value: 'EUR', role: 'currency' },
    ];
    const holds = [1, 2, 3].map((n) => one(`h${n}`, { values: money(n) }));
    expect(togetherGroups(holds)[0]?.sum).toEqual({ amount: 6, currency: 'EUR' });
    expect(togetherGroups([...holds, one('h4')])[0]?.sum).toBeNull();
  });

  test.each<[string, Partial<HoldView>]>([
    ['what has ended', { status: 'decided' }],
    ['what waits for the end of its grace', { outgoing: aGoing() }],
    ['what others decide', { mayDecide: false, forMe: false }],
    ['what somebody else works on', { forMe: false }],
    ['what was asked back', { asking: true }],
    ['what its policy calls dangerous', { danger: true }],
    ['what is signed', { sign: 'passkey' }],
    ['what a yes does not answer', { decides: null }],
    ['what asks for a secret', { secretPaths: ['/note'] }],
    ['a form with more to read than a row shows', { kind: 'form', message: 'x'.repeat(401) }],
    ['a form with an attachment', { kind: 'form', links: [{ url: 'https://example.com', title: 'it' }] }],
    ['a yes that more is required with', { schema: { ...schema, required: ['approved', 'note'] } }],
    ['a form that lacks what others have', { kind: 'form', defaults: { note: 'x' } }],
    ['another agent’s', { agent: 'other' }],
    ['another kind', { kind: 'confirmation' }],
  ])('questions answered together leave out %s', (_name, change) => {
    const like = change.kind === 'form' || change.secretPaths !== undefined ? expense : one;
    expect(idsOf([like('a'), like('b'), like('odd', change)])).toEqual([['a', 'b']]);
  });

  test('questions answered together as forms differ in no more fields than a row has columns for', () => {
    const names = Array.from({ length: 8 }, (_, n) => `f${n}`);
    const properties = { ...schema.properties, ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
    const wide = (id: string, differing: number): HoldView =>
      expense(id, {
        schema: { type: 'object', properties },
        defaults: Object.fromEntries(names.map((name, n) => [name, n < differing ? id : 'same'])),
      });
    expect(idsOf([wide('a', 6), wide('b', 6)])).toEqual([['a', 'b']]);
    expect(idsOf([wide('a', 7), wide('b', 7)])).toEqual([]);
  });

  test('questions answered together are each in one group at most, and none is alone', () => {
    const title = fc.array(fc.constantFrom('Pay', 'invoice', '1', '22', 'Olu', '?'), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.tuple(title, fc.boolean()), { maxLength: 30 }), (asked) => {
        const holds = asked.map(([words, isForm], n) => (isForm ? expense : one)(`h${n}`, { title: words.join(' ') }));
        const groups = idsOf(holds);
        const all = groups.flat();
        expect(new Set(all).size).toBe(all.length);
        expect(groups.every((ids) => ids.length > 1)).toBe(true);
        expect(groups.map((ids) => ids.length)).toEqual(groups.map((ids) => ids.length).toSorted((a, b) => b - a));
      }),
    );
  });
});

function aGoing(): HoldView['outgoing'] {
  const at = '2026-11-20T15:00:00.000Z';
  return {
    at,
    by: 'ana',
    decidedAt: at,
    status: 'resolved',
    values: {},
    reason: null,
    name: 'approved',
    mayUndo: true,
  };
}
