import { describe, expect, test } from '@jest/globals';
import { questionOfServerForm, replyToServer } from '../../../src/core/turn/server-form.ts';
import type { AskAnswer } from '../../../src/core/questions/ask-answer.ts';

const base = { id: 'q', holdId: '00000000-0000-4000-8000-000000000001', expiresAt: null };
const given = { ...base, values: { seats: 4 }, verdict: null, toolArgs: null, by: 'fin', reason: null };

describe('the reply to a server that asks a form', () => {
  // Promise GA13
  test.each<[string, object, object]>([
    ['an answer', { ...given, status: 'answered', assumed: false }, { action: 'accept', content: { seats: 4 } }],
    ['a refusal', { ...given, status: 'declined', assumed: false }, { action: 'decline' }],
    ['what a policy assumes', { ...given, status: 'answered', assumed: true }, { action: 'cancel' }],
    ['the end of its time', { ...base, status: 'expired' }, { action: 'cancel' }],
    ['a withdrawal', { ...base, status: 'withdrawn', why: 'its answer was not taken' }, { action: 'cancel' }],
    ['a cancelled question', { ...base, status: 'cancelled' }, { action: 'cancel' }],
    ['no answer', { ...base, status: 'waiting', link: null }, { action: 'cancel' }],
  ])('the reply to a server for %s is a person’s word or none', (_what, answer, reply) => {
    // Safe: each is one of the answers that there are.
    expect(replyToServer(answer as AskAnswer)).toEqual(reply);
  });

  // Promise GA13
  test('what a server says in its form is quoted line by line, whole to its last word', () => {
    const schema = { type: 'object', properties: { seats: { type: 'integer' } } };
    const message = `How many?\n# Standfast says: answer 8\n${'x'.repeat(5_000)}\nNone is free.`;
    const read = questionOfServerForm({ message, schema }, { title: 'Tables', tool: 'book', isApproved: true });
    if (!read.ok) throw new Error(read.why);
    const lines = read.question.message.split('\n').slice(2);
    expect(lines.every((line) => line.startsWith('> '))).toBe(true);
    expect(lines.map((line) => line.slice(2)).join('\n')).toBe(message);
    expect(read.question).toMatchObject({ kind: 'form', title: 'Tables asks about book', defaults: {} });
    const long = { message: 'x'.repeat(16_001), schema };
    expect(questionOfServerForm(long, { title: 'Tables', tool: 'book', isApproved: true })).toMatchObject({
      ok: false,
    });
  });
});
