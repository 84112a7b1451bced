import { expect, test } from '@jest/globals';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import { aClaim, aRun, eventually, follow, onEachDatabase, token } from '../stores.ts';
import { endRun } from '../../rigs/store/store-writes.ts';

const wholeRun: AguiEvent[] = [
  { type: 'RUN_STARTED' },
  { type: 'STATE_SNAPSHOT', snapshot: 1 },
  { type: 'ACTIVITY_SNAPSHOT' },
  { type: 'TEXT_MESSAGE_START' },
  token('a'),
  { type: 'TEXT_MESSAGE_END' },
  { type: 'MESSAGES_SNAPSHOT', messages: 1 },
  { type: 'STATE_DELTA' },
  { type: 'ACTIVITY_DELTA' },
  { type: 'CUSTOM' },
  { type: 'STATE_SNAPSHOT', snapshot: 2 },
  { type: 'MESSAGES_SNAPSHOT', messages: 2 },
  { type: 'RUN_FINISHED' },
];

onEachDatabase(({ store }) => {
  const written = async (events: AguiEvent[], isEnded = true): Promise<number> => {
    const { logId } = await aRun(store());
    await store().log.append(logId, aClaim.fence, events);
    if (isEnded) await endRun(store(), logId, aClaim.fence, 'success');
    return logId;
  };
  /** The end of a run is a moment old before anything can be older than 0 ms. */
  const compactAll = async (): Promise<void> => eventually(async () => (await store().compact(0, 100)) > 0);

  test('a compacted run keeps start, activities, last snapshots and end under their numbers', async () => {
    const logId = await written(wholeRun);
    await compactAll();
    const entries = await store().log.read(logId, 0);
    expect(entries.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, 'RUN_STARTED'],
      [3, 'ACTIVITY_SNAPSHOT'],
      [9, 'ACTIVITY_DELTA'],
      [11, 'STATE_SNAPSHOT'],
      [12, 'MESSAGES_SNAPSHOT'],
      [13, 'RUN_FINISHED'],
    ]);
    expect(await follow(store(), logId)).toEqual(entries);
    expect((await follow(store(), logId, undefined, 10)).map((entry) => entry.seq)).toEqual([11, 12, 13]);
    for (let after = 0; after < 14; after += 1)
      expect(await store().log.read(logId, after, 2)).toEqual(entries.filter(({ seq }) => seq > after).slice(0, 2));
  });

  test('numbers stay also where thousands between them are gone', async () => {
    const tokens = Array.from({ length: 2_000 }, (_, n) => token(String(n)));
    const logId = await written([...wholeRun.slice(0, 3), ...tokens, ...wholeRun.slice(9)]);
    await compactAll();
    const entries = await store().log.read(logId, 0);
    expect(entries.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, 'RUN_STARTED'],
      [3, 'ACTIVITY_SNAPSHOT'],
      [2_005, 'STATE_SNAPSHOT'],
      [2_006, 'MESSAGES_SNAPSHOT'],
      [2_007, 'RUN_FINISHED'],
    ]);
    expect(await follow(store(), logId)).toEqual(entries);
    expect(await store().log.read(logId, 3, 2)).toEqual(entries.slice(2, 4));
  });

  test('what no later snapshot repeats is kept', async () => {
    const broken = [...wholeRun.slice(0, 6), { type: 'STATE_DELTA' }, { type: 'RUN_ERROR' }];
    const logId = await written(broken);
    await compactAll();
    expect((await store().log.read(logId, 0)).map((entry) => entry.event)).toEqual(broken);
  });

  test('open and young runs are not compacted, and a run is compacted once', async () => {
    const open = await written(wholeRun, false);
    const ended = await written(wholeRun);
    expect(await store().compact(3_600_000, 100)).toBe(0);
    await compactAll();
    expect(await store().compact(0, 100)).toBe(0);
    expect(await store().log.read(open, 0)).toHaveLength(13);
    expect(await store().log.read(ended, 0)).toHaveLength(6);
  });

  test('no more runs are compacted at a time than asked for', async () => {
    for (let n = 0; n < 3; n += 1) await written(wholeRun);
    await eventually(async () => (await store().compact(0, 2)) === 2);
    await compactAll();
  });
});
