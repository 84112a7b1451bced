import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import { holdKinds } from '../../../src/contract/base/kind-names.ts';
import {
  decisionLabel,
  endReasonOf,
  verdictOf,
  withDecisionRequired,
  yesNoFieldOf,
  yesOf,
} from '../../../src/core/consent/verdict.ts';

type Asked = Parameters<typeof verdictOf>[0];

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
const withFields = (properties: JsonObject, change: Partial<Asked> = {}): Asked => ({
  ...form,
  schema: { type: 'object', properties },
  ...change,
});
const verdict = (question: Asked, values: JsonObject): string => verdictOf(question, { status: 'resolved', values });
const flag = { type: 'boolean' };

describe('the verdict of an answer', () => {
  // Promise Y51
  // Promise QU1
  test.each([
    'approved',
    'approve',
    'confirmed',
    'confirm',
    'decision',
    'allow',
    'isAllowed',
    'accept',
    'authorised',
    'agreed',
    'proceed',
    'verdict',
  ])('the verdict of an answer is read from %s, of a form and of a tool call', (name) => {
    for (const kind of ['form', 'tool_call'] as const) {
      const question = withFields({ comment: { type: 'string' }, [name]: flag }, { kind });
      expect(verdict(question, { comment: 'x', [name]: false })).toBe('no');
      expect(verdict(question, { comment: 'x', [name]: true })).toBe('yes');
    }
  });

  // Promise Y51
  test.each<[string, Json]>([
    ['Pydantic', { enum: ['approve', 'reject', 'escalate'], type: 'string' }],
    ['Pydantic, by reference', { $ref: '#/$defs/Decision' }],
    ['Zod', { anyOf: [{ const: 'approve' }, { const: 'reject' }, { const: 'escalate' }] }],
    ['a form with titles', { oneOf: ['approve', 'reject', 'escalate'].map((one) => ({ const: one, title: one })) }],
    ['Pydantic, optional', { anyOf: [{ enum: ['approve', 'reject', 'escalate'] }, { type: 'null' }], default: null }],
  ])('the verdict of an answer is read from the words of a choice, as %s writes it', (_, property) => {
    const question = withFields({ verdict: property }, { kind: 'tool_call' });
    const schema = { ...question.schema, $defs: { Decision: { enum: ['approve', 'reject', 'escalate'] } } };
    const verdicts = ['approve', 'reject', 'escalate', 'Approve', null].map((one) =>
      verdict({ ...question, schema }, { verdict: one }),
    );
    expect(verdicts).toEqual(['yes', 'no', 'answered', 'answered', 'answered']);
  });

  // Promise Y51
  test.each<[string, JsonObject, JsonObject]>([
    ['a free text', { decision: { type: 'string' } }, { decision: 'approve' }],
    ['two words for a yes', { decision: { enum: ['approve', 'accept', 'reject'] } }, { decision: 'approve' }],
    ['a field that nothing calls a decision', { urgent: flag, note: { type: 'string' } }, { urgent: true }],
    ['a box that says no when it is ticked', { rejected: flag, note: { type: 'string' } }, { rejected: true }],
    ['a yes of one field and a no of another', { approved: flag, allow: flag }, { approved: true, allow: false }],
    ['a value of another type', { approved: flag }, { approved: 'true' }],
    ['a field that the form has not', {}, { approved: true }],
  ])('the verdict of an answer is neither a yes nor a no where it is %s', (_, properties, values) => {
    for (const kind of ['form', 'tool_call'] as const)
      expect(verdict(withFields({ x: { type: 'string' }, ...properties }, { kind }), values)).toBe('answered');
  });

  test('the verdict of an answer is read from the only field of a confirmation, and from nothing else in it', () => {
    expect(verdict(confirmation, { go: false })).toBe('no');
    expect(verdict(confirmation, { go: true })).toBe('yes');
    expect(verdict(confirmation, {})).toBe('answered');
  });

  // Promise QU1
  test('the verdict of an answer is read from the field that the form itself names, and then from no other', () => {
    const named = withFields({ release: flag, approved: flag }, { decisionField: 'release' });
    expect(verdict(named, { release: false, approved: true })).toBe('no');
    expect(verdict(named, { release: true, approved: false })).toBe('yes');
    expect(verdict(named, { approved: false })).toBe('answered');
  });

  // Promise Y51
  test('the verdict of an answer is a no when the question was refused, and neither in a text', () => {
    expect(verdictOf(form, { status: 'cancelled', values: {} })).toBe('no');
    expect(verdict(withFields({ decision: flag }, { kind: 'text' }), { decision: false })).toBe('answered');
    expect(verdict(withFields({ approved: flag }, { kind: 'operator' }), { approved: false })).toBe('answered');
  });

  // Promise Y51
  test('the verdict of an answer in the place of what was to be approved is neither', () => {
    const question = withFields({ approved: flag, response: { type: 'string' } }, { insteadField: 'response' });
    expect(verdict(question, { approved: true, response: 'I paid it myself' })).toBe('answered');
    expect(verdict(question, { approved: true, response: '' })).toBe('yes');
  });

  // Promise Y52
  test('the verdict of an answer is called approved for a yes alone, whatever its question is', () => {
    for (const kind of holdKinds) {
      const question = withFields({ note: { type: 'string' } }, { kind });
      const label = (values: JsonObject): string =>
        decisionLabel({ question, decision: { status: 'resolved', values } });
      expect(label({ note: 'No! I do not allow this.' })).toBe('answered');
      expect(decisionLabel({ question, decision: null })).toBe('answered');
      expect(endReasonOf(question, { status: 'resolved', values: { note: 'x' } })).toBe('answered');
    }
    expect(decisionLabel({ question: toolCall, decision: { status: 'resolved', values: { approved: true } } })).toBe(
      'approved',
    );
  });
});

describe('a call of a tool whose form has no field that can be read', () => {
  const unread = (properties: JsonObject, change: Partial<Asked> = {}): Asked =>
    withDecisionRequired(withFields(properties, { kind: 'tool_call', ...change }));

  // Promise Y53
  test('a call of a tool whose form has no field that can be read is asked for a yes or a no of Standfast’s own', () => {
    const question = unread({ note: { type: 'string' } });
    expect(question).toMatchObject({ decisionField: 'approved', ownDecision: { unread: [] } });
    expect(question.schema).toMatchObject({ properties: { approved: flag }, required: ['approved'] });
    expect(verdict(question, { approved: true, note: 'No!' })).toBe('yes');
    expect(verdict(question, { approved: false })).toBe('no');
    expect(verdict(question, { note: 'yes' })).toBe('answered');
    expect(yesOf(question)).toEqual({ approved: true });
  });

  // Promise Y53
  test('a call of a tool whose form has no field that can be read is not approved next to a field that says no', () => {
    const named = unread({ outcome: { type: 'string' } }, { decisionField: 'outcome' });
    expect(named).toMatchObject({ decisionField: 'approved', ownDecision: { unread: ['outcome'] } });
    expect(verdict(named, { approved: true, outcome: 'reject' })).toBe('answered');
    const twice = unread({ approved: { type: 'string' }, decision: { enum: ['approve', 'accept', 'reject'] } });
    expect(twice.decisionField).toBe('standfast_approved');
    expect(verdict(twice, { standfast_approved: true, decision: 'reject' })).toBe('answered');
    expect(verdict(twice, { standfast_approved: true, decision: 'accept' })).toBe('yes');
  });
});
