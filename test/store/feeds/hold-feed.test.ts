import { expect, test } from '@jest/globals';
import { anyHoldTopic, createHoldFeed, holdTopic } from '../../../src/store/feeds/hold-feed.ts';
import { createAnnouncer } from '../../../src/store/feeds/notify.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { openMemoryStore } from '../../rigs/store/memory-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { aHold, decidedBy, eventually, onEachDatabase, onTheSide, upTo } from '../stores.ts';

/** Follows in the background; what came so far can be asked at any time. */
function followed(store: Pick<Store, 'holdChanges'>): {
  seen: (string[] | 'gap')[];
  ids: () => string[];
  stop: () => Promise<void>;
  done: Promise<void>;
} {
  const end = new AbortController();
  const seen: (string[] | 'gap')[] = [];
  const changes = store.holdChanges(end.signal);
  const done = (async () => {
    for await (const batch of changes) seen.push(batch);
  })();
  const ids = (): string[] => seen.flatMap((batch) => (batch === 'gap' ? [] : batch));
  return {
    seen,
    ids,
    done,
    stop: () => {
      end.abort();
      return done;
    },
  };
}

onEachDatabase(({ store, kind, url }) => {
  test('who follows receives every hold that is opened or changed', async () => {
    const reader = followed(store());
    const rows = upTo(3).map((n) => aHold({ n }));
    const [first, second, third] = rows.map((row) => row.holdId);
    await store().holds.putOnce(rows);
    await eventually(() => rows.every((row) => reader.ids().includes(row.holdId)));
    const { length } = reader.seen;
    await store().holds.close(second ?? '', decidedBy('user:ana'));
    await store().holds.claim(third ?? '', { by: 'user:ana', at: aHold().openedAt });
    await eventually(() => {
      const fresh = reader.seen.slice(length).flat();
      return fresh.includes(second ?? '') && fresh.includes(third ?? '') && !fresh.includes(first ?? '');
    });
    await reader.stop();
  });

  test('nothing of a transaction is published before it commits, and nothing of one that fails', async () => {
    const reader = followed(store());
    const [kept, dropped] = [aHold(), aHold()];
    let isReported = false;
    await store().tx(async (tables) => {
      await tables.holds.putOnce([kept]);
      isReported = reader.ids().includes(kept.holdId);
    });
    const failed = store().tx(async (tables) => {
      await tables.holds.putOnce([dropped]);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await eventually(() => reader.ids().includes(kept.holdId));
    expect([isReported, reader.ids().includes(dropped.holdId)]).toEqual([false, false]);
    await reader.stop();
  });

  test('following begins with the call, before the first batch is asked for', async () => {
    const end = new AbortController();
    const changes = store().holdChanges(end.signal);
    const row = aHold();
    await store().holds.putOnce([row]);
    for await (const batch of changes) if (batch.includes(row.holdId)) break;
    end.abort();
  });

  test('closing the store ends who follows', async () => {
    const other = await (kind === 'postgres' ? openStore({ databaseUrl: url() }) : openMemoryStore());
    const { stop, done } = followed(other);
    await other.close();
    await done;
    await stop();
  });
});

onEachDatabase(
  ({ store, url }) => {
    const listeners = `from pg_stat_activity where datname = current_database() and application_name = 'standfast listen'`;

    test('a change made by another process is published, and after a listener was cut off a gap is', async () => {
      const second = await openStore({ databaseUrl: url() });
      const reader = followed(second);
      try {
        // Listening only begins with the first who follows: what came before may have been missed.
        await eventually(() => reader.seen.includes('gap'));
        const { holdId } = aHold();
        await store().holds.putOnce([aHold({ holdId })]);
        await eventually(() => reader.ids().includes(holdId));
        const { length } = reader.seen;
        await onTheSide(url(), `select pg_terminate_backend(pid) ${listeners}`);
        await eventually(() => reader.seen.slice(length).includes('gap'));
        await store().holds.setCard(holdId, { stage: 'x' });
        await eventually(() => reader.seen.slice(length).flat().includes(holdId));
        const own = aHold();
        await second.tx((tables) => tables.holds.putOnce([own]));
        await eventually(() => reader.ids().includes(own.holdId));
      } finally {
        await reader.stop();
        await second.close();
      }
    });
  },
  ['postgres'],
);

test('a reader who does not come reads everything again instead of all the ids', async () => {
  const feed = createHoldFeed();
  const end = new AbortController();
  const changes = feed.follow(end.signal)[Symbol.asyncIterator]();
  feed.publish(upTo(5_000).map((n) => holdTopic(String(n))));
  expect((await changes.next()).value).toHaveLength(5_000);
  feed.publish(upTo(6_000).map((n) => holdTopic(String(n))));
  expect((await changes.next()).value).toBe('gap');
  feed.publish([holdTopic('a:b,c'), holdTopic('a:b,c'), '17']);
  expect((await changes.next()).value).toEqual(['a:b,c']);
  feed.publish([holdTopic('x'), anyHoldTopic, holdTopic('y')]);
  expect((await changes.next()).value).toBe('gap');
  end.abort();
  expect((await changes.next()).done).toBe(true);
});

test('a change that could not be announced is published as a gap once the database is back', async () => {
  const sent: string[] = [];
  let failures = 2;
  const shaky = async (payload: string): Promise<void> => {
    failures -= 1;
    if (failures >= 0) throw new Error('gone');
    sent.push(payload);
  };
  const announcer = createAnnouncer(shaky, () => undefined);
  announcer.announce(['12', holdTopic('one')]);
  await eventually(() => sent.includes(`${announcer.sender}:${anyHoldTopic}`));
  await announcer.close();
});
