import { describe, expect, test } from '@jest/globals';
import { engramExtension, type EngramEvent } from '../../../../src/contract/views/engram.ts';
import type { Json, JsonObject } from '../../../../src/contract/base/json.ts';
import { updateInMessage } from '../../../../src/wire/agui/engram/engram-input.ts';
import { applyPatch } from '../../../../src/wire/agui/engram/json-patch.ts';
import {
  bySequence,
  mirrorOf,
  readEvent,
  takeEvent,
  viewOf,
  withRead,
} from '../../../../src/wire/agui/engram/mirror.ts';
import { fc } from '../../../rigs/properties.ts';

const key = { key: 'k' };
const record = (value: Json, version: number): { key: { key: string }; value: Json; version: number } => ({
  key,
  value,
  version,
});
const delta = (version: number, patch: JsonObject[], sequence = String(version)): EngramEvent => ({
  kind: 'delta',
  key,
  patch,
  version,
  sequence,
});
const set = (value: Json): JsonObject[] => [{ op: 'replace', path: '', value }];

describe('events about records', () => {
  const mirror = mirrorOf([record({ n: 1 }, 3)]);

  // Promise EN7
  test('events about records count once: what is known already, by number or version, changes nothing', () => {
    expect(takeEvent(mirror, delta(3, set({ n: 9 }))).kind).toBe('stale');
    expect(takeEvent(mirror, { kind: 'snapshot', record: record({ n: 0 }, 2), sequence: '9' }).kind).toBe('stale');
    expect(takeEvent(mirror, { kind: 'delete', key: { key: 'other' }, sequence: '9' }).kind).toBe('stale');
    const events = [delta(2, []), delta(10, []), delta(9, [])];
    expect(events.toSorted(bySequence).map(({ sequence }) => sequence)).toEqual(['2', '9', '10']);
  });

  // Promise EN7
  test('events about records that leave a gap, or whose patch does not apply, ask for the record to be read', () => {
    expect(takeEvent(mirror, delta(5, set(1)))).toMatchObject({ kind: 'gap', key: 'k', why: 'version 5 after 3' });
    expect(takeEvent(mirror, delta(4, [{ op: 'replace', path: '/m', value: 1 }]))).toMatchObject({ kind: 'gap' });
    expect(takeEvent(mirrorOf([]), delta(1, set(1)))).toMatchObject({ kind: 'gap' });
    expect(viewOf(withRead(mirror, 'k', null))).toEqual({});
  });

  test('events about records that are none are the agent’s fault', () => {
    expect(() => readEvent({ kind: 'delta', key, patch: [], version: 1 })).toThrow('sequence');
    expect(() => readEvent({ kind: 'delete', key: { key: '__proto__' }, sequence: '1' })).toThrow(
      'not one that can be kept',
    );
    expect(() => readEvent({ kind: 'delete', key, sequence: '1e3' })).toThrow('expected digits');
  });

  // Promise EN7
  test('events about records in any order and any number give what the agent has, once gaps are read', () => {
    const values = fc.array(fc.integer(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(values, fc.array(fc.nat(20), { maxLength: 30 }), (written, order) => {
        const events = written.map((value, at) => delta(at + 2, set(value)));
        const now = record(written.at(-1) ?? null, written.length + 1);
        let seen = mirrorOf([record(null, 1)]);
        // Each comes at least once, others again and out of order.
        for (const at of [...order, ...events.keys()]) {
          const step = takeEvent(seen, events[at % events.length] ?? delta(1, []));
          if (step.kind === 'changed') seen = step.mirror;
          if (step.kind === 'gap') seen = withRead(seen, 'k', now);
        }
        expect(seen.get('k')).toMatchObject({ value: now.value, version: now.version });
      }),
    );
  });
});

// Promise EN8
describe('a patch from outside', () => {
  test('a patch from outside is refused where it copies, moves, reaches for a prototype or is too long', () => {
    const bad: JsonObject[][] = [
      [{ op: 'copy', from: '/a', path: '/b' }],
      [{ op: 'move', from: '/a', path: '/b' }],
      [{ op: 'add', path: '/__proto__/x', value: 1 }],
      [{ op: 'add', path: '/constructor', value: 1 }],
      [{ op: 'add', path: '/x' }],
      [{ op: 'add', path: 'x', value: 1 }],
      Array.from({ length: 501 }, () => ({ op: 'test', path: '/a', value: 1 })),
    ];
    for (const patch of bad) expect(applyPatch({ a: 1 }, patch).ok).toBe(false);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  test('a patch from outside applies as a whole or not at all', () => {
    const before = { a: [1], b: { c: 1 } };
    const good = [
      { op: 'test', path: '/b/c', value: 1 },
      { op: 'add', path: '/a/-', value: 2 },
      { op: 'remove', path: '/b' },
    ];
    expect(applyPatch(before, good)).toEqual({ ok: true, value: { a: [1, 2] } });
    expect(applyPatch(before, [...good, { op: 'replace', path: '/z', value: 1 }]).ok).toBe(false);
    expect(before).toEqual({ a: [1], b: { c: 1 } });
    expect(applyPatch(before, [{ op: 'replace', path: '', value: 'x'.repeat(1_100_000) }]).ok).toBe(false);
  });
});

describe('a change of the agent’s state inside a message', () => {
  // Promise EN9
  test('a change of the agent’s state inside a message is data, metadata and an extension', () => {
    const change = { scope: 'task' as const, path: '/limits', update: { max: 5 } };
    expect(updateInMessage(change)).toEqual({
      parts: [{ kind: 'data', data: { type: 'engram', ...change }, metadata: {} }],
      metadata: { engram: change },
      extensions: [engramExtension],
    });
    expect(updateInMessage(null)).toEqual({ parts: [], metadata: {}, extensions: [] });
  });
});
