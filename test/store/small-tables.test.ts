import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/contract/base/json.ts';
import { aKey, aRun, eventually, onEachDatabase, upTo } from './stores.ts';
import { aPrincipal, messagePlan } from '../rigs/factories.ts';
import { bindContext, keepSnapshot } from '../rigs/store/store-writes.ts';

// The small tables in one file: each file starts a database of its own, which takes seconds.
const principal = aPrincipal('user:bob');
const anIntake = (body: JsonObject = {}) => ({
  ...aKey(),
  fingerprint: 'p1',
  principal,
  receivedAt: '2020-01-01T00:00:00.000Z',
  body,
  plan: messagePlan(),
  mac: 'm',
});

const aSession = (tokenHash: string, inMs: number) => ({
  tokenHash,
  principal,
  keyHash: 'k',
  subject: null,
  sid: null,
  endsBy: null,
  expiresAt: new Date(Date.now() + inMs).toISOString(),
  mac: 'as it came',
});

onEachDatabase(({ store }) => {
  test('a thread belongs to the first who claims it', async () => {
    const threadId = randomUUID();
    const claims = await Promise.all(upTo(8).map((n) => store().threads.claim('expenses', threadId, `user:${n}`)));
    expect(new Set(claims.map((row) => row.owner)).size).toBe(1);
    expect(claims[0]).toMatchObject({ contextId: null, state: {}, messages: [] });
    expect(await store().threads.get('other', threadId)).toBeNull();
  });

  test('a thread keeps its context and its last snapshot', async () => {
    const threadId = randomUUID();
    await store().threads.claim('expenses', threadId, 'user:bob');
    await bindContext(store(), 'expenses', threadId, 'c1');
    await keepSnapshot(store(), 'expenses', threadId, { view: { a: '\ud800' } }, [{ id: 'm', content: '\0' }]);
    expect(await store().threads.get('expenses', threadId)).toMatchObject({
      contextId: 'c1',
      state: { view: { a: '\ud800' } },
      messages: [{ id: 'm', content: '\0' }],
    });
  });

  test('an intake is put once; the second put shows what is stored', async () => {
    const row = anIntake({ messages: ['\0'] });
    const stored = { ...row, messageIds: null, afterRun: null, admittedAt: null, refusedCode: null };
    expect(await store().intake.put(row)).toEqual(stored);
    expect(await store().intake.put({ ...row, fingerprint: 'p2', body: {} })).toEqual(stored);
    expect(await store().intake.get(row)).toEqual(stored);
  });

  test('the first run of a thread is kept together with the thread, and never where either is there', async () => {
    const row = anIntake({ messages: ['\0'] });
    const stored = { ...row, messageIds: ['m1'], afterRun: null, admittedAt: null, refusedCode: null };
    expect(await store().intake.putFirst({ ...row, messageIds: ['m1'] }, 'bob')).toEqual(stored);
    expect(await store().intake.get(row)).toEqual(stored);
    expect(await store().threads.get(row.agent, row.threadId)).toMatchObject({ owner: 'bob', state: {}, messages: [] });
    const next = { ...row, runId: 'next' };
    expect(await store().intake.putFirst(next, 'eve')).toBeNull();
    expect(await store().intake.get(next)).toBeNull();
    const keptBefore = anIntake();
    await store().intake.put(keptBefore);
    expect(await store().intake.putFirst({ ...keptBefore, fingerprint: 'p2' }, 'bob')).toBeNull();
    expect((await store().intake.get(keptBefore))?.fingerprint).toBe('p1');
  });

  test('of each thread that a run may be on everything is returned, in the order they were asked for', async () => {
    const row = anIntake();
    await store().intake.putFirst(row, 'bob');
    const names = { agent: row.agent, threadId: row.threadId, owner: 'bob', workflowId: 'w', firstExecutionRunId: 'f' };
    await store().tasks.put({ ...names, taskId: `old-${row.threadId}` }, '2020-01-01T00:00:00.000Z');
    await store().tasks.put({ ...names, taskId: `new-${row.threadId}` }, '2020-01-02T00:00:00.000Z');
    const run = await aRun(store(), { agent: row.agent, threadId: row.threadId, runId: row.runId });
    const nothing = { thread: null, newest: null, run: null, kept: null };
    expect(await store().intake.findRuns(row, ['nobodys', row.threadId])).toEqual([
      nothing,
      {
        thread: { owner: 'bob', contextId: null },
        newest: { taskId: `new-${row.threadId}`, workflowId: 'w', firstExecutionRunId: 'f' },
        run,
        kept: await store().intake.get(row),
      },
    ]);
    expect(await store().intake.findRuns({ ...row, runId: 'other' }, [row.threadId])).toMatchObject([
      { thread: { owner: 'bob' }, run: null, kept: null },
    ]);
  });

  test('an intake keeps which of its messages were chosen', async () => {
    const row = { ...anIntake(), messageIds: ['m1', '\0'] };
    expect((await store().intake.put(row)).messageIds).toEqual(['m1', '\0']);
  });

  test('an intake is settled once', async () => {
    const [admitted, refused] = [anIntake(), anIntake()];
    for (const row of [admitted, refused]) await store().intake.put(row);
    await store().intake.settle(admitted, { admitted: true });
    await store().intake.settle(admitted, { refused: 'busy' });
    await store().intake.settle(refused, { refused: 'interrupts_pending' });
    expect((await store().intake.get(admitted))?.admittedAt).not.toBeNull();
    expect((await store().intake.get(admitted))?.refusedCode).toBeNull();
    expect(await store().intake.get(refused)).toMatchObject({ admittedAt: null, refusedCode: 'interrupts_pending' });
  });

  test('unsettled intakes are listed oldest first once they are old enough', async () => {
    const [old, older] = [anIntake(), { ...anIntake(), receivedAt: '2019-01-01T00:00:00.000Z' }];
    const young = { ...anIntake(), receivedAt: new Date().toISOString() };
    const settled = anIntake();
    for (const row of [old, older, young, settled]) await store().intake.put(row);
    await store().intake.settle(settled, { admitted: true });
    const threadIds = (await store().intake.takeUnsettled({ olderThanMs: 60_000, leaseMs: 0, limit: 100 })).map(
      (row) => row.threadId,
    );
    expect(threadIds[0]).toBe(older.threadId);
    expect(threadIds).toContain(old.threadId);
    expect(threadIds).not.toContain(young.threadId);
    expect(threadIds).not.toContain(settled.threadId);
    expect(await store().intake.takeUnsettled({ olderThanMs: 0, leaseMs: 0, limit: 1 })).toHaveLength(1);
  });

  test('an intent is renewed by the clock of the database and removed', async () => {
    const messageId = randomUUID();
    const first = await store().intents.put({ messageId, taskId: 't', attempt: 1, sendForMs: 10_000 });
    expect(first.msLeft).toBeGreaterThan(9_000);
    // The column keeps whole milliseconds, rounded.
    expect(first.msLeft).toBeLessThanOrEqual(10_001);
    await store().intents.put({ messageId, taskId: 't', attempt: 2, sendForMs: -5_000 });
    const second = await store().intents.get(messageId);
    expect(second).toMatchObject({ messageId, taskId: 't', attempt: 2 });
    expect(second?.msLeft).toBeLessThanOrEqual(-5_000);
    expect(Date.parse(second?.sendUntil ?? '')).toBeLessThan(Date.parse(first.sendUntil));
    expect(second?.deliveredAt).toBeNull();
    await store().intents.forget(messageId, 2);
    expect(await store().intents.get(messageId)).toBeNull();
  });

  // Promise W19
  test('an intent of a later attempt is neither renewed nor removed by an earlier one', async () => {
    const messageId = randomUUID();
    const later = await store().intents.put({ messageId, taskId: 't', attempt: 2, sendForMs: 10_000 });
    const late = await store().intents.put({ messageId, taskId: 't', attempt: 1, sendForMs: 60_000 });
    expect(late).toMatchObject({ attempt: 2, sendUntil: later.sendUntil });
    await store().intents.forget(messageId, 1);
    expect(await store().intents.get(messageId)).toMatchObject({ attempt: 2, sendUntil: later.sendUntil });
  });

  // Promise O5
  test('a delivered intent stays as it is, whatever a late attempt says', async () => {
    const messageId = randomUUID();
    await store().intents.put({ messageId, taskId: 't', attempt: 1, sendForMs: 10_000 });
    await store().intents.delivered(messageId);
    const delivered = await store().intents.get(messageId);
    expect(delivered?.deliveredAt).toMatch(/^20/);
    await store().intents.delivered(messageId);
    await store().intents.forget(messageId, 1);
    const again = await store().intents.put({ messageId, taskId: 't', attempt: 2, sendForMs: 60_000 });
    expect(again).toMatchObject({ attempt: 1, sendUntil: delivered?.sendUntil, deliveredAt: delivered?.deliveredAt });
  });

  // Promise O3a
  test('an intent is extended while its time runs, by its own attempt, and not once it is delivered', async () => {
    const messageId = randomUUID();
    const extend = (attempt: number): Promise<boolean> =>
      store().intents.extend({ messageId, attempt, sendForMs: 60_000 });
    expect(await extend(1)).toBe(false);
    await store().intents.put({ messageId, taskId: 't', attempt: 1, sendForMs: -1 });
    expect(await extend(1)).toBe(false);
    await store().intents.put({ messageId, taskId: 't', attempt: 2, sendForMs: 10_000 });
    expect(await extend(1)).toBe(false);
    expect(await extend(2)).toBe(true);
    expect((await store().intents.get(messageId))?.msLeft).toBeGreaterThan(50_000);
    await store().intents.delivered(messageId);
    expect(await extend(2)).toBe(false);
  });

  test('an agent that showed a message id is remembered', async () => {
    expect(await store().agents.showsMessageIds('a1')).toBe(false);
    await store().agents.markShowsMessageIds('a1');
    await store().agents.markShowsMessageIds('a1');
    expect(await store().agents.showsMessageIds('a1')).toBe(true);
    expect(await store().agents.showsMessageIds('a2')).toBe(false);
  });

  test('an agent that does not answer by a stream is remembered, and for first messages once it was for one', async () => {
    const { agents } = store();
    expect(await agents.sendsWithout('s1')).toBeNull();
    await agents.markSendsWithout('s1', 'follow-ups');
    expect(await agents.sendsWithout('s1')).toBe('follow-ups');
    await agents.markSendsWithout('s1', 'all');
    await agents.markSendsWithout('s1', 'follow-ups');
    await agents.markShowsMessageIds('s1');
    expect(await agents.sendsWithout('s1')).toBe('all');
  });

  test('what is kept of a card is the latest that was read, next to what the agent showed', async () => {
    expect(await store().agents.getCard('c1')).toBeNull();
    await store().agents.saveCard('c1', { name: 'One' });
    await store().agents.markShowsMessageIds('c1');
    await store().agents.saveCard('c1', { name: 'Two', skills: ['\0'] });
    const kept = await store().agents.getCard('c1');
    expect(kept).toMatchObject({ agent: 'c1', card: { name: 'Two', skills: ['\0'] } });
    expect(kept?.seenAt).toMatch(/^20.*Z$/);
    expect(await store().agents.showsMessageIds('c1')).toBe(true);
    await store().agents.markShowsMessageIds('c0-without-a-card');
    await store().agents.saveCard('c2', {});
    const listed = (await store().agents.listCards()).map((row) => row.agent).filter((agent) => agent.startsWith('c'));
    expect(listed).toEqual(['c1', 'c2']);
  });

  test('a message is known to be sent on its thread, to every run but the one that sent it', async () => {
    const first = aKey();
    const next = { ...first, runId: randomUUID() };
    const ids = ['m1', 'm2', '', '\0', 'x'.repeat(100_000)];
    expect(await store().sent.known(next, ids)).toEqual([]);
    await store().sent.mark(first, [...ids.slice(0, 1), ...ids.slice(2), 'm1']);
    await store().sent.mark(next, ['m1']);
    expect(await store().sent.known(next, ids)).toEqual(['m1', '', '\0', 'x'.repeat(100_000)]);
    expect(await store().sent.known(first, ids)).toEqual([]);
    expect(await store().sent.known({ ...next, threadId: 'another' }, ids)).toEqual([]);
    expect(await store().sent.known({ ...next, agent: 'another' }, ids)).toEqual([]);
    await store().sent.mark(next, []);
    expect(await store().sent.known(next, [])).toEqual([]);
  });

  test('a draft belongs to one person and hold, and the latest is kept', async () => {
    const holdId = randomUUID();
    const { drafts } = store();
    const first = await drafts.put({ holdId, principal: 'user:ana', values: { a: '\0' } });
    expect(first).toMatchObject({ holdId, principal: 'user:ana', values: { a: '\0' } });
    expect(first.savedAt).toMatch(/^20.*Z$/);
    await drafts.put({ holdId, principal: 'user:cem', values: { a: 2 } });
    const second = await drafts.put({ holdId, principal: 'user:ana', values: { a: 3 } });
    expect(await drafts.get(holdId, 'user:ana')).toEqual(second);
    expect(await drafts.get(holdId, 'user:eve')).toBeNull();
    await drafts.remove(holdId, 'user:ana', first.savedAt);
    expect(await drafts.get(holdId, 'user:ana')).toEqual(second);
    await drafts.remove(holdId, 'user:ana', second.savedAt);
    await drafts.remove(holdId, 'user:ana');
    expect(await drafts.get(holdId, 'user:ana')).toBeNull();
    expect((await drafts.get(holdId, 'user:cem'))?.values).toEqual({ a: 2 });
    expect(await drafts.get('\0', 'user:ana')).toBeNull();
  });

  test('a session is known until it is over or closed', async () => {
    const { sessions } = store();
    const [running, over] = [aSession('running', 60_000), aSession('over', -1)];
    for (const one of [running, over]) await sessions.open(one);
    expect(await sessions.get('running')).toEqual(running);
    expect(await sessions.get('over')).toBeNull();
    expect(await sessions.get('unknown')).toBeNull();
    const short = aSession('short', 300);
    await sessions.open(short);
    expect(await sessions.get('short')).toEqual(short);
    await eventually(async () => (await sessions.get('short')) === null);
    await sessions.close('running');
    expect(await sessions.get('running')).toBeNull();
    // Gone, not only over: its name is free again.
    await sessions.open({ ...over, expiresAt: running.expiresAt });
    expect(await sessions.get('over')).toMatchObject({ expiresAt: running.expiresAt });
  });

  test('a seal is kept until all of its hold are destroyed', async () => {
    const { seals } = store();
    await seals.put({ sealId: 's1', holdId: 'h1', box: 'one' });
    await seals.put({ sealId: 's1', holdId: 'h1', box: 'another' });
    await seals.put({ sealId: 's2', holdId: 'h1', box: 'two' });
    await seals.put({ sealId: 's3', holdId: 'h2', box: 'three' });
    expect(await Promise.all(['s1', 's2', 's3', 's4'].map((id) => seals.get(id)))).toEqual([
      'one',
      'two',
      'three',
      null,
    ]);
    await seals.destroy('h1');
    expect(await Promise.all(['s1', 's2', 's3'].map((id) => seals.get(id)))).toEqual([null, null, 'three']);
    expect(await seals.get('no\0thing')).toBeNull();
  });

  test('of many who put a fact at once one does, and all get their', async () => {
    const { settings: facts } = store();
    expect(await facts.get('key')).toBeNull();
    const stored = await Promise.all(
      upTo(10).map((n) =>
        n % 2 === 0 ? facts.putOnce('key', `v${n}`) : store().tx((tables) => tables.settings.putOnce('key', `v${n}`)),
      ),
    );
    expect(new Set(stored).size).toBe(1);
    expect(await facts.get('key')).toBe(stored[0]);
    expect(await facts.putOnce('key', 'late')).toBe(stored[0]);
  });

  test('the latest heartbeat of any worker is known until it leaves', async () => {
    expect(await store().workers.sinceHeartbeatMs()).toBeNull();
    await Promise.all(upTo(5).map((n) => store().workers.heartbeat(`w${n}`)));
    await eventually(async () => ((await store().workers.sinceHeartbeatMs()) ?? 0) > 50);
    await store().workers.heartbeat('w1');
    expect(await store().workers.sinceHeartbeatMs()).toBeLessThan(5_000);
    for (const n of upTo(5)) await store().workers.leave(`w${n}`);
    expect(await store().workers.sinceHeartbeatMs()).toBeNull();
  });
});
