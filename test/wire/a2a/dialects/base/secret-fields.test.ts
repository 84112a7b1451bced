import { describe, expect, test } from '@jest/globals';
import { secretsOf } from '../../../../../src/wire/a2a/dialects/base/secret-fields.ts';

const secret = { type: 'string', writeOnly: true };

describe('secret fields', () => {
  test('secret fields are found by name, also inside of lists and choices', () => {
    const properties = {
      user: { type: 'string' },
      pin: { type: 'string', format: 'password' },
      keys: { type: 'array', items: secret },
      either: { anyOf: [{ type: 'null' }, secret] },
    };
    expect(secretsOf({ type: 'object', properties })).toEqual(['pin', 'keys', 'either']);
  });

  test('secret fields are found in the parts of a combined schema', () => {
    expect(secretsOf({ type: 'object', allOf: [{ properties: { pin: secret } }] })).toEqual(['pin']);
  });

  test('a reference counts as secret as soon as the schema has a secret anywhere', () => {
    const properties = { a: { $ref: '#/$defs/s' }, b: { type: 'string' } };
    expect(secretsOf({ type: 'object', properties, $defs: { s: secret } })).toEqual(['a']);
    expect(secretsOf({ type: 'object', properties, $defs: { s: { type: 'string' } } })).toEqual([]);
  });

  test('secret fields are found in a schema that is itself a reference', () => {
    expect(secretsOf({ type: 'object', $ref: '#/$defs/f', $defs: { f: { properties: { pin: secret } } } })).toEqual([
      'pin',
    ]);
  });
});
