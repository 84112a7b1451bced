import { expect, test } from '@jest/globals';
import { shownStatuses } from '../../../src/contract/holds/hold-names.ts';
import { statusAt } from '../../../src/core/answers/time-up.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aHold, decidedBy, onEachDatabase } from '../stores.ts';

const hourMs = 3_600_000;
const at = (ms: number): string => new Date(Date.now() + ms).toISOString();

onEachDatabase(({ store }) => {
  // Promise Q80
  test('lists and counts find a question by the status that it is shown with, its deadline passed or not', async () => {
    const outgoing: HoldRow['outgoing'] = {
      decision: decidedBy('user:ana').decision ?? never(),
      at: at(hourMs),
      fingerprint: 'p',
    };
    const rows = [
      aHold({ expiresAt: null }),
      aHold({ expiresAt: at(hourMs) }),
      aHold({ expiresAt: at(-hourMs) }),
      aHold({ expiresAt: at(-hourMs), outgoing }),
      aHold({ expiresAt: at(-hourMs) }),
    ];
    await store().holds.putOnce(rows);
    const decided = rows.at(-1);
    if (decided !== undefined) await store().holds.close(decided.holdId, decidedBy('user:ana'));
    const now = at(0);
    const kept = await Promise.all(rows.map(async ({ holdId }) => (await store().holds.get(holdId)) ?? never()));
    for (const status of shownStatuses) {
      const wanted = kept.filter((row) => statusAt(row, now) === status).map(({ holdId }) => holdId);
      const { items } = await store().holds.list({ statuses: [status] });
      expect([status, items.map(({ holdId }) => holdId).toSorted()]).toEqual([status, wanted.toSorted()]);
      expect(await store().holds.counts({ statuses: [status] })).toBe(wanted.length);
    }
    expect(await store().holds.counts({ statuses: ['open', 'time_up'] })).toBe(4);
    // As metrics, the overview and the page count them.
    expect(await store().holds.counts({ metric: 'open' })).toBe(3);
    expect(await store().holds.counts({ metric: 'overdue' })).toBe(2);
    expect((await store().statistics.overview(hourMs)).now).toMatchObject({ open: 3, overdue: 2 });
  });
});

function never(): never {
  throw new Error('a row is missing');
}
