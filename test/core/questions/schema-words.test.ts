import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import { readProfile } from '../../../src/core/questions/form-profile.ts';
import { withoutAnnotations } from '../../../src/core/questions/schema-words.ts';
import { fc, runs } from '../../rigs/properties.ts';

const read = (schema: JsonObject): JsonObject => {
  const profile = readProfile(schema);
  if (!profile.ok) throw new Error(profile.why);
  return profile.schema;
};
const field = (schema: Json, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { x: schema },
  ...more,
});

describe('the words of a generator', () => {
  // Promise QU6
  test.each<[string, JsonObject, JsonObject]>([
    [
      'definitions of draft 7 are those of 2020-12',
      field({ $ref: '#/definitions/City' }, { definitions: { City: { type: 'string' } } }),
      field({ $ref: '#/$defs/City' }, { $defs: { City: { type: 'string' } } }),
    ],
    [
      'names of choices are their titles',
      field({ enum: ['n'], enumNames: ['New'] }),
      field({ oneOf: [{ const: 'n', title: 'New' }] }),
    ],
    ['nullable adds null to a type', field({ type: 'integer', nullable: true }), field({ type: ['integer', 'null'] })],
    ['nullable without a type says nothing', field({ enum: [1], nullable: true }), field({ enum: [1] })],
    [
      'a list of items is one schema a place',
      field({ items: [{}], additionalItems: false }),
      field({ prefixItems: [{}], items: false }),
    ],
    [
      'dependencies are names or schemas',
      { type: 'object', dependencies: { a: ['b'], b: { required: ['c'] } } },
      { type: 'object', dependentRequired: { a: ['b'] }, dependentSchemas: { b: { required: ['c'] } } },
    ],
    ['a flag makes a bound exclusive', field({ minimum: 1, exclusiveMinimum: true }), field({ exclusiveMinimum: 1 })],
    ['a flag may leave a bound as it is', field({ maximum: 1, exclusiveMaximum: false }), field({ maximum: 1 })],
    [
      'a schema that is a reference is what it refers to',
      { $defs: { A: field({ $ref: '#/$defs/A' }) }, $ref: '#/$defs/A', title: 'T' },
      { ...field({ $ref: '#/$defs/A' }), title: 'T', $defs: { A: field({ $ref: '#/$defs/A' }) } },
    ],
    ['properties alone are an object', { properties: {} }, { type: 'object', properties: {} }],
    [
      'an address without references below it is a name',
      field({ $id: 'X', type: 'string' }),
      field({ type: 'string' }),
    ],
    [
      'a property may have the name of any word',
      field({}, { properties: { definitions: { type: 'string' }, nullable: {} } }),
      field({}, { properties: { definitions: { type: 'string' }, nullable: {} } }),
    ],
  ])('a schema is read so that %s', (_what, given, expected) => {
    expect(read(given)).toEqual(expected);
  });

  // Promise QU6
  test('unknown words are kept with the question, and are not in the copy that is checked', () => {
    const given = field(
      { type: 'string', 'x-ui': { widget: 'area' }, propertyOrder: 1 },
      { discriminator: { propertyName: 'x' } },
    );
    expect(read(given)).toEqual(given);
    expect(withoutAnnotations(read(given))).toEqual(field({ type: 'string' }));
  });
});

const value: fc.Arbitrary<Json> = fc.oneof(
  { maxDepth: 2 },
  fc.constantFrom<Json>(null, true, 0, 1, 2, 7, 'n', 'New', '', 'Rome'),
  fc.array(fc.constantFrom<Json>(null, 1, 'n', 'Rome'), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom<Json>(null, 1, 'n', 'New', 'Rome', []), { maxKeys: 3 }),
);

const { schema: draft7 } = fc.letrec<{ schema: Json; leaf: Json }>((tie) => ({
  leaf: fc
    .record(
      {
        type: fc.constantFrom<Json>('string', 'integer', 'array', 'object', 'null', 'boolean'),
        nullable: fc.boolean(),
        minimum: fc.constantFrom(1, 2),
        minLength: fc.constantFrom(1, 3),
        maxItems: fc.constantFrom(1, 2),
        unheard: fc.constantFrom<Json>(1, { type: 'string', pattern: '[' }, ['not', { const: 1 }]),
        propertyOrder: fc.nat(5),
        discriminator: fc.constant({ propertyName: 'a' }),
        title: fc.constant('T'),
      },
      { requiredKeys: [] },
    )
    // Ajv itself takes nullable next to a type alone, and not with that of null.
    .map(({ nullable, ...rest }): Json =>
      nullable === undefined || rest.type === undefined || rest.type === 'null' ? rest : { ...rest, nullable },
    ),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    fc.constant<Json>({ $ref: '#/definitions/City' }),
    fc.record({ enum: fc.constant<Json>(['n', 1]), enumNames: fc.constantFrom<Json>(['New', 'One'], ['New'], 7) }),
    fc.record(
      { items: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), additionalItems: tie('schema') },
      { requiredKeys: ['items'] },
    ),
    fc.record({
      dependencies: fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(fc.constant<Json>(['c']), tie('schema')), {
        maxKeys: 2,
      }),
    }),
    fc.record({
      properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
      additionalProperties: fc.boolean(),
    }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), not: fc.constant<Json>({ const: 7 }) }),
  ),
}));

const draft7Ajv = new Ajv({ strict: false, logger: false });
const ajv2020 = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false });

// Promise QU6
test('what a schema of draft 7 with unknown words forbids is forbidden by the copy that is checked, and nothing else', () => {
  fc.assert(
    fc.property(draft7, fc.array(value, { minLength: 1, maxLength: 6 }), (part, values) => {
      const whole: JsonObject = {
        type: 'object',
        definitions: { City: { type: 'string', minLength: 2, unheard: true } },
        properties: { x: part },
        propertyOrder: 1,
      };
      // One that is nested too deep is a question in words, whatever it says.
      const profile = readProfile(whole);
      fc.pre(profile.ok || !profile.why.startsWith('it is nested deeper'));
      const own = draft7Ajv.compile(whole);
      const copy = ajv2020.compile(withoutAnnotations(read(whole)));
      for (const x of values) expect([x, copy({ x })]).toEqual([x, own({ x })]);
      // All but the meta-schemas, which take most of the time to compile.
      for (const ajv of [draft7Ajv, ajv2020]) ajv.removeSchema();
    }),
    { numRuns: runs(2000) },
  );
});
