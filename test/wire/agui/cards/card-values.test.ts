import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { cardValues } from '../../../../src/wire/agui/cards/card-values.ts';
import { decisionLabel } from '../../../../src/core/consent/verdict.ts';

const schemaOf = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('what a card shows of an answer', () => {
  test('what a card shows of an answer is at most 20 scalars of 200 characters', () => {
    const names = Array.from({ length: 30 }, (_, i) => `f${i}`);
    const values = Object.fromEntries(names.map((name) => [name, 'x'.repeat(300)]));
    const shown = cardValues(schemaOf(Object.fromEntries(names.map((name) => [name, {}]))), values);
    expect(Object.keys(shown)).toHaveLength(20);
    expect(shown['f0']).toBe('x'.repeat(200));
  });

  test('what a card shows of an answer leaves objects out and joins lists of scalars', () => {
    const schema = schemaOf({ tags: {}, deep: {}, n: {}, ok: {} });
    expect(cardValues(schema, { tags: ['a', 2], deep: { x: 1 }, n: 3, ok: true })).toEqual({
      tags: 'a, 2',
      n: 3,
      ok: true,
    });
  });

  test.each<{ name: string; schema: JsonObject }>([
    { name: 'format password', schema: schemaOf({ pin: { type: 'string', format: 'password' } }) },
    { name: 'writeOnly', schema: schemaOf({ pin: { type: 'string', writeOnly: true } }) },
    { name: 'a list of secrets', schema: schemaOf({ pin: { items: { writeOnly: true } } }) },
    { name: 'a $ref', schema: { ...schemaOf({ pin: { $ref: '#/$defs/s' } }), $defs: { s: { format: 'password' } } } },
    { name: 'anyOf', schema: schemaOf({ pin: { anyOf: [{ type: 'null' }, { format: 'password' }] } }) },
    { name: 'another branch', schema: { ...schemaOf({ pin: {} }), allOf: [schemaOf({ pin: { writeOnly: true } })] } },
    {
      name: 'a $ref to itself',
      schema: { ...schemaOf({ pin: { $ref: '#/$defs/s' } }), $defs: { s: { $ref: '#/$defs/s' } } },
    },
    { name: 'a name the schema does not know', schema: schemaOf({}) },
  ])('what a card shows of an answer never has a secret: $name', ({ schema }) => {
    expect(cardValues(schema, { pin: '1234' })).toEqual({});
  });
});

const schema = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, city: { type: 'string' } },
};
const decided = (kind: 'form' | 'confirmation', status: 'resolved' | 'cancelled', values: JsonObject): string =>
  decisionLabel({ question: { kind, schema }, decision: { status, values } });

describe('a decision is called', () => {
  test.each([
    { word: 'answered', kind: decided('form', 'resolved', { city: 'Paris' }) },
    { word: 'rejected', kind: decided('form', 'resolved', { approved: false }) },
    { word: 'approved', kind: decided('confirmation', 'resolved', { approved: true, urgent: false }) },
    { word: 'rejected', kind: decided('confirmation', 'resolved', { approved: false }) },
    { word: 'rejected', kind: decided('confirmation', 'resolved', { approved: false, city: 'Rome' }) },
    { word: 'rejected', kind: decided('form', 'cancelled', {}) },
  ])('a decision is called $word', ({ word, kind: is }) => expect(is).toBe(word));
});
