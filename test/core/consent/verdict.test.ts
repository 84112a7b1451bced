import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import {
  decisionLabel,
  verdictOf,
  withDecisionRequired,
  yesNoFieldOf,
  yesOf,
} from '../../../src/core/consent/verdict.ts';

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
  test('a yes or no is the only field of a confirmation, and approved of a tool call', () => {
    expect(yesNoFieldOf(confirmation)).toBe('go');
    expect(yesNoFieldOf(toolCall)).toBe('approved');
  });

  test('a yes or no is not in a form, whatever its fields are called', () => {
    const form = { ...confirmation, kind: 'form' as const };
    expect(yesNoFieldOf(form)).toBeNull();
    expect(yesOf(form)).toBeNull();
  });

  // Promise QU3
  test('a yes or no needs its field, so that an answer without it is none', () => {
    const schema = { type: 'object', properties: { go: { type: 'boolean' } } };
    expect(withDecisionRequired({ ...confirmation, schema }).schema).toEqual({ ...schema, required: ['go'] });
    expect(withDecisionRequired(toolCall).schema).toMatchObject({ required: ['approved'] });
    const form = { kind: 'form' as const, schema: { ...schema, required: ['days'] } };
    expect(withDecisionRequired(form)).toBe(form);
    expect(withDecisionRequired({ ...form, decisionField: 'go' }).schema).toMatchObject({ required: ['days', 'go'] });
  });

  test('a yes or no is answered by yes alone where nothing else is required', () => {
    expect(yesOf(toolCall)).toEqual({ approved: true });
    const withMore = { ...toolCall, schema: { ...toolCall.schema, required: ['approved', 'editedArgs'] } };
    expect(yesOf(withMore)).toBeNull();
  });
});

const form = { kind: 'form' as const, schema: { type: 'object', properties: {} } };
const verdict = (question: Parameters<typeof verdictOf>[0], values: JsonObject): string | null =>
  verdictOf(question, { status: 'resolved', values });

describe('the decision of an answer', () => {
  // Promise QU1
  test.each(['approved', 'approve', 'confirmed', 'confirm', 'decision'])(
    'the decision of an answer is read from %s in a form',
    (name) => {
      expect(verdict(form, { comment: 'x', [name]: false })).toBe('no');
      expect(verdict(form, { comment: 'x', [name]: true })).toBe('yes');
    },
  );

  test('the decision of an answer is read from the only field of a confirmation, and from nothing else in it', () => {
    expect(verdict(confirmation, { go: false })).toBe('no');
    expect(verdict(confirmation, { go: true })).toBe('yes');
    expect(verdict(confirmation, {})).toBeNull();
  });

  // Promise QU1
  test('the decision of an answer is read from the field that the form itself names, and then from no other', () => {
    const named = { ...form, decisionField: 'release' };
    expect(verdict(named, { release: false, approved: true })).toBe('no');
    expect(verdict(named, { approved: false })).toBeNull();
  });

  test.each([
    ['rejected', 'no'],
    [' Deny ', 'no'],
    ['no', 'no'],
    ['approve', 'yes'],
    ['Yes', 'yes'],
    ['the blue one', null],
  ])('the decision of an answer in the words %p is %p', (word, expected) => {
    expect(verdict(form, { decision: word })).toBe(expected);
  });

  test('the decision of an answer is a no when the question was refused, and none in a text', () => {
    expect(verdictOf(form, { status: 'cancelled', values: {} })).toBe('no');
    expect(verdict({ ...form, kind: 'text' }, { decision: 'no' })).toBeNull();
    expect(verdict({ ...form, kind: 'operator' }, { approved: false })).toBeNull();
  });

  test('the decision of an answer is called rejected or approved where an answer has one, and provided where a form has none', () => {
    const word = (values: JsonObject): string =>
      decisionLabel({ question: form, decision: { status: 'resolved', values } });
    expect([word({ approve: false }), word({ approve: true }), word({ days: 3 })]).toEqual([
      'rejected',
      'approved',
      'provided',
    ]);
  });
});
