import { describe, expect, test } from '@jest/globals';
import jsonPatch, { type Operation } from 'fast-json-patch';
import type { Json, JsonObject } from '../../../../src/contract/base/json.ts';
import { jsonBytes } from '../../../../src/wire/agui/model/json-bytes.ts';
import { applyOps, pointerSegments } from '../../../../src/core/agui/patch.ts';
import { difference, pointerOf, withValueAt } from '../../../../src/wire/agui/model/state-patch.ts';
import { fc } from '../../../rigs/properties.ts';

const aJson = fc.jsonValue({ maxDepth: 4 }).map((value): Json => JSON.parse(JSON.stringify(value)));
const anObject = fc
  .dictionary(fc.oneof(fc.constantFrom('a', 'b', 'a/b', '~', '', 'toString'), fc.string()), aJson, { maxKeys: 6 })
  .map((value): JsonObject => JSON.parse(JSON.stringify(value)));

describe('a difference', () => {
  // Promise B35
  test("applied by AG-UI's own patch library, and by Standfast’s, gives the other value", () => {
    fc.assert(
      fc.property(anObject, anObject, (before, after) => {
        const ops = difference(before, after);
        const operations: Operation[] = ops;
        const theirs: unknown = jsonPatch.applyPatch(structuredClone(before), operations, true, false).newDocument;
        expect(theirs).toEqual(after);
        expect(applyOps(before, ops)).toEqual(after);
      }),
    );
  });

  test('a difference of equal values is empty', () => {
    fc.assert(fc.property(aJson, (value) => expect(difference(value, structuredClone(value))).toEqual([])));
  });

  test('a difference of a list that grew only adds', () => {
    expect(difference({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }, 3] })).toEqual([{ op: 'add', path: '/a/-', value: 3 }]);
  });

  // Promise B35
  test('a difference never names a key that could reach a prototype', () => {
    const before: JsonObject = JSON.parse('{"a":{"__proto__":{"x":1},"constructor":1}}');
    const after: JsonObject = JSON.parse('{"a":{"__proto__":{"x":2},"constructor":1}}');
    expect(difference(before, after)).toEqual([{ op: 'replace', path: '/a', value: after['a'] }]);
  });

  test('a difference of very many places replaces the value that holds them', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i]));
    expect(difference({ a: {}, b: 1 }, { a: many, b: 1 })).toEqual([{ op: 'replace', path: '/a', value: many }]);
  });
});

describe('a patch', () => {
  test.each([
    { name: 'of a missing place', ops: [{ op: 'replace' as const, path: '/x/y', value: 1 }] },
    { name: 'through a prototype', ops: [{ op: 'add' as const, path: '/__proto__/x', value: 1 }] },
    { name: 'past the end of a list', ops: [{ op: 'replace' as const, path: '/l/5', value: 1 }] },
    {
      name: 'that fails at its second step',
      ops: [
        { op: 'add' as const, path: '/z', value: 1 },
        { op: 'remove' as const, path: '/y' },
      ],
    },
  ])('a patch $name changes nothing', ({ ops }) => {
    const value: Json = { a: 1, l: [1] };
    expect(applyOps(value, ops)).toBe(value);
  });
});

test('a place is written without touching the value it was taken from', () => {
  fc.assert(
    fc.property(
      anObject,
      fc.array(fc.constantFrom('a', 'b', 'a/b'), { minLength: 1, maxLength: 4 }),
      aJson,
      (state, path, value) => {
        const frozen = structuredClone(state);
        const next = withValueAt(state, path, value);
        expect(state).toEqual(frozen);
        expect(applyOps(next, [{ op: 'remove', path: pointerOf(path) }])).not.toBe(next);
      },
    ),
  );
});

test('pointers keep every character of a key, and what is none is refused', () => {
  fc.assert(fc.property(fc.array(fc.string()), (keys) => expect(pointerSegments(pointerOf(keys))).toEqual(keys)));
  expect([pointerSegments('a/b'), pointerSegments('/a~2')]).toEqual([null, null]);
});

test('sizes are those of the JSON text', () => {
  fc.assert(fc.property(aJson, (value) => expect(jsonBytes(value)).toBe(Buffer.byteLength(JSON.stringify(value)))));
});

test('a size that was known before a place was written is right after it, too', () => {
  const path = fc.array(fc.constantFrom('a', 'b', 'a/b', 'ü"'), { minLength: 1, maxLength: 3 });
  const writes = fc.array(fc.tuple(path, aJson), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(anObject, writes, (state, all) => {
      let next = state;
      for (const [place, value] of all) {
        expect(jsonBytes(next)).toBe(Buffer.byteLength(JSON.stringify(next)));
        next = withValueAt(next, place, value);
        const [op] = difference(state, next);
        if (op !== undefined) expect(jsonBytes(applyOps(state, [op]))).toBeGreaterThan(1);
      }
      expect(jsonBytes(next)).toBe(Buffer.byteLength(JSON.stringify(next)));
    }),
  );
});
