import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../src/contract/base/json.ts';
import { canonicalJson } from '../../../src/core/base/json.ts';
import { fc } from '../../rigs/properties.ts';

/** The same value, its keys in the opposite order. */
function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, turned(member)]),
  );
}

describe('canonical JSON', () => {
  test('canonical JSON sorts keys by code unit at every depth, and keeps lists in order', () => {
    expect(canonicalJson({ b: [3, 1, { z: 1, a: 2 }], B: null, ä: true, '': 'x' })).toBe(
      '{"":"x","B":null,"b":[3,1,{"a":2,"z":1}],"ä":true}',
    );
  });

  test('canonical JSON sorts astral characters by code unit, as RFC 8785 does', () => {
    expect(canonicalJson({ '\ufb33': 1, '\u{1f600}': 2 })).toBe('{"\u{1f600}":2,"\ufb33":1}');
  });

  test('canonical JSON writes numbers and texts as ECMAScript does', () => {
    expect(canonicalJson([1e21, 1.0, -0, 0.1, 'a"\n\u2028'])).toBe('[1e+21,1,0,0.1,"a\\"\\n\u2028"]');
  });

  test('canonical JSON leaves absent members out', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
    expect(canonicalJson([undefined])).toBe('[null]');
    expect(canonicalJson(undefined)).toBe('null');
  });

  test('canonical JSON keeps a member called __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  test('canonical JSON is the same for the same value in any order of keys, and reads back as that value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.parse(JSON.stringify(value)) as Json;
        expect(canonicalJson(turned(json))).toBe(canonicalJson(json));
        expect(JSON.parse(canonicalJson(json))).toEqual(json);
      }),
    );
  });
});
