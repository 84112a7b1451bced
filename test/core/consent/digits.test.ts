// A number that a double does not hold is shown by its digits and marked, and nothing sends another one in its place.
import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../src/contract/holds/question.ts';
import { withMarkedDigits } from '../../../src/core/consent/digits.ts';
import { yesOf } from '../../../src/core/consent/verdict.ts';
import { plainFields } from '../../../src/core/questions/plain-fields.ts';

const account = '9007199254740993';
const digits = new Set([account]);
const never = (): boolean => false;

const question = (given: Partial<Question>): Question => ({
  ...plainFields(),
  dialect: 'langchain',
  kind: 'tool_call',
  title: 'Approve pay?',
  hasOwnTitle: false,
  message: 'May I?',
  schema: {
    type: 'object',
    properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
    required: ['approved'],
  },
  ...given,
});

describe('a number that a double does not hold', () => {
  const args = { to: { account }, amount: 5 };
  const asked = question({
    tool: { callId: 'c', name: 'pay', args, isEditable: true },
    defaults: { editedArgs: args },
    reply: { args, allowed: ['approve', 'edit'] },
  });

  // Promise Y18
  test('a number that a double does not hold is marked, and its call is approved as it is or refused', () => {
    const marked = withMarkedDigits(asked, digits, never);
    expect(marked.digits).toContain('/tool/args/to/account');
    expect(marked.message).toContain('more digits than a program keeps');
    expect(marked.message).toContain('cannot be kept while they are edited');
    expect(marked).toMatchObject({ defaults: {}, tool: { isEditable: false, args } });
    expect(yesOf(marked)).toStrictEqual({ approved: true });
  });

  // Promise Y18
  test('a number that a yes would send back as another one is not approved', () => {
    const marked = withMarkedDigits(asked, digits, (pointer) => pointer === '/reply/args/to/account');
    expect(yesOf(marked)).toBeNull();
    expect(marked.message).toContain('another number than it has sent');
  });

  test('a question without such a number is left as it is', () => {
    expect(withMarkedDigits(asked, new Set(['1']), never)).toBe(asked);
  });
});
