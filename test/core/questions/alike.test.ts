import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import type { HoldEnd } from '../../../src/contract/holds/hold.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import { alikeKeyOf, countAlike, type EndedQuestion } from '../../../src/core/questions/alike.ts';
import { aQuestion } from '../../rigs/factories.ts';

const form = (defaults: JsonObject, change: Partial<Question> = {}): Question =>
  aQuestion({
    kind: 'form',
    title: 'Approve an expense',
    hasOwnTitle: true,
    schema: { type: 'object', properties: { amount: { type: 'number' }, approve: { type: 'boolean' } } },
    defaults,
    ...change,
  });

const ended = (
  defaults: JsonObject,
  values: Record<string, Json> | null,
  why: HoldEnd['why'] = 'approved',
): EndedQuestion => ({
  question: form(defaults),
  decision: values === null ? null : { status: 'resolved', values },
  ended: { why },
});
const yes = (amount: number, currency?: string): EndedQuestion =>
  ended(currency === undefined ? { amount } : { amount, currency }, { approve: true });

describe('questions that are alike', () => {
  test('questions that are alike are of the same tool, or have the same title about other numbers', () => {
    const titled = (title: string, change: Partial<Question> = {}): Question => form({}, { title, ...change });
    const invoice = alikeKeyOf(titled('Pay invoice 12?'));
    expect(alikeKeyOf(titled('Pay invoice 1,200.50?'))).toBe(invoice);
    expect(alikeKeyOf(titled('Pay order 12?'))).not.toBe(invoice);
    expect(alikeKeyOf(titled('Pay invoice 12?', { kind: 'text' }))).not.toBe(invoice);
    const tool = (name: string): Partial<Question> => ({ tool: { callId: 'c', name, args: {}, isEditable: false } });
    const scale = alikeKeyOf(titled('a', tool('scale')));
    expect(alikeKeyOf(titled('b', tool('scale')))).toBe(scale);
    expect(alikeKeyOf(titled('a', tool('stop')))).not.toBe(scale);
    expect(alikeKeyOf(titled('scale'))).not.toBe(scale);
  });

  test('questions that are alike are none where only Standfast gave the title', () => {
    expect(alikeKeyOf(form({}, { title: 'Go ahead?', hasOwnTitle: false }))).toBeNull();
  });
});

describe('what became of those alike', () => {
  test('what became of those alike is counted by its end, and what is neither a yes nor a no as neither', () => {
    const counts = countAlike(form({}), [
      yes(1),
      ended({}, { note: 'No! I do not allow this.' }, 'answered'),
      ended({}, { approve: false }, 'declined'),
      ended({}, null, 'declined'),
      ended({}, null, 'expired'),
      ended({}, null, 'withdrawn'),
    ]);
    expect(counts).toEqual({ count: 6, granted: 1, answered: 1, refused: 2, expired: 1, amount: null });
  });

  test('what became of those alike says whether the amount is more than was ever granted, or far from the middle of it', () => {
    const past = [yes(80), yes(84), yes(310)];
    const usual = { name: 'amount', currency: null, median: 84, highest: 310, of: 3, recent: [80, 84, 310] };
    expect(countAlike(form({ amount: 84.5 }), past).amount).toEqual({ ...usual, value: 84.5, isUnusual: false });
    expect(countAlike(form({ amount: 1200 }), past).amount).toEqual({ ...usual, value: 1200, isUnusual: true });
    expect(countAlike(form({ amount: 300 }), past).amount).toEqual({ ...usual, value: 300, isUnusual: true });
  });

  test('what became of those alike compares with what was granted in the same currency, and with no fewer than three', () => {
    const granted = ended({ amount: 900 }, { approve: true, amount: 90 });
    expect(countAlike(form({ amount: 100 }), [granted, yes(80), yes(84)]).amount).toMatchObject({ highest: 90 });
    expect(countAlike(form({ amount: 100 }), [yes(80), yes(84)]).amount).toBeNull();
    expect(
      countAlike(form({ amount: 100, currency: 'EUR' }), [yes(1, 'USD'), yes(2, 'USD'), yes(3, 'USD')]).amount,
    ).toBeNull();
    const refused = ended({ amount: 9_000 }, { approve: false }, 'declined');
    expect(countAlike(form({ amount: 100 }), [refused, yes(80), yes(84), yes(90)]).amount).toMatchObject({ of: 3 });
  });
});
