import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { createAnnouncer } from '../../src/store/feeds/notify.ts';
import { openStore } from '../../src/store/open-store.ts';
import { FencedError } from '../../src/store/store.ts';
import { aClaim, aKey, aRun, aTask, eventually, onEachDatabase, onTheSide, token, tokens, upTo } from './stores.ts';

const at = '2029-01-01T00:00:00.000Z';

onEachDatabase(({ store }) => {
  test('a transaction gives its result, and all or nothing of its rows', async () => {
    const [kept, dropped] = [aTask(), aTask()];
    expect(await store().tx(async (tables) => (await tables.tasks.put(kept, at)).taskId)).toBe(kept.taskId);
    await expect(
      store().tx(async (tables) => {
        await tables.tasks.put(dropped, at);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await store().tasks.get(kept.taskId)).not.toBeNull();
    expect(await store().tasks.get(dropped.taskId)).toBeNull();
  });

  test('a call past the tables of its transaction is refused instead of waiting for itself', async () => {
    const inside = store().tx(async () => store().ping());
    await expect(inside).rejects.toThrow('inside a transaction use the tables it was given');
    await store().ping();
  });

  test('a failing statement does not tell its values', async () => {
    const huge = aTask({ owner: 'secret-value\0' });
    const failure = await store()
      .tasks.put(huge, at)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(inspect(failure, { depth: 9 })).not.toContain('secret-value');
    await expect(store().tx((tables) => tables.tasks.put(huge, at))).rejects.not.toThrow('secret-value');
  });

  test('many transactions at once all get their turn', async () => {
    const { logId } = await aRun(store());
    await Promise.all(
      upTo(40).map((n) => store().tx((tables) => tables.log.append(logId, aClaim.fence, [token(String(n))]))),
    );
    expect(await store().log.read(logId, 0)).toHaveLength(40);
  });

  test('the size of the tables is known', async () => {
    expect(await store().bytes()).toBeGreaterThan(8_192);
  });
});

onEachDatabase(
  ({ store, url }) => {
    const cutOff = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'standfast'`;

    test('a connection lost in a transaction is an error of that call, and the next call works', async () => {
      const task = aTask();
      const lost = store().tx(async (tables) => {
        await tables.tasks.put(task, at);
        await onTheSide(url(), cutOff);
        await tables.tasks.update(task.taskId, { status: 'DONE' });
      });
      await expect(lost).rejects.toThrow();
      expect(await store().tasks.get(task.taskId)).toBeNull();
    });

    test('idle connections that are lost end nothing', async () => {
      await Promise.all(upTo(5).map(() => store().ping()));
      await onTheSide(url(), cutOff);
      const outcomes = await Promise.allSettled(upTo(20).map(() => store().ping()));
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled').length).toBeGreaterThan(0);
      await store().ping();
    });

    test('a statement waits for its turn while all connections are in use for longer than connecting may take', async () => {
      const inUse = upTo(10).map(() => store().tx(() => onTheSide(url(), 'select pg_sleep(4)')));
      const sleeping = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
      await eventually(async () => (await onTheSide(url(), sleeping)).length === inUse.length);
      await expect(store().tasks.get(aTask().taskId)).resolves.toBeNull();
      await Promise.all(inUse);
    });

    test('a failed statement that was caught inside cannot commit silently', async () => {
      const task = aTask();
      const broken = store().tx(async (tables) => {
        await tables.tasks.put(task, at);
        await tables.tasks.put(aTask({ owner: '\0' }), at).catch(() => undefined);
      });
      await expect(broken).rejects.toThrow('rolled back');
      expect(await store().tasks.get(task.taskId)).toBeNull();
    });

    test('an intent that meets the claim of a later writer waits for it, and is not written', async () => {
      const run = await aRun(store(), aKey());
      const later = new (await import('pg')).Client({ connectionString: url() });
      await later.connect();
      await later.query('begin');
      await later.query('update runs set fence = fence + 1 where log_id = $1', [run.logId]);
      const intent = { messageId: randomUUID(), taskId: aClaim.taskId, attempt: 1, sendForMs: 1_000 };
      let isOver = false;
      const begun = store()
        .intents.begin(intent, { logId: run.logId, fence: aClaim.fence })
        .finally(() => (isOver = true))
        .catch((error: unknown) => error);
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => isOver || (await onTheSide(url(), waiting)).length > 0);
      await later.query('commit');
      await later.end();
      expect(await begun).toBeInstanceOf(FencedError);
      expect(await store().intents.get(intent.messageId)).toBeNull();
    });

    test('notifications are gathered: many appends, few notifications, every log named', async () => {
      const listener = new (await import('pg')).Client({ connectionString: url() });
      await listener.connect();
      const payloads: string[] = [];
      // What was written comes in a second line.
      listener.on('notification', ({ payload = '' }) => payloads.push(payload.replace(/\n.*/, '')));
      await listener.query('listen standfast_log');
      const writer = await openStore({ databaseUrl: url() });
      const runs = await Promise.all(upTo(10).map(() => aRun(writer, aKey())));
      const startMs = performance.now();
      for (const _ of upTo(10)) {
        await Promise.all(runs.map((run) => writer.log.append(run.logId, aClaim.fence, tokens(1))));
      }
      const windows = (performance.now() - startMs) / 5;
      await writer.close();
      await listener.query('select 1');
      await listener.end();
      const own = payloads.filter((payload) => runs.some((run) => payload.split(/[:,]/).includes(String(run.logId))));
      const named = new Set(own.flatMap((payload) => payload.split(/[:,]/)));
      expect(runs.every((run) => named.has(String(run.logId)))).toBe(true);
      expect(own.length).toBeLessThanOrEqual(Math.ceil(windows) + 3);
    });
  },
  ['postgres'],
);

test('an announcement that fails is logged and dropped', async () => {
  const logged: string[] = [];
  const broken = (): Promise<never> => Promise.reject(new Error('gone'));
  const announcer = createAnnouncer(broken, (level, message) => logged.push(`${level} ${message}`));
  announcer.announce(['1']);
  await announcer.close();
  expect(logged).toEqual([expect.stringContaining('warn other processes could not be notified')]);
});
