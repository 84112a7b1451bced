import { describe, expect, test } from '@jest/globals';
import { isRefusal, yesNoFieldOf, yesOf } from '../../src/core/yes-no.ts';

const confirmation = {
  kind: 'confirmation' as const,
  schema: { type: 'object', properties: { go: { type: 'boolean' } }, required: ['go'] },
  defaults: {},
};
const toolCall = {
  kind: 'tool_call' as const,
  schema: { type: 'object', properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } } },
  defaults: { editedArgs: { amount: 5 } },
};

describe('a yes or no', () => {
  test('is the only field of a confirmation, and approved of a tool call', () => {
    expect(yesNoFieldOf(confirmation)).toBe('go');
    expect(yesNoFieldOf(toolCall)).toBe('approved');
  });

  test('is not in a form, whatever its fields are called', () => {
    const form = { ...confirmation, kind: 'form' as const };
    expect(yesNoFieldOf(form)).toBeNull();
    expect(yesOf(form)).toBeNull();
  });

  test('is a refusal only when it says no in so many words', () => {
    expect(isRefusal(confirmation, { go: false })).toBe(true);
    expect(isRefusal(confirmation, { go: true })).toBe(false);
    expect(isRefusal(confirmation, {})).toBe(false);
    expect(isRefusal({ ...toolCall, kind: 'form' }, { approved: false })).toBe(false);
  });

  test('is answered by yes alone where nothing else is required', () => {
    expect(yesOf(toolCall)).toEqual({ approved: true });
    const withMore = { ...toolCall, schema: { ...toolCall.schema, required: ['approved', 'editedArgs'] } };
    expect(yesOf(withMore)).toBeNull();
  });
});
