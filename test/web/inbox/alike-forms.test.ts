import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { formBody, joinForms } from '../../../web/src/inbox/alike/alike-forms.ts';
import { alikeGroups, alikeIds } from '../../../web/src/inbox/groups.ts';
import { anExpense } from '../../rigs/pages/expense-hold.ts';
import { aRow } from './rows.ts';

const ticket = (n: number, change: Partial<HoldView> = {}): HoldView =>
  anExpense(n, { defaults: { amount: 3.2, purpose: `Bus ${n}` }, ...change });

const whyOf = (hold: HoldView): string | undefined => joinForms([ticket(1), ticket(2), hold]).apart[0]?.why;

describe('forms of one sort', () => {
  test('forms of one sort are one form for what is the same, and a column for what differs', () => {
    const { joined, apart, columns, same, asks } = joinForms([ticket(1), ticket(2), ticket(3)]);
    expect(joined).toHaveLength(3);
    expect(apart).toEqual([]);
    expect({ columns, same, asks }).toEqual({ columns: ['purpose'], same: { amount: 3.2 }, asks: ['costCentre'] });
  });

  test('forms of one sort send each its own values with what was filled in once', () => {
    const { joined } = joinForms([ticket(1), ticket(2)]);
    expect(joined.map((hold) => formBody(hold, 'approve', { costCentre: 'sales' }, ''))).toEqual(
      [1, 2].map((n) => ({
        status: 'resolved',
        values: { amount: 3.2, purpose: `Bus ${n}`, costCentre: 'sales', approve: true },
        digest: `sha256:${n}`,
      })),
    );
    const [first] = joined;
    expect(first && formBody(first, 'approve', {}, '')).toBeNull();
    const refusable = joinForms([ticket(1, { onReject: 'answers' })]).joined[0];
    expect(refusable && formBody(refusable, 'reject', {}, 'No budget')).toEqual({
      status: 'cancelled',
      reason: 'No budget',
      digest: 'sha256:1',
    });
  });

  test('forms of one sort are answered one by one where a row does not show what is asked, or they are not the reader’s to answer so', () => {
    const file = { id: 'a', name: 'receipt', url: '', digest: null };
    const { context } = anExpense(3);
    expect(whyOf(ticket(3, { danger: true }))).toBe('marked');
    expect(whyOf(ticket(3, { sign: 'passkey' }))).toBe('marked');
    expect(whyOf(ticket(3, { status: 'decided' }))).toBe('ended');
    expect(whyOf(ticket(3, { mayDecide: false }))).toBe('ended');
    expect(whyOf(ticket(3, { secretPaths: ['/purpose'] }))).toBe('secret');
    expect(whyOf(ticket(3, { decides: null }))).toBe('verdict');
    expect(whyOf(ticket(3, { schema: { ...anExpense(3).schema, required: [] } }))).toBe('fields');
    expect(whyOf(ticket(3, { message: 'x'.repeat(401) }))).toBe('text');
    expect(whyOf(ticket(3, { context: { ...context, artifacts: [file] } }))).toBe('text');
    // What the agent streamed before it asked is in the conversation.
    expect(whyOf(ticket(3, { context: { ...context, artifacts: [{ ...file, textLength: 40 }] } }))).toBeUndefined();
    expect(whyOf(ticket(3, { defaults: { amount: 3.2 } }))).toBe('own');
  });
});

describe('what is reviewed together', () => {
  const decides = { field: 'approve', yes: true, no: false };
  const rows = [
    aRow({ id: 'a1', title: 'Pay invoice 1?' }),
    aRow({ id: 'b1', kind: 'form', title: 'Approve an expense', decides }),
    aRow({ id: 'a2', title: 'Pay invoice 2?' }),
    aRow({ id: 'b2', kind: 'form', title: 'Approve an expense', decides }),
    aRow({ id: 'a3', title: 'Pay invoice 3?' }),
    aRow({ id: 'c1', kind: 'form', title: 'Which trip?' }),
    aRow({ id: 'c2', kind: 'form', title: 'Which trip?' }),
    aRow({ id: 'd', title: 'Pay invoice 4?', danger: true }),
  ];

  test('what is reviewed together are those like the marked one, else the most that are alike', () => {
    expect(alikeIds(rows, 'b2')).toEqual(['b1', 'b2']);
    expect(alikeIds(rows, null)).toEqual(['a1', 'a2', 'a3']);
  });

  test('what is reviewed together are no forms that a yes or a no does not answer, nothing dangerous, and never one alone', () => {
    expect(alikeIds(rows, 'c1')).toEqual([]);
    expect(alikeIds(rows, 'd')).toEqual([]);
    expect(alikeIds(rows.slice(0, 2), null)).toEqual([]);
  });

  test('what is reviewed together may differ in its words, too, where most of its title is the same', () => {
    const vendors = ['Kranz & Sons', 'Olu', 'Miller Ltd'].map((name, n) =>
      aRow({ id: `v${n}`, title: `Allow the vendor ${name} into the portal?` }),
    );
    const others = [aRow({ id: 'x', title: 'Allow it?' }), aRow({ id: 'y', title: 'Delete the old portal?' })];
    expect(alikeGroups([...vendors, ...others])).toEqual([
      { ids: ['v0', 'v1', 'v2'], title: 'Allow the vendor … into the portal?', sum: null },
    ]);
  });

  test('what is reviewed together is like the marked one, or nothing is: no other question takes its place', () => {
    const lone = aRow({ id: 'lone', title: 'Something else' });
    expect(alikeIds([...rows, lone], 'lone')).toEqual([]);
  });
});
