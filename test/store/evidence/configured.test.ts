import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openStore } from '../../../src/store/open-store.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { EvidenceLine } from '../../../src/store/ports/evidence.ts';
import type { Store } from '../../../src/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

async function records(of = store): Promise<Record<string, unknown>[]> {
  const lines: EvidenceLine[] = [];
  await of.evidence.export({}, (line) => void lines.push(line));
  return lines.flatMap((line) => (line.type === 'record' ? [JSON.parse(line.record) as Record<string, unknown>] : []));
}

// Promise E10
test('the evidence has which configuration is in force: a record with its hashes for each that is another than before', async () => {
  const first = { file: 'f1', sections: { auth: 'a', policies: 'p' } };
  const together = [1, 2, 3].map(() => store.evidence.configured({ at: 'start', ...first }));
  expect((await Promise.all(together)).filter(Boolean)).toHaveLength(1);
  const second = { file: 'f2', sections: { auth: 'a', policies: 'q', users: 'u' } };
  expect(await store.evidence.configured({ at: 'reload', ...second })).toBe(true);
  expect(await store.evidence.configured({ at: 'start', ...second })).toBe(false);
  expect(await records()).toMatchObject([
    { kind: 'configured', when: 'start', ...first, changed: ['auth', 'policies'] },
    { kind: 'configured', when: 'reload', ...second, changed: ['policies', 'users'] },
  ]);
  expect((await store.evidence.verify({})).faults).toEqual([]);
});

// Promise W30
test('records that the program makes of itself bear the time of the clock that the store was given, not that of its machine', async () => {
  const at = '2031-05-06T07:08:09.000Z';
  const other = await openStore({ pglite: await openMemoryDatabase(), now: () => new Date(at) });
  try {
    await other.evidence.configured({ at: 'start', file: 'f', sections: {} });
    await other.evidence.sign((head) => ({ ...head, key: 'k', signature: 's' }), null);
    await other.evidence.rebuilt({ by: 'test', tasks: 0, questions: 0, failed: 0 });
    expect((await records(other)).map((record) => [record['kind'], record['at']])).toEqual([
      ['configured', at],
      ['signed', at],
      ['rebuilt', at],
    ]);
  } finally {
    await other.close();
  }
});
