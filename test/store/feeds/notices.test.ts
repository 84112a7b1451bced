import { afterEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import type { Written } from '../../../src/store/feeds/fresh-entries.ts';
import { openNotice, pack, type Changes } from '../../../src/store/feeds/notices.ts';
import { useColumnKeys } from '../../../src/store/sealed-columns.ts';
import { runTopic } from '../../../src/store/feeds/waiters.ts';
import { aRun as run } from '../rows.ts';
import { upTo } from '../stores.ts';

const keys = createCodecKeys('ab'.repeat(32));
afterEach(() => useColumnKeys(null));

const written = (firstSeq: number, ...texts: string[]): Written => ({ firstSeq, texts });
const merged = (payloads: string[]): Changes => new Map(payloads.flatMap((payload) => [...openNotice(payload)]));
const largest = (payloads: string[]): number => Math.max(...payloads.map((payload) => Buffer.byteLength(payload)));
const words = '{"delta":"für Ünïcödé 🙂\\n"}';

describe.each([
  ['in clear', null],
  ['encrypted', keys],
])('a notice %s', (_how, used) => {
  test('a notice says what has changed, and what was written', () => {
    useColumnKeys(used);
    const changes: Changes = new Map([
      ['12', [written(3, words), { ...written(4, '{}'), isLast: true }]],
      ['h:one:two', null],
      ['13', [written(1, '{}')]],
    ]);
    const payloads = pack('abcd', changes);
    expect(payloads).toHaveLength(1);
    expect(merged(payloads)).toEqual(changes);
  });

  test('a payload never passes what PostgreSQL takes, however much was written', () => {
    useColumnKeys(used);
    const many: Changes = new Map(
      upTo(5_000).map((n) => [String(n * 1_000_003), n % 3 === 0 ? [written(n, words.repeat(n % 40))] : null]),
    );
    const payloads = pack('abcd', many);
    expect(largest(payloads)).toBeLessThanOrEqual(7_000);
    expect(merged(payloads)).toEqual(many);
  });

  test('what is large is announced, and left to be read', () => {
    useColumnKeys(used);
    const changes: Changes = new Map([
      ['1', [written(1, randomBytes(6_000).toString('base64'))]],
      ['2', [written(1, '{}')]],
      ['3', [written(1, 'x'.repeat(64 * 1024))]],
    ]);
    expect(merged(pack('abcd', changes))).toEqual(new Map([...changes, ['1', null], ['3', null]]));
  });

  test('what is large and much alike is compressed into one notice', () => {
    useColumnKeys(used);
    const changes: Changes = new Map([['1', [written(1, ...upTo(400).map((n) => `{"n":${n},"delta":"${words}"}`))]]]);
    const payloads = pack('abcd', changes);
    expect(payloads).toHaveLength(1);
    expect(largest(payloads)).toBeLessThanOrEqual(7_000);
    expect(merged(payloads)).toEqual(changes);
  });

  test('a notice of a run brings its row with its first events', () => {
    useColumnKeys(used);
    const changes: Changes = new Map([
      [runTopic(run), [{ run, isNew: true }]],
      ['7', [written(1, '{}')]],
    ]);
    expect(merged(pack('abcd', changes))).toEqual(changes);
  });

  test('a run in a notice of another run is read', () => {
    useColumnKeys(used);
    const changes: Changes = new Map([[runTopic({ ...run, runId: 'other' }), [{ run, isNew: true }]]]);
    expect([...merged(pack('abcd', changes)).values()]).toEqual([null]);
  });
});

test('no change makes no notice', () => {
  expect(pack('abcd', new Map())).toEqual([]);
});

test('a notice of an encrypted database has no words in clear', () => {
  useColumnKeys(keys);
  expect(pack('abcd', new Map([['1', [written(1, 'secret words')]]])).join('')).not.toContain('secret');
});

test.each([
  ['in clear', (): string => 'abcd:1\n{"1":[{"firstSeq":1,"texts":["{}"]}]}'],
  [
    'of another sender',
    (): string => pack('efgh', new Map([['1', [written(1, '{}')]]]))[0]?.replace('efgh:', 'abcd:') ?? '',
  ],
  ['that is no JSON', (): string => 'abcd:1\nhp1:x:y'],
])('where rows are encrypted, what a notice %s says was written is read from the log', (_what, payload) => {
  useColumnKeys(keys);
  expect(openNotice(payload())).toEqual(new Map([['1', null]]));
});

test.each(['[]', '{"1":{}}', '{"1":[{"firstSeq":"1","texts":[]}]}', '{"1":[{"firstSeq":1,"texts":[1]}]}', 'null', '{'])(
  'what a notice says was written is read from the log where it is no entries: %s',
  (line) => {
    expect(openNotice(`abcd:1\n${line}`)).toEqual(new Map([['1', null]]));
  },
);

test('a notice in clear is believed where rows are in clear', () => {
  expect(openNotice('abcd:1\n{"1":[{"firstSeq":1,"texts":["{}"]}]}')).toEqual(new Map([['1', [written(1, '{}')]]]));
});

test.each(['', ':', 'abcd', 'abcd:', 'abcd:\n{"1":[]}'])('a notice %j of nothing changes nothing', (payload) => {
  expect(openNotice(payload)).toEqual(new Map());
});
