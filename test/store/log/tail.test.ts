import { expect, jest, test } from '@jest/globals';
import { openStore } from '../../../src/store/open-store.ts';
import { openMemoryStore } from '../../rigs/store/memory-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { aClaim, aKey, aRun, eventually, follow, onEachDatabase, onTheSide, token, tokens, upTo } from '../stores.ts';
import { quickest } from '../../rigs/quickest.ts';
import { countPostgres } from '../../rigs/store/statements.ts';
import { endRun } from '../../rigs/store/store-writes.ts';

/** Spelt out, since the formatter breaks the line before a computed call. */
const iterate = <T>(items: AsyncIterable<T>): AsyncIterator<T> => items[Symbol.asyncIterator]();
const idle = { idleMs: 60_000 };

/** Appends in many small batches, then ends the run in one transaction with its last event. */
async function write(store: Store, logId: number, batches: number): Promise<void> {
  for (const batch of upTo(batches)) await store.log.append(logId, aClaim.fence, tokens(3, `${batch}.`));
  await store.tx(async (tables) => {
    await tables.log.append(logId, aClaim.fence, [{ type: 'RUN_FINISHED' }]);
    await endRun(tables, logId, aClaim.fence, 'success');
  });
}

onEachDatabase(({ store, kind, url }) => {
  test('a tail sees every entry once while it is appended, and ends with the run', async () => {
    const { logId } = await aRun(store());
    const readers = upTo(5).map(() => follow(store(), logId));
    await write(store(), logId, 30);
    for (const entries of await Promise.all(readers)) {
      expect(entries.map((entry) => entry.seq)).toEqual(upTo(91));
      expect(entries.at(-1)?.event.type).toBe('RUN_FINISHED');
    }
  });

  test('a tail of an ended run gives what is left after a number, and ends', async () => {
    const { logId } = await aRun(store());
    await write(store(), logId, 2);
    expect((await follow(store(), logId, undefined, 5)).map((entry) => entry.seq)).toEqual([6, 7]);
    expect(await follow(store(), logId, undefined, 7)).toEqual([]);
  });

  test('a run that ends without a further entry ends its tail', async () => {
    const { logId } = await aRun(store());
    const reader = follow(store(), logId);
    await store().log.append(logId, aClaim.fence, tokens(1));
    await endRun(store(), logId, aClaim.fence, 'error');
    expect(await reader).toHaveLength(1);
  });

  test('a long log is read in pages, big entries in small ones', async () => {
    const { logId } = await aRun(store());
    await store().log.append(logId, aClaim.fence, tokens(1_100));
    await store().log.append(
      logId,
      aClaim.fence,
      upTo(5).map(() => token('x'.repeat(700_000))),
    );
    await endRun(store(), logId, aClaim.fence, 'success');
    const sizes: number[] = [];
    const { signal } = new AbortController();
    for await (const batch of store().tail(logId, 0, { signal, ...idle })) sizes.push(batch.length);
    expect(sizes).toEqual([500, 500, 102, 2, 1]);
  });

  test('a local append wakes a tail without waiting for a re-read', async () => {
    const { logId } = await aRun(store());
    const stop = new AbortController();
    const tail = iterate(store().tail(logId, 0, { signal: stop.signal, ...idle }));
    const delays: number[] = [];
    for (const n of upTo(10)) {
      const next = tail.next();
      const startMs = performance.now();
      await store().log.append(logId, aClaim.fence, [token(String(n))]);
      expect((await next).value).toMatchObject([{ seq: n }]);
      delays.push(performance.now() - startMs);
    }
    stop.abort();
    // The median: one slow moment of the machine is not a re-read, which would take all of them over 1 s.
    expect(delays.toSorted((a, b) => a - b)[5]).toBeLessThan(700);
  });

  test('a tail without news yields an empty batch at its idle bound', async () => {
    const { logId } = await aRun(store());
    const { signal } = new AbortController();
    const tail = iterate(store().tail(logId, 0, { signal, idleMs: 30 }));
    expect((await tail.next()).value).toEqual([]);
    expect((await tail.next()).value).toEqual([]);
    await tail.return?.();
  });

  test('an aborted tail ends at once', async () => {
    const { logId } = await aRun(store());
    const stop = new AbortController();
    const tail = iterate(store().tail(logId, 0, { signal: stop.signal, ...idle }));
    const next = tail.next();
    setTimeout(() => stop.abort(), 20);
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('nothing of a transaction is seen before it commits, and nothing of one that fails', async () => {
    const { logId } = await aRun(store());
    const reader = follow(store(), logId);
    const failed = store().tx(async (tables) => {
      await tables.log.append(logId, aClaim.fence, [token('never')]);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await write(store(), logId, 1);
    const entries = await reader;
    expect(entries.map((entry) => entry.seq)).toEqual(upTo(4));
    expect(JSON.stringify(entries)).not.toContain('never');
  });

  test('who waits for a run gets it when it is claimed', async () => {
    const key = aKey();
    const waiting = store().waitForRun(key, { signal: new AbortController().signal, timeoutMs: 20_000 });
    const run = await aRun(store(), key);
    expect(await waiting).toEqual(run);
  });

  test('a wait for a run that does not come ends at its bound, or when aborted', async () => {
    const { signal } = new AbortController();
    expect(await store().waitForRun(aKey(), { signal, timeoutMs: 30 })).toBeNull();
    const stop = new AbortController();
    const waiting = store().waitForRun(aKey(), { signal: stop.signal, timeoutMs: 60_000 });
    stop.abort();
    expect(await waiting).toBeNull();
  });

  test('who waits for the next run of a thread gets the newest, and control runs are none', async () => {
    const { signal } = new AbortController();
    const wake = async (): Promise<void> => {
      const key = aKey();
      const next = (after: number) => store().waitForNewest(key, after, { signal, timeoutMs: 20_000 });
      const first = await aRun(store(), key);
      expect(await next(0)).toEqual(first);
      const waiting = next(first.logId);
      await store().runs.claim({ ...key, runId: 'control' }, { ...aClaim, isControl: true });
      const second = await store().tx(async (tables) => {
        const claim = await tables.runs.claim({ ...key, runId: 'second' }, aClaim);
        if (claim.result !== 'claimed') throw new Error(claim.result);
        return claim.run;
      });
      expect(await waiting).toEqual(second);
    };
    // Woken: a wait that only polls from time to time would take five seconds.
    expect(await quickest(4_000, wake)).toBeLessThan(4_000);
  });

  test('a wait for a next run that does not come ends at its bound, or when aborted', async () => {
    const { signal } = new AbortController();
    const { logId, ...key } = await aRun(store());
    expect(await store().waitForNewest(key, logId, { signal, timeoutMs: 30 })).toBeNull();
    const stop = new AbortController();
    const waiting = store().waitForNewest(key, logId, { signal: stop.signal, timeoutMs: 60_000 });
    stop.abort();
    expect(await waiting).toBeNull();
  });

  test('who waits for the end of a task is woken by it, and polls no more often than that', async () => {
    const names = { ...aKey(), owner: 'anna', workflowId: 'w', firstExecutionRunId: 'f' };
    const taskId = `ends-${names.threadId}`;
    await store().tasks.put({ ...names, taskId }, new Date().toISOString());
    let reads = 0;
    let hasRead = (): void => undefined;
    const first = new Promise<void>((resolve) => (hasRead = resolve));
    const isOver = async (): Promise<string | null> => {
      reads += 1;
      const status = (await store().tasks.get(taskId))?.status;
      hasRead();
      return status === 'DONE' ? status : null;
    };
    // What would poll by the clock never comes: nothing but a wake goes on.
    const later = globalThis.setTimeout;
    const clock = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((call, ms) => later(() => call(), (ms ?? 0) < 1_000 ? ms : 2 ** 30).unref());
    try {
      const waiting = store().waitFor({ ended: taskId }, isOver, { timeoutMs: 60_000 });
      await first;
      await store().tx((tables) => tables.tasks.update(taskId, { status: 'DONE' }));
      expect(await waiting).toBe('DONE');
      expect(reads).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });

  test('what a transaction ends a run with reaches its reader, and ends the tail, by the word of its commit alone', async () => {
    const { logId } = await aRun(store());
    const stop = new AbortController();
    const tail = iterate(store().tail(logId, 0, { signal: stop.signal, ...idle }));
    const first = tail.next();
    await store().log.append(logId, aClaim.fence, tokens(1));
    expect((await first).value).toHaveLength(1);
    const later = globalThis.setTimeout;
    // What would poll by the clock never comes.
    const clock = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((call, ms) => later(() => call(), (ms ?? 0) < 1_000 ? ms : 2 ** 30).unref());
    try {
      const last = tail.next();
      await store().tx(async (tables) => {
        await tables.log.append(logId, aClaim.fence, tokens(2));
        const how = { status: 'success' as const, outcome: null, snapshot: null };
        await tables.log.end(logId, aClaim.fence, [{ type: 'RUN_FINISHED' }], how);
      });
      expect((await last).value).toMatchObject([{ seq: 2 }, { seq: 3 }, { seq: 4, event: { type: 'RUN_FINISHED' } }]);
      expect(await tail.next()).toEqual({ done: true, value: undefined });
    } finally {
      clock.mockRestore();
      stop.abort();
    }
  });

  test('closing the store ends its tails', async () => {
    const other = await (kind === 'postgres' ? openStore({ databaseUrl: url() }) : openMemoryStore());
    const { logId } = await aRun(other);
    const reader = follow(other, logId);
    await other.log.append(logId, aClaim.fence, tokens(1));
    await other.close();
    expect((await reader).length).toBeLessThanOrEqual(1);
  });
});

onEachDatabase(
  ({ store, url }) => {
    async function withSecond(work: (second: Store) => Promise<void>): Promise<void> {
      const second = await openStore({ databaseUrl: url() });
      try {
        await work(second);
      } finally {
        await second.close();
      }
    }
    const listeners = `from pg_stat_activity where datname = current_database() and application_name = 'standfast listen'`;
    const listening = (atLeast: number) => async (): Promise<boolean> =>
      (await onTheSide(url(), `select pid ${listeners} and query like 'listen%'`)).length >= atLeast;

    test('a tail sees every entry once while two processes append', async () => {
      await withSecond(async (second) => {
        const { logId } = await aRun(store());
        const readers = [follow(store(), logId), follow(second, logId)];
        await Promise.all(
          [store(), second].map(async (writer, index) => {
            for (const n of upTo(40)) await writer.log.append(logId, aClaim.fence, tokens(2, `${index}.${n}.`));
          }),
        );
        await write(second, logId, 0);
        for (const entries of await Promise.all(readers)) {
          expect(entries.map((entry) => entry.seq)).toEqual(upTo(161));
          expect(new Set(entries.map((entry) => JSON.stringify(entry.event))).size).toBe(161);
        }
      });
    });

    test('an append of another process wakes a tail well before a re-read', async () => {
      await withSecond(async (second) => {
        const { logId } = await aRun(store());
        const stop = new AbortController();
        const tail = iterate(store().tail(logId, 0, { signal: stop.signal, ...idle }));
        const delays: number[] = [];
        for (const n of upTo(10)) {
          const next = tail.next();
          await eventually(listening(1));
          const startMs = performance.now();
          await second.log.append(logId, aClaim.fence, [token(String(n))]);
          expect((await next).value).toMatchObject([{ seq: n }]);
          delays.push(performance.now() - startMs);
        }
        stop.abort();
        expect(delays.toSorted((a, b) => a - b)[5]).toBeLessThan(500);
      });
    });

    test('what another process appends comes with its notice, and is not read from the log', async () => {
      await withSecond(async (second) => {
        const statements = countPostgres();
        const stop = new AbortController();
        try {
          const { logId } = await aRun(store());
          const tail = iterate(store().tail(logId, 0, { signal: stop.signal, ...idle }));
          for (const n of upTo(30)) {
            const next = tail.next();
            await eventually(listening(1));
            await second.log.append(logId, aClaim.fence, [token(String(n))]);
            expect((await next).value).toMatchObject([{ seq: n, event: token(String(n)) }]);
          }
          // The first, and where the machine was so slow that the log was read again.
          const reads = statements.take().filter((text) => text.includes('bytes_before'));
          expect(reads.length).toBeLessThan(10);
        } finally {
          stop.abort();
          statements.stop();
        }
      });
    });

    test('who waits for a run gets it when another process claims it', async () => {
      await withSecond(async (second) => {
        const key = aKey();
        const waiting = store().waitForRun(key, { signal: new AbortController().signal, timeoutMs: 20_000 });
        await aRun(second, key);
        expect(await waiting).toMatchObject(key);
      });
    });

    test('who waits for the next run of a thread is woken by another process', async () => {
      await withSecond(async (second) => {
        const wake = async (): Promise<void> => {
          const key = aKey();
          const { signal } = new AbortController();
          const waiting = store().waitForNewest(key, 0, { signal, timeoutMs: 20_000 });
          await eventually(listening(1));
          const run = await aRun(second, key);
          expect(await waiting).toEqual(run);
        };
        expect(await quickest(4_000, wake)).toBeLessThan(4_000);
      });
    });

    // Promise S4
    test('an entry whose notification was lost is delivered by the re-read', async () => {
      const { logId } = await aRun(store());
      const reader = follow(store(), logId);
      // Another program's rows: they are not announced.
      await onTheSide(url(), `insert into events values ($1, 1, 1, 'CUSTOM', '[{"type":"CUSTOM"}]')`, [logId]);
      await onTheSide(url(), `update runs set last_seq = 1, status = 'error', ended_at = now() where log_id = $1`, [
        logId,
      ]);
      expect(await reader).toEqual([{ seq: 1, event: { type: 'CUSTOM' } }]);
    });

    // Promise LI5
    test('who waits for the next runs of many threads is read for together; one that was not announced is delivered so', async () => {
      const statements = countPostgres();
      const stop = new AbortController();
      try {
        const keys = upTo(20).map(() => aKey());
        const waits = keys.map((key) => store().waitForNewest(key, 0, { signal: stop.signal, timeoutMs: 60_000 }));
        const { logId } = await aRun(store());
        const first = (): number => statements.take().filter((text) => text.includes('"runs"')).length;
        let seen = 0;
        await eventually(async () => (seen += first()) >= keys.length);
        // Another program's row: it is not announced.
        const { agent, threadId } = keys[7] ?? aKey();
        await onTheSide(url(), `update runs set agent = $2, thread_id = $3 where log_id = $1`, [
          logId,
          agent,
          threadId,
        ]);
        expect((await waits[7])?.logId).toBe(logId);
        // One a re-read, of which a slow machine has several, and one by the reader that is woken; not one each.
        expect(first()).toBeLessThan(keys.length);
        stop.abort();
        await Promise.all(waits);
      } finally {
        stop.abort();
        statements.stop();
      }
    });

    test('a tail goes on after its listener was cut off, and listens again', async () => {
      await withSecond(async (second) => {
        const { logId } = await aRun(store());
        const reader = follow(store(), logId);
        await eventually(listening(1));
        await onTheSide(url(), `select pg_terminate_backend(pid) ${listeners}`);
        await second.log.append(logId, aClaim.fence, tokens(3));
        await eventually(listening(1));
        await write(second, logId, 2);
        expect((await reader).map((entry) => entry.seq)).toEqual(upTo(10));
      });
    });

    test('a tail goes on when every connection was cut off', async () => {
      const { logId } = await aRun(store());
      const reader = follow(store(), logId);
      await eventually(listening(1));
      const all = `where datname = current_database() and pid <> pg_backend_pid()`;
      await onTheSide(url(), `select pg_terminate_backend(pid) from pg_stat_activity ${all}`);
      await eventually(() =>
        write(store(), logId, 2).then(
          () => true,
          () => false,
        ),
      );
      const seqs = (await reader).map((entry) => entry.seq);
      expect(seqs).toEqual(upTo(seqs.length));
      expect(seqs.length).toBeGreaterThanOrEqual(7);
    });
  },
  ['postgres'],
);
