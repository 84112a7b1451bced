import { describe, expect, test } from '@jest/globals';
import { controlsOf, pruned, withLabels } from '../../../web/src/hold/form/draw-schema.ts';
import { shapeOf } from '../../../web/src/hold/values/schema-walk.ts';

type Schema = Record<string, unknown>;
const form = (properties: Schema, more: Schema = {}): Schema => ({ type: 'object', properties, ...more });
const drawn = (schema: Schema): Schema => withLabels(schema)['properties'] as Schema;
const controls = (schema: Schema): Schema => controlsOf(withLabels(schema), [], []);

// Promise QU7
describe('an optional field', () => {
  const optional = (one: Schema, more: Schema = {}): Schema => ({
    anyOf: [one, { type: 'null' }],
    default: null,
    ...more,
  });
  const schema = form(
    {
      nickname: optional({ type: 'string', maxLength: 20 }),
      age: optional({ type: 'integer' }, { title: 'How old' }),
      level: optional({ $ref: '#/$defs/Level' }),
      home: optional({ $ref: '#/$defs/Home' }),
      sure: optional({ type: 'boolean' }),
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    },
    {
      $defs: {
        Level: { type: 'string', enum: ['low', 'high'] },
        Home: form({ city: { type: 'string' } }, { required: ['city'] }),
      },
    },
  );

  test('an optional field is drawn as what it is when it is filled in', () => {
    expect(drawn(schema)).toMatchObject({
      nickname: { type: 'string', maxLength: 20, title: 'Nickname' },
      age: { type: 'integer', title: 'How old' },
      level: { $ref: '#/$defs/Level' },
      home: { $ref: '#/$defs/Home' },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    });
    for (const name of ['nickname', 'age', 'level', 'home', 'sure'])
      expect(drawn(schema)[name]).not.toHaveProperty('anyOf');
    expect(shapeOf(schema)).toMatchObject({ style: 'form', asJson: [] });
  });

  test('an optional choice can be left empty again', () => {
    expect(controls(schema)).toMatchObject({ level: { 'ui:widget': 'select' }, sure: { 'ui:widget': 'select' } });
    expect(controls(form({ level: { enum: ['low', 'high'] } }))).toMatchObject({ level: { 'ui:widget': 'radio' } });
  });

  test('an optional field that was emptied is null, and one that was not touched is left out', () => {
    expect(pruned(schema, {})).toEqual({});
    expect(pruned(schema, { nickname: undefined, age: null, home: { city: undefined } })).toEqual({
      nickname: null,
      age: null,
      home: null,
    });
    expect(pruned(schema, { nickname: 'Al', age: 7, home: { city: 'Rome' } })).toEqual({
      nickname: 'Al',
      age: 7,
      home: { city: 'Rome' },
    });
  });

  test('an optional field that has to be there is null where it is empty', () => {
    const phone = form(
      { phone: { type: ['string', 'null'] }, name: { type: 'string' } },
      { required: ['phone', 'name'] },
    );
    expect(pruned(phone, {})).toEqual({ phone: null });
    expect(pruned(phone, { phone: '', name: '' })).toEqual({ phone: null, name: '' });
  });
});

// Promise QU7
describe('a list of choices', () => {
  const items = {
    anyOf: [
      { const: 'a', title: 'A' },
      { const: 'b', title: 'B' },
    ],
  };

  test.each<[string, Schema]>([
    ['with titles', { type: 'array', items }],
    ['of a name of its own', { type: 'array', items: { $ref: '#/$defs/Tag' } }],
    ['that may be null', { anyOf: [{ type: 'array', items: { enum: ['a', 'b'] } }, { type: 'null' }] }],
  ])('a list of choices %s is boxes', (_what, tags) => {
    const schema = form({ tags }, { $defs: { Tag: { type: 'string', enum: ['a', 'b'] } } });
    expect(controls(schema)).toMatchObject({ tags: { 'ui:widget': 'checkboxes' } });
    expect(drawn(schema)).toMatchObject({ tags: { uniqueItems: true } });
  });

  test('a list that proposes a choice twice stays a list', () => {
    expect(controls(form({ tags: { type: 'array', items, default: ['a', 'a'] } }))['tags']).not.toHaveProperty(
      'ui:widget',
    );
  });
});
