// Forms with a field that decides: what the two buttons send, and what they still ask for.
import { describe, expect, test } from '@jest/globals';
import { decidesOf } from '../../../src/core/consent/verdict.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import { approvedForm, type AskedForm, rejectedForm, takesReason } from '../../../web/src/hold/answer/verdict.ts';
import { partOf } from '../../../web/src/hold/form/draw-schema.ts';
import { expenseForm, checkExpense } from '../../../examples/agents/expenses/expense-form.js';
import { readFields } from '../../../src/wire/a2a/dialects/forms/form-fields.ts';
import { anExpense } from '../../rigs/pages/expense-hold.ts';

function asked(change: Parameters<typeof anExpense>[1] = {}): AskedForm {
  const hold = anExpense(1, change);
  if (hold.decides === null) throw new Error('a form that decides nothing');
  return { ...hold, decides: hold.decides };
}
const { schema } = anExpense(1);
/** As its agent would send it: a word of JSON Schema is not a method here. */
const whenYes: object = JSON.parse(
  '{ "if": { "properties": { "approve": { "const": true } } }, "then": { "required": ["costCentre", "purpose"] } }',
);
const onlyForYes = { ...schema, required: ['approve'], ...whenYes };

describe('a form with a field that decides', () => {
  test('an approval asks for the fields that are missing, in their order, and for no others', () => {
    expect(approvedForm(asked(), { amount: 84.5 })).toEqual({ lacks: ['costCentre', 'purpose'] });
    expect(approvedForm(asked(), { amount: -1, costCentre: 'sales', purpose: 'Lunch' })).toEqual({ lacks: ['amount'] });
  });

  test('an approval sends all that was written with the yes in its field', () => {
    const values = { amount: 84.5, costCentre: 'sales', purpose: 'Lunch' };
    expect(approvedForm(asked(), values)).toEqual({
      body: { status: 'resolved', values: { ...values, approve: true }, digest: 'sha256:1' },
    });
  });

  test('a no asks for nothing where the schema allows it, and is sent with what was proposed', () => {
    expect(rejectedForm(asked({ schema: onlyForYes }), { amount: 84.5, purpose: 'L' }, '')).toEqual({
      body: { status: 'resolved', values: { amount: 84.5, approve: false }, digest: 'sha256:1' },
    });
  });

  test('the demo agent’s form asks a yes for a cost centre and a purpose, and a no for a reason at most', () => {
    const { fields } = expenseForm({ formId: 'f', claim: 'Lunch, 84.50 EUR', amount: 84.5 });
    const hold = asked(readFields(fields, {}));
    expect(approvedForm(hold, { amount: 84.5 })).toEqual({ lacks: ['costCentre', 'purpose'] });
    const values = { amount: 84.5, reason: 'No receipt', approve: false };
    expect(rejectedForm(hold, { amount: 84.5 }, 'No receipt')).toEqual({
      body: { status: 'resolved', values, digest: 'sha256:1' },
    });
    expect(checkExpense(values)).toEqual({});
    expect(checkExpense({ ...values, approve: true })).toMatchObject({ costCentre: expect.any(String) });
  });

  test('a no whose form takes a reason carries it in that field', () => {
    const properties = { ...(schema['properties'] as object), comment: { type: 'string' } };
    const hold = asked({ schema: { ...onlyForYes, properties } });
    expect(takesReason(hold)).toBe(true);
    expect(rejectedForm(hold, {}, ' No budget ')).toEqual({
      body: { status: 'resolved', values: { comment: 'No budget', approve: false }, digest: 'sha256:1' },
    });
  });

  test('a no is a refusal with its reason where the agent can be refused and the form has no field for it', () => {
    const hold = asked({ onReject: 'answers' });
    expect(rejectedForm(hold, { amount: 84.5 }, 'No budget')).toEqual({
      body: { status: 'cancelled', reason: 'No budget', digest: 'sha256:1' },
    });
    expect(rejectedForm(hold, { amount: 84.5 }, '')).toEqual({ body: { status: 'cancelled', digest: 'sha256:1' } });
  });

  test('a no asks for what the schema demands where the agent cannot be refused', () => {
    expect(rejectedForm(asked(), { amount: 84.5 }, '')).toEqual({ lacks: ['costCentre', 'purpose'] });
    expect(takesReason(asked())).toBe(false);
  });

  test('the fields beneath a button are some of the form and all required; the field that decides is never drawn', () => {
    expect(partOf(schema, ['approve'], ['purpose'])).toMatchObject({
      properties: { purpose: { title: 'Purpose' } },
      required: ['purpose'],
    });
    const whole = partOf(schema, ['approve']);
    expect(Object.keys(whole['properties'] as object)).toEqual(['amount', 'costCentre', 'purpose']);
    expect(whole['required']).toEqual(['amount', 'costCentre', 'purpose']);
  });
});

describe('the two values of a field that decides', () => {
  const of = (property: object, more: object = {}): ReturnType<typeof decidesOf> =>
    decidesOf({
      kind: 'form',
      schema: { type: 'object', properties: { note: { type: 'string' }, decision: property } },
      ...more,
    } as Pick<Question, 'kind' | 'schema'>);

  test.each([
    ['a yes or no', { type: 'boolean' }, { field: 'decision', yes: true, no: false }],
    ['two words', { enum: ['approve', 'reject'] }, { field: 'decision', yes: 'approve', no: 'reject' }],
    [
      'two titled words',
      { oneOf: [{ const: 'deny' }, { const: 'allow' }] },
      { field: 'decision', yes: 'allow', no: 'deny' },
    ],
    ['a third word', { enum: ['approve', 'reject', 'escalate'] }, null],
    ['two words of which neither is a no', { enum: ['approve', 'later'] }, null],
    ['free text', { type: 'string' }, null],
    ['a yes alone', { type: 'boolean', enum: [true] }, null],
    ['a fixed yes', { type: 'boolean', const: true }, null],
  ])('the two values of a field that decides are read from the schema: %s', (_what, property, expected) => {
    expect(of(property)).toEqual(expected);
  });

  test('a form without such a field has none, and a named field goes before the usual names', () => {
    expect(decidesOf({ kind: 'form', schema: { type: 'object', properties: { note: { type: 'string' } } } })).toBe(
      null,
    );
    const schemaOf = { type: 'object', properties: { ok: { type: 'boolean' }, approved: { type: 'boolean' } } };
    expect(decidesOf({ kind: 'form', schema: schemaOf, decisionField: 'ok' })).toMatchObject({ field: 'ok' });
  });
});
