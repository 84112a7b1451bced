import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aHold, aTask, decidedBy, onEachDatabase } from '../stores.ts';
import { aPrincipal } from '../../rigs/factories.ts';

const dayMs = 86_400_000;
/** Drafts are saved by the database's clock: nothing younger than a moment goes with 0 ms. */
const now = (): string => new Date().toISOString();
const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

onEachDatabase(({ store }) => {
  async function ask(over: Partial<HoldRow> = {}, to: Store = store()): Promise<HoldRow> {
    const task = aTask();
    await to.tasks.put(task, now());
    const hold = aHold({ taskId: task.taskId, agent: task.agent, threadId: task.threadId, ...over });
    await to.holds.putOnce([hold]);
    return hold;
  }
  const typed = async ({ holdId }: HoldRow): Promise<unknown> =>
    (await store().drafts.put({ holdId, principal: 'ana', values: { text: 'words' } })).values;
  const found = async ({ holdId }: HoldRow): Promise<unknown> => (await store().drafts.get(holdId, 'ana'))?.values;

  describe('drafts', () => {
    test('drafts of an open question stay, however long ago they were typed', async () => {
      const hold = await ask({ openedAt: ago(400) });
      await typed(hold);
      await store().discard(-1_000, 100);
      expect(await found(hold)).toEqual({ text: 'words' });
    });

    // Promise Q39
    test('drafts of an ended question stay for their retention, so that who came second finds their words, and then go', async () => {
      const [fresh, old] = [await ask(), await ask()];
      await typed(fresh);
      await typed(old);
      await store().holds.close(fresh.holdId, decidedBy('cem', now()));
      await store().holds.close(old.holdId, decidedBy('cem', ago(31)));
      // A retention that has not begun: counted back from now it lies ahead, so what was typed a moment ago is old.
      expect(await store().discard(30 * dayMs, 100)).toMatchObject({ drafts: 0 });
      expect([await found(fresh), await found(old)]).toEqual([{ text: 'words' }, { text: 'words' }]);
      expect(await store().discard(-1_000, 1)).toMatchObject({ drafts: 1 });
      expect(await store().discard(-1_000, 100)).toMatchObject({ drafts: 1 });
      expect([await found(fresh), await found(old)]).toEqual([undefined, undefined]);
    });
  });

  describe('deliveries', () => {
    const send = async ({ holdId }: HoldRow): Promise<void> => {
      const key = { holdId, channel: 'team', recipient: '', message: 'opened.0' };
      await store().deliveries.begin(key);
      await store().deliveries.sent(key, { ts: '1.2' });
    };
    const sent = async ({ holdId }: HoldRow): Promise<number> =>
      (await store().deliveries.ofChannel(holdId, 'team')).length;

    test('deliveries of an open question are kept at any age, since they are updated when it ends', async () => {
      const hold = await ask({ openedAt: ago(400) });
      await send(hold);
      expect(await store().discard(-1_000, 100)).toMatchObject({ deliveries: 0 });
      expect(await sent(hold)).toBe(1);
    });

    test('deliveries of an ended question are deleted after their retention', async () => {
      const hold = await ask();
      await send(hold);
      await store().holds.close(hold.holdId, decidedBy('cem', ago(31)));
      expect(await store().discard(30 * dayMs, 100)).toMatchObject({ deliveries: 0 });
      expect(await store().discard(-1_000, 100)).toMatchObject({ deliveries: 1 });
      expect(await sent(hold)).toBe(0);
    });
  });

  describe('runs about an agent’s records', () => {
    // Promise EN10
    test('runs about an agent’s records go when they were not read by for long, also where their subscription was never ended', async () => {
      const [agent, threadId, runId] = ['notes', randomUUID(), randomUUID()];
      const run = { agent, threadId, runId };
      const about = {
        ...run,
        fingerprint: 'f',
        mode: 'hydrate_stream',
        filter: { keyPrefix: '' },
        principal: 'ana',
      } as const;
      const a2aTaskId = randomUUID();
      await store().engramRuns.begin(about);
      await store().engramRuns.savePosition(run, { a2aTaskId, floor: '7', records: [] });
      await store().discard(dayMs, 100);
      expect(await store().engramRuns.begin(about)).toMatchObject({ a2aTaskId, floor: '7' });
      await store().discard(-1_000, 100);
      expect(await store().engramRuns.subscriberOf(agent, a2aTaskId)).toBeNull();
      expect(await store().engramRuns.begin(about)).toMatchObject({ a2aTaskId: null, floor: null });
    });
  });

  describe('sealed secrets', () => {
    const seal = async ({ holdId }: HoldRow): Promise<string> => {
      const sealId = randomUUID();
      await store().seals.put({ sealId, holdId, box: 'box' });
      return sealId;
    };
    const isThere = async (sealId: string): Promise<boolean> => (await store().seals.get(sealId)) !== null;

    test('sealed secrets stay while their question is open, or decided and not yet carried', async () => {
      const [open, decided] = [await ask(), await ask()];
      const kept = [await seal(open), await seal(decided)];
      await store().holds.close(decided.holdId, decidedBy('ana', ago(400)));
      await store().discard(0, 100);
      expect(await Promise.all(kept.map(isThere))).toEqual([true, true]);
    });

    // Promise Q39
    test('sealed secrets go when their question ended undecided, or their task has ended', async () => {
      const [expired, done] = [await ask(), await ask()];
      const gone = [await seal(expired), await seal(done)];
      const end = {
        ...decidedBy('policy:default'),
        status: 'expired' as const,
        decision: null,
        answerFingerprint: null,
      };
      await store().holds.close(expired.holdId, end);
      await store().holds.close(done.holdId, decidedBy('ana'));
      await store().tasks.update(done.taskId, { status: 'DONE' });
      expect(await store().discard(0, 100)).toMatchObject({ seals: 2 });
      expect(await Promise.all(gone.map(isThere))).toEqual([false, false]);
    });
  });

  test('sessions that are over go, and others stay', async () => {
    const principal = aPrincipal('ana');
    const [over, running] = [randomUUID(), randomUUID()];
    await store().sessions.open({
      tokenHash: running,
      principal,
      keyHash: 'k',
      subject: null,
      sid: null,
      endsBy: null,
      expiresAt: ago(-1),
      mac: '',
    });
    await store().sessions.open({
      tokenHash: over,
      principal,
      keyHash: 'k',
      subject: null,
      sid: null,
      endsBy: null,
      expiresAt: ago(1),
      mac: '',
    });
    expect(await store().discard(0, 100)).toMatchObject({ sessions: 1 });
    expect((await store().sessions.get(running))?.keyHash).toBe('k');
  });
});
