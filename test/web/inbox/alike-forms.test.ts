import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { formBody, joinForms } from '../../../web/src/inbox/alike/alike-forms.ts';
import { anExpense } from '../../rigs/pages/expense-hold.ts';

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
