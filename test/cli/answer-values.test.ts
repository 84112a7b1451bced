// Answers as people type them, against the questions that agents ask.
import { describe, expect, test } from '@jest/globals';
import { approval, filledIn, readValue, rejection, withSetting } from '../../src/cli/answer/answer-values.ts';
import { promptAnswer } from '../../src/cli/answer/prompt-form.ts';
import type { HoldView } from '../../src/contract/holds/hold.ts';
import type { JsonObject } from '../../src/contract/base/json.ts';
import { aHold } from '../rigs/pages/page-server.ts';

const expense: JsonObject = {
  type: 'object',
  properties: {
    amount: { type: 'number', title: 'Amount' },
    centre: {
      type: 'string',
      oneOf: [
        { const: 'sales', title: 'Sales' },
        { const: 'ops', title: 'Operations' },
      ],
    },
    tags: { type: 'array', items: { type: 'string' } },
    trip: { type: 'object', properties: { city: { type: 'string' }, nights: { type: 'integer' } } },
    approve: { type: 'boolean', title: 'Approve' },
  },
  required: ['amount', 'approve'],
};
const form = (change: Partial<HoldView> = {}): HoldView =>
  aHold(1, { kind: 'form', schema: expense, defaults: { amount: 84.5, centre: 'ops' }, ...change });
const toolCall = (change: Partial<HoldView> = {}): HoldView =>
  aHold(2, {
    kind: 'tool_call',
    schema: {
      type: 'object',
      properties: { approved: { type: 'boolean' }, reason: { type: 'string' }, editedArgs: { type: 'object' } },
      required: ['approved'],
    },
    defaults: { editedArgs: { to: 'Ana' } },
    ...change,
  });
const grant = aHold(3, {
  kind: 'authorization',
  schema: {
    type: 'object',
    properties: { outcome: { type: 'string', oneOf: [{ const: 'granted', title: 'Granted' }, { const: 'denied' }] } },
  },
});

describe('an answer by flags', () => {
  // Promise TE4
  test('an answer by flags approves each kind of question by the field that decides it, with what the agent proposed in a form', () => {
    expect(approval(aHold(1), [])).toEqual({ status: 'resolved', values: { confirmed: true } });
    expect(approval(toolCall(), [])).toEqual({ status: 'resolved', values: { approved: true } });
    expect(approval(form(), ['amount=80'])).toEqual({
      status: 'resolved',
      values: { amount: 80, centre: 'ops', approve: true },
    });
    expect(approval(grant, [])).toEqual({ status: 'resolved', values: { outcome: 'granted' } });
  });

  test('an answer by flags cannot approve what is no yes or no, and says what to do instead', () => {
    const text = aHold(1, { kind: 'text', schema: { type: 'object', properties: { text: { type: 'string' } } } });
    expect(() => approval(text, [])).toThrow(
      'this question is no yes or no: answer it by --set field=value, or --values',
    );
  });

  // Promise TE4
  test('an answer by flags rejects where the agent can be sent it, and answers no where a refusal would end the task', () => {
    expect(rejection(toolCall(), 'too much')).toEqual({ status: 'cancelled', reason: 'too much' });
    const cancels = toolCall({ onReject: 'cancels' });
    expect(rejection(cancels, 'too much')).toEqual({
      status: 'resolved',
      values: { approved: false, reason: 'too much' },
    });
    expect(rejection(form({ onReject: 'cancels' }), null)).toEqual({ status: 'cancelled' });
  });

  // Promise TE4
  test('an answer by flags fills fields in by the type that the schema gives them, nested ones too', () => {
    const settings = ['amount=12', 'centre=Sales', 'tags=a, b', 'trip.city=Bonn', 'trip.nights=2', 'approve=no'];
    expect(filledIn(form(), settings)).toEqual({
      status: 'resolved',
      values: { amount: 12, centre: 'sales', tags: ['a', 'b'], trip: { city: 'Bonn', nights: 2 }, approve: false },
    });
    expect(readValue({ type: 'string' }, '12')).toBe('12');
    expect(readValue({}, '12')).toBe(12);
    expect(readValue({ type: 'object' }, '{"a":1}')).toEqual({ a: 1 });
  });

  test.each([
    ['amount=lots', 'amount: expected a number, not "lots"'],
    ['approve=perhaps', 'approve: expected yes or no, not "perhaps"'],
    ['centre=moon', 'centre: expected one of sales, ops, not "moon"'],
    ['amount', 'expected --set field=value, not "amount"'],
    ['__proto__.x=1', 'there is no field "__proto__.x": its fields are amount, centre, tags, trip, approve'],
  ])('an answer by flags refuses %s before anything is sent', (setting, message) => {
    expect(() => withSetting(expense, {}, setting)).toThrow(new Error(message));
  });
});

describe('an answer at prompts', () => {
  async function answer(hold: HoldView, typed: string[], before: Parameters<typeof promptAnswer>[3] = null) {
    const asked: string[] = [];
    let warned = '';
    const ask = async (question: string, { isSecret = false } = {}): Promise<string> => {
      asked.push(isSecret ? `${question}(hidden)` : question);
      const next = typed.shift();
      if (next === undefined) throw new Error(`nobody answers: ${question}`);
      return next;
    };
    const body = await promptAnswer(ask, (text) => void (warned += text), hold, before);
    return { body, asked, warned };
  }

  // Promise TE5
  test('an answer at prompts asks field by field, takes what is proposed for an empty line, and asks again for what does not fit', async () => {
    const { body, asked, warned } = await answer(form(), ['', '1', '', '', 'perhaps', 'y', '']);
    expect(body).toEqual({ status: 'resolved', values: { amount: 84.5, centre: 'sales', approve: true } });
    expect(asked[0]).toBe('Amount [84.5]: ');
    expect(asked).toContain('tags (optional): ');
    expect(warned).toContain('  1  Sales\n  2  Operations\n');
    expect(warned).toContain('expected yes or no, not "perhaps"');
  });

  test('an answer at prompts asks a yes or no as one, and a no for its reason', async () => {
    expect((await answer(aHold(1), ['maybe', 'y'])).body).toEqual({ status: 'resolved', values: { confirmed: true } });
    expect((await answer(aHold(1), ['n', 'no receipt'])).body).toEqual({ status: 'cancelled', reason: 'no receipt' });
  });

  // Promise TE5
  test('an answer at prompts wants the word typed where a yes cannot be taken back', async () => {
    const danger = aHold(1, { danger: true });
    await expect(answer(danger, ['y', 'y'])).rejects.toThrow('nothing was sent');
    expect((await answer(danger, ['y', 'approve'])).body).toEqual({ status: 'resolved', values: { confirmed: true } });
  });

  // Promise TE5
  test('an answer at prompts hides what is typed at a secret, and proposes none', async () => {
    const schema = { type: 'object', properties: { key: { type: 'string', format: 'password' } }, required: ['key'] };
    const hold = form({ schema, defaults: {}, secretPaths: ['/key'] });
    const { asked, body } = await answer(hold, ['hush', 'y']);
    expect(asked[0]).toBe('key: (hidden)');
    expect(body).toEqual({ status: 'resolved', values: { key: 'hush' } });
  });

  // Promise TE5
  test('an answer at prompts asks again only for the fields that were refused, and keeps the rest', async () => {
    const before = { values: { amount: -1, approve: true }, wrong: new Map([['amount', 'must be >= 0']]) };
    const { body, asked, warned } = await answer(form(), ['5', ''], before);
    expect(asked).toHaveLength(2);
    expect(warned).toBe('amount: must be >= 0\n');
    expect(body).toEqual({ status: 'resolved', values: { amount: 5, approve: true } });
  });
});
