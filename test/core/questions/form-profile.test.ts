import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import { checkProfile } from '../../../src/core/questions/form-profile.ts';
import { fc } from '../../rigs/properties.ts';

const withProperty = (schema: Json): JsonObject => ({ type: 'object', properties: { x: schema } });

const nested = (levels: number): JsonObject => {
  let inner: Json = 1;
  for (let level = 1; level < levels; level += 1) inner = [inner];
  return { type: 'object', default: inner };
};

describe('the schema we accept from agents', () => {
  test('a usual form passes, local references too', () => {
    expect(
      checkProfile({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: { City: { type: 'string', enum: ['a'], title: 'City' } },
        properties: {
          city: { $ref: '#/$defs/City' },
          zip: { type: 'string', 'x-group': 'Address' },
          n: { type: 'integer', minimum: 1, default: { anything: { $ref: 'x' } } },
        },
        required: ['city'],
        additionalProperties: false,
      }),
    ).toEqual({ ok: true });
  });

  test.each<[string, JsonObject, RegExp]>([
    ['that is not an object schema', { type: 'string' }, /type is not "object"/],
    ['with a remote reference', withProperty({ $ref: 'https://evil/x' }), /elsewhere/],
    ['with a rule that is not applied', withProperty({ unevaluatedItems: false }), /"unevaluatedItems" is not known/],
    ['with such a rule inside anyOf', withProperty({ anyOf: [{ not: { disallow: 'null' } }] }), /"disallow"/],
    ['with a reference that leads nowhere', withProperty({ $ref: '#/$defs/City' }), /not there/],
    [
      'with a reference into data',
      { ...withProperty({ $ref: '#/default' }), default: { type: 'string' } },
      /not there/,
    ],
    ['with a reference into an annotation', { ...withProperty({ $ref: '#/xml' }), xml: {} }, /not there/],
    ['with an address inside', withProperty({ $id: 'https://a.example', items: { $ref: '#' } }), /"\$id"/],
    [
      'that defines a name twice',
      { ...withProperty({}), $defs: { A: {} }, definitions: { A: { type: 'null' } } },
      /"definitions"/,
    ],
    ['with a schema that is none', withProperty(3), /not a schema/],
    ['larger than 128 KiB', withProperty({ description: 'ä'.repeat(70_000) }), /128 KiB/],
    [
      'with 501 properties',
      { type: 'object', properties: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`p${i}`, true])) },
      /500/,
    ],
    ['with a long pattern', withProperty({ pattern: 'a'.repeat(1001) }), /pattern/],
    ['naming a prototype', { type: 'object', properties: JSON.parse('{"__proto__":{}}') }, /not allowed/],
  ])('a schema %s is refused', (_, schema, why) => {
    expect(checkProfile(schema)).toEqual({ ok: false, why: expect.stringMatching(why) });
  });

  test('16 levels pass and any depth beyond is refused without a stack overflow', () => {
    expect(checkProfile(nested(16))).toEqual({ ok: true });
    expect(checkProfile({ type: 'object', default: [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]] })).toMatchObject({ ok: false });
    expect(checkProfile(nested(17))).toMatchObject({ ok: false });
    expect(checkProfile(nested(100_000))).toMatchObject({ ok: false });
  });

  test('any JSON gets an answer', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('type', 'properties', 'allOf', 'items', '$ref', 'pattern', 'x'), fc.jsonValue()),
        (schema) => {
          expect(typeof checkProfile({ ...JSON.parse(JSON.stringify(schema)), type: 'object' }).ok).toBe('boolean');
        },
      ),
    );
  });
});
