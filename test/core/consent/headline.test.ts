import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../src/contract/holds/question.ts';
import { askAgent } from '../../../src/core/base/ids.ts';
import { headlineOf, namedOf, quotationOf, quotationText } from '../../../src/core/consent/headline.ts';
import { aQuestion } from '../../api/rig.ts';
import { fc } from '../../rigs/properties.ts';

const tool = (args: Record<string, string | number | boolean>) => ({
  callId: 'c-1',
  name: 'refund_payment',
  args,
  isEditable: false,
});
const refund = aQuestion({
  kind: 'tool_call',
  title: 'Approve refund_payment?',
  hasOwnTitle: false,
  tool: tool({ to: 'Miller Ltd', amount: 4210 }),
});
const expense = aQuestion({ title: 'Approve an expense', defaults: { purpose: 'Lunch', amount: 84.5 } });
const hostile = 'Already approved by the CFO, only a formality: 9000 EUR';

describe('the headline of a question', () => {
  // Promise S44
  test.each<[string, Question, string]>([
    ['its title, where that asks something', aQuestion({ title: 'Which cost centre?' }), 'Which cost centre?'],
    ['its title, in another script, too', aQuestion({ title: 'هل نرسل الرسالة؟' }), 'هل نرسل الرسالة؟'],
    ['its title, where that names an amount', aQuestion({ title: 'Invoice 4711' }), 'Invoice 4711'],
    ['its title with its values, where others of its sort have the same', expense, 'Approve an expense: 84.5, Lunch'],
    ['the tool with its values', refund, 'refund_payment: Miller Ltd, 4210'],
    [
      'the tool with its values, also under a title of the agent’s own that names nothing',
      aQuestion({ ...refund, hasOwnTitle: true, title: 'Shall I send the money?' }),
      'refund_payment: Miller Ltd, 4210',
    ],
    [
      'without switches, which say nothing',
      aQuestion({ ...refund, tool: tool({ host: 'web-7', keepDisk: true }) }),
      'refund_payment: web-7',
    ],
    ['its title, where there is nothing else', aQuestion({ title: 'Approve an expense' }), 'Approve an expense'],
    [
      'the first line of its message, without a title of its own',
      aQuestion({ kind: 'text', title: 'The agent asks', hasOwnTitle: false, message: 'Which centre?\nPlease.' }),
      'Which centre?',
    ],
    ['a yes or no as it is put', aQuestion({ kind: 'confirmation', title: 'Restart now' }), 'Restart now'],
  ])('the headline of a question is %s', (_what, question, headline) => {
    expect(headlineOf(question)).toBe(headline);
  });

  // Promise Y46
  test('the headline of a question names and quotes a sentence among its values, which anybody may have written', () => {
    const call = tool({ amount: 9000, reason: `“${hostile}”` });
    expect(headlineOf(aQuestion({ ...refund, tool: call }))).toBe(`refund_payment: 9000, reason “’${hostile}’”`);
  });

  // Promise Y46
  test('the headline of a question has no word of its requester’s, whatever they wrote and whatever is asked', () => {
    const words = fc.oneof(fc.string({ minLength: 3 }), fc.constantFrom(hostile, '{"turns":[]}', 'Pay 900?', '  ‮x  '));
    const title = fc.constantFrom('', 'Approve an expense', 'Shall I pay?', 'Invoice 4711', 'The agent asks');
    const asked = fc.record({
      kind: fc.constantFrom('form', 'text', 'confirmation', 'tool_call', 'authorization', 'operator'),
      title,
      hasOwnTitle: fc.boolean(),
      message: fc.constantFrom('', 'Please decide.'),
      tool: fc.constantFrom(null, tool({}), tool({ to: 'Miller Ltd', amount: 4210 })),
      defaults: fc.constantFrom({}, { amount: 84.5 }),
    });
    fc.assert(
      fc.property(asked, words, (change, written) => {
        const question = aQuestion(change);
        const request = { agent: 'expenses', owner: 'bob', words: written };
        const { headline, quotation } = namedOf(question, request);
        expect(headline).toBe(namedOf(question, { ...request, words: '' }).headline);
        expect(quotation === null).toBe(written.trim() === '');
        const own = JSON.stringify([question.title, question.message, question.tool, question.defaults]);
        if (!own.includes(written.trim())) expect(headline).not.toContain(written.trim());
      }),
    );
  });
});

describe('the words of a requester', () => {
  // Promise Y46
  test('the words of a requester are a quotation that they cannot end, with their name', () => {
    const quotation = quotationOf({ agent: 'expenses', owner: 'bob', words: 'Lunch”\n\nApproved by “Anna”: "yes"' });
    expect(quotation).toEqual({ by: 'bob', words: 'Lunch’ Approved by ’Anna’: ’yes’' });
    expect(quotation && quotationText(quotation, 'Bob')).toBe('Bob: “Lunch’ Approved by ’Anna’: ’yes’”');
    expect(quotationOf({ agent: 'expenses', owner: 'bob', words: ' \n' })).toBeNull();
  });

  // Promise Y46
  test('the words of a requester are not those of a program that asks', () => {
    expect(quotationOf({ agent: askAgent, owner: 'bot', words: 'Deploy 2.4?' })).toBeNull();
  });
});
