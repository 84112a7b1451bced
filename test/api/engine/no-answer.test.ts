// Why a run or an answer was not taken in time, in words that name what keeps the slots.
import { expect, test } from '@jest/globals';
import { noAnswerError } from '../../../src/api/engine/temporal-failures.ts';
import type { Store } from '../../../src/store/store.ts';

const since = '2026-01-02T03:04:05.000Z';
const slotsOf = (sending: number): object => ({
  total: 500,
  agents: { slow: { sending, answering: 0, silent: 0 }, fine: { sending: 0, answering: 2, silent: 0 } },
});

/** A store with these slots, whose agent `slow` is away; of all else it has nothing. */
const storeWith = (slots: () => Promise<object>): Pick<Store, 'workers' | 'circuits'> =>
  ({
    workers: { sinceHeartbeatMs: () => Promise.resolve(1_000), slots },
    circuits: { list: () => Promise.resolve([{ agent: 'slow', since }]) },
  }) as unknown as Pick<Store, 'workers' | 'circuits'>;
const messageWith = async (slots: () => Promise<object>): Promise<string> =>
  (await noAnswerError({ store: storeWith(slots) }, 'worker', 'worker_unavailable')).message;

test('a run that no worker took in time is refused with the agent that has the slots, where none is free', async () => {
  expect(await messageWith(() => Promise.resolve(slotsOf(498)))).toBe(
    'no worker has taken this yet; the same request again is safe: ' +
      `all 500 slots of the workers are taken, 498 of them by agent slow, which is away since ${since}`,
  );
  expect(await messageWith(() => Promise.resolve(slotsOf(497)))).not.toContain('slots');
});

test('a run that no worker took in time is refused as such, where it is not known what keeps the slots', async () => {
  expect(await messageWith(() => Promise.reject(new Error('gone')))).toBe(
    'no worker has taken this yet; the same request again is safe',
  );
});
