import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PGlite } from '@electric-sql/pglite';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { aPrincipal, messagePlan } from '../rigs/factories.ts';
import { openMemoryDatabase } from '../rigs/store/memory-store.ts';
import { aVote } from './evidence/lives.ts';
import { aClaim, aHold, aRun, aTask, decidedBy, token } from './stores.ts';
import { withDigest } from './rows.ts';
import { keepSnapshot } from '../rigs/store/store-writes.ts';

let pglite: PGlite;
let store: Store;
beforeAll(async () => {
  pglite = await openMemoryDatabase();
  store = await openStore({ pglite });
});
afterAll(() => store.close());
const at = '2029-01-01T00:00:00.000Z';

/** A task of this person's with everything that can belong to one, and the word in all of it. */
async function live(word: string, owner: string, options: { by?: string; isOpen?: boolean } = {}) {
  const { by = 'ann', isOpen = false } = options;
  const task = aTask({ owner });
  const { agent, threadId, taskId } = task;
  const key = { agent, threadId, runId: randomUUID() };
  const principal = aPrincipal(owner);
  await store.threads.claim(agent, threadId, owner);
  await keepSnapshot(store, agent, threadId, { text: word }, [{ id: 'm', role: 'user', content: word }]);
  const body = { messages: [{ id: 'm', role: 'user', content: word }] };
  await store.intake.put({ ...key, fingerprint: 'p', principal, receivedAt: at, body, plan: messagePlan(), mac: '' });
  await store.tasks.put(task, at, { title: word, restartOf: null });
  const run = await aRun(store, key, taskId);
  await store.log.append(run.logId, 1_000_001, [token(word)]);
  const hold = aHold({ holdId: randomUUID(), taskId, agent, threadId, owner });
  const question = { ...hold.question, title: `${word} title` };
  const card = { stage: 'awaiting_input', values: { text: word } };
  await store.holds.putOnce([withDigest({ ...hold, question, card })]);
  const { holdId } = hold;
  await store.drafts.put({ holdId, principal: by, values: { draft: word } });
  await store.seals.put({ sealId: randomUUID(), holdId, box: word });
  await store.deliveries.begin({ holdId, channel: 'mail', recipient: by, message: 'opened.0' }, word);
  await store.attachments.put(taskId, 'key', [], true);
  await store.holds.amend(holdId, { votes: [{ ...aVote(by), values: { text: word } }] });
  await store.holds.amend(holdId, { moved: { at, by, to: ['role:lead'], note: word, credential: null } });
  if (!isOpen) {
    await store.holds.close(holdId, { ...decidedBy(by, at, { text: word }), votes: [{ ...aVote(by), reason: word }] });
    await store.tasks.update(taskId, { status: 'DONE' });
  }
  return { task, holdId };
}

/** A message over A2A that opened no task (yet), with the word in all that is kept of it. */
async function call(word: string, owner: string, { isRefused = true } = {}): Promise<string> {
  const { agent, threadId, taskId } = aTask();
  const key = { agent, threadId, runId: randomUUID() };
  const principal = aPrincipal(owner);
  const receivedAt = new Date().toISOString();
  await store.threads.claim(agent, threadId, owner);
  const plan = messagePlan();
  await store.intake.put({ ...key, fingerprint: 'p', principal, receivedAt, body: { text: word }, plan, mac: '' });
  const entry = { kind: 'message' as const, message: { text: word } };
  await store.callers.put({ taskId, agent, threadId, owner, contextId: word }, [entry], receivedAt);
  const push = { taskId, configId: 'one', version: '1.0' as const, box: '', deliveredSeq: 0 };
  await store.callers.putPush({ ...push, url: `http://127.0.0.1:1/${word}` });
  if (isRefused) await store.intake.settle(key, { refused: 'busy' });
  return taskId;
}

/** Rows of all tables in which the text is to be found. */
async function rowsWith(text: string): Promise<string[]> {
  const tables = await pglite.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await pglite.query<{ row: string }>(`select "${name}"::text as row from "${name}"`);
    found.push(...rows.filter(({ row }) => row.includes(text)).map(({ row }) => `${name}: ${row}`));
  }
  return found;
}

const faults = async () => (await store.evidence.verify({})).faults;

describe('retention', () => {
  // Promise R1
  test('retention removes closed tasks with all that belongs to them, leaves open ones, and the evidence verifies', async () => {
    const old = await live('word1', 'olga');
    const open = await live('word2', 'olga', { isOpen: true });
    expect((await rowsWith('word1')).length).toBeGreaterThan(7);
    expect(await store.tx(({ erasure }) => erasure.removeOld(3_600_000, 100))).toBe(0);
    expect(await store.tx(({ erasure }) => erasure.removeOld(-1, 100))).toBe(1);
    expect(await rowsWith('word1')).toEqual([]);
    const left = await rowsWith(old.task.taskId);
    expect(left.every((row) => row.startsWith('evidence: '))).toBe(true);
    expect(await store.holds.get(open.holdId)).not.toBeNull();
    expect(await faults()).toEqual([]);
  });

  // Promise R1
  test('retention leaves the conversation of a thread that has a newer task', async () => {
    const { task } = await live('word3', 'olga');
    const newer = aTask({ agent: task.agent, threadId: task.threadId, owner: 'olga' });
    await store.tasks.put(newer, at);
    await store.tx(({ erasure }) => erasure.removeOld(-1, 100));
    expect(await store.threads.get(task.agent, task.threadId)).toMatchObject({ owner: 'olga' });
    expect(await store.tasks.get(newer.taskId)).not.toBeNull();
  });

  test('retention removes what was refused and became no task, a caller’s over A2A too, and nothing that may become one', async () => {
    const refused = await call('word10', 'olga');
    const waiting = await call('word11', 'olga', { isRefused: false });
    await store.tx(({ erasure }) => erasure.removeOld(3_600_000, 100));
    expect((await rowsWith('word10')).length).toBeGreaterThan(2);
    await store.tx(({ erasure }) => erasure.removeOld(-1, 100));
    expect(await rowsWith('word10')).toEqual([]);
    expect(await rowsWith(refused)).toEqual([]);
    expect((await rowsWith('word11')).length).toBeGreaterThan(2);
    expect(await store.callers.get(waiting)).not.toBeNull();
  });

  // Promise R1
  test('retention does not hide that a removed question was put in again', async () => {
    const { holdId } = await live('word4', 'olga');
    await pglite.exec(`create table kept as select * from holds where hold_id = '${holdId}'`);
    await store.tx(({ erasure }) => erasure.removeOld(-1, 100));
    await pglite.exec('insert into holds select * from kept');
    expect((await faults()).map((fault) => fault.holdId)).toEqual([holdId]);
    await pglite.exec(`delete from holds where hold_id = '${holdId}'; drop table kept`);
    expect(await faults()).toEqual([]);
  });
});

describe('erasing', () => {
  test('a person removes their messages to an agent that never took them, and the records that they followed', async () => {
    const [agent, owner, threadId] = ['expenses', 'sara', `standfast-a2a-${randomUUID()}`];
    await store.threads.claim(agent, threadId, owner);
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'word10' }] };
    const names = { taskId: randomUUID(), agent, threadId, owner, contextId: 'c' };
    await store.callers.put(names, [{ kind: 'message', message }], at);
    const run = { agent, threadId, runId: 'r1', fingerprint: 'p', principal: owner };
    await store.engramRuns.begin({ ...run, mode: 'hydrate_stream', filter: { keyPrefix: 'word10' } });
    expect(await rowsWith('word10')).toHaveLength(2);
    await store.tx(({ erasure }) => erasure.user(owner));
    expect([await rowsWith('word10'), await rowsWith(names.taskId), await rowsWith(owner)]).toEqual([[], [], []]);
  });

  // Promise R2
  test('a thread removes its closed tasks, and names those that are not over', async () => {
    const { task } = await live('word5', 'paul');
    const open = await live('word6', 'paul', { isOpen: true });
    expect(await store.tx(({ erasure }) => erasure.thread(task.threadId))).toEqual({ tasks: 1, holds: 0, open: [] });
    expect(await rowsWith('word5')).toEqual([]);
    const kept = await store.tx(({ erasure }) => erasure.thread(open.task.threadId));
    expect(kept).toEqual({ tasks: 0, holds: 0, open: [open.task.taskId] });
    expect(await store.holds.get(open.holdId)).not.toBeNull();
    expect(await faults()).toEqual([]);
  });

  // Promise R2
  test('a person removes their threads and their words in questions of others, and the evidence verifies', async () => {
    await live('word7', 'rosa');
    const others = await live('word8', 'quinn', { by: 'rosa' });
    const neither = await live('word9', 'quinn');
    await call('word12', 'rosa');
    const erased = await store.tx(({ erasure }) => erasure.user('rosa'));
    expect(erased).toEqual({ tasks: 1, holds: 1, open: [] });
    expect(await rowsWith('word7')).toEqual([]);
    expect(await rowsWith('word12')).toEqual([]);
    const row = await store.holds.get(others.holdId);
    expect(row).toMatchObject({ status: 'decided', decision: { by: 'rosa', values: {}, reason: null } });
    expect(row).toMatchObject({ votes: [{ by: 'rosa', values: {}, reason: null }], moves: [{ note: null }] });
    // What others wrote stays: the question, and the words that the task began with.
    const left = (await rowsWith('word8')).map((found) => found.split(':')[0]);
    expect(new Set(left)).toEqual(new Set(['holds', 'tasks']));
    expect((await rowsWith('word9')).length).toBeGreaterThan(7);
    expect(await store.holds.get(neither.holdId)).toMatchObject({ decision: { values: { text: 'word9' } } });
    expect(await faults()).toEqual([]);
  });

  // Promise R2
  test('a person leaves no word of theirs in tasks of others, also where they only spoke', async () => {
    const word = `message-${randomUUID()}`;
    const { task } = await live('word13', 'quinn');
    const key = { agent: task.agent, threadId: task.threadId, runId: randomUUID() };
    const principal = aPrincipal('tess', 'operator');
    const messages = [{ id: 'm2', role: 'user', name: 'tess', content: word }];
    const body = { threadId: key.threadId, runId: key.runId, messages };
    await store.intake.put({ ...key, fingerprint: 'p', principal, receivedAt: at, body, plan: messagePlan(), mac: '' });
    await store.intake.settle(key, { admitted: true });
    const run = await aRun(store, key, task.taskId);
    const { threadId, runId } = key;
    const interrupts = [{ id: 'i1', reason: 'input', message: word }];
    await store.log.append(run.logId, aClaim.fence, [
      { type: 'RUN_STARTED', threadId, runId, input: body },
      { type: 'TEXT_MESSAGE_START', messageId: 'm2', role: 'user', name: 'tess' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: word },
      { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'interrupt', interrupts } },
    ]);
    const session = { tokenHash: randomUUID(), keyHash: null, subject: 's', sid: null, endsBy: null };
    await store.sessions.open({
      ...session,
      principal: { ...principal, email: `${word}@example.com` },
      expiresAt: '2999-01-01T00:00:00.000Z',
      mac: '',
    });
    await store.tasks.update(task.taskId, { error: { code: 'agent_failed', message: word } });
    await keepSnapshot(store, key.agent, threadId, { text: word }, messages);
    expect((await rowsWith(word)).length).toBeGreaterThan(4);
    expect(await store.tx(({ erasure }) => erasure.user('tess'))).toEqual({ tasks: 0, holds: 0, open: [] });
    expect(await rowsWith(word)).toEqual([]);
    expect((await store.log.read(run.logId, 0)).map(({ event }) => event)).toEqual([
      { type: 'RUN_STARTED', threadId, runId },
      {
        type: 'RUN_FINISHED',
        threadId,
        runId,
        outcome: { type: 'interrupt', interrupts: [{ id: 'i1', reason: 'input' }] },
      },
    ]);
    expect(await faults()).toEqual([]);
  });

  // Promise R2
  test('a person leaves open tasks as they are, and names those in which they only spoke', async () => {
    const { task } = await live('word14', 'quinn', { isOpen: true });
    const run = await aRun(store, { agent: task.agent, threadId: task.threadId, runId: randomUUID() }, task.taskId);
    const started = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'user', name: 'uma' };
    await store.log.append(run.logId, aClaim.fence, [started]);
    expect(await store.tx(({ erasure }) => erasure.user('uma'))).toMatchObject({ open: [task.taskId] });
    expect((await rowsWith('word14')).length).toBeGreaterThan(7);
  });
});
