// Any text of a person or an agent comes back from every column as it was given, with and without keys.
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createCodecKeys } from '../../src/host/secrets/codec-keys.ts';
import { useColumnKeys } from '../../src/store/sealed-columns.ts';
import type { Store } from '../../src/store/store.ts';
import { fc, runs } from '../rigs/properties.ts';
import { openMemoryStore } from '../rigs/store/memory-store.ts';
import { aVote } from './evidence/lives.ts';
import { aHold, aKey, aRun, aTask, decidedBy } from './stores.ts';

afterEach(() => useColumnKeys(null));

const at = '2029-01-01T00:00:00.000Z';

/** PostgreSQL stores no NUL in a text, which is removed before; JSON has it as an escape. */
const anyText = fc
  .tuple(
    fc.constantFrom('', 'hp0:', 'hp1:', 'hp1:deadbeef:AAAA', 'hp0:hp1:', 'hp0:hp0:', '"hp1:', 'hp2:'),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  .map(([prefix, rest]) => `${prefix}${rest.replaceAll('\0', '')}`);

const anyBytes = fc
  .tuple(fc.constantFrom('', '\0hp0', '\0hp1', '\0hp1deadbeef'), fc.uint8Array({ maxLength: 20 }))
  .map(([prefix, rest]) => Buffer.concat([Buffer.from(prefix), rest]));

async function throughHold(store: Store, text: string): Promise<void> {
  const base = aHold({ holdId: randomUUID() });
  const { holdId } = base;
  const question = { ...base.question, title: text, message: text, defaults: { text, inner: { reason: text } } };
  const outgoing = { decision: { ...decidedBy('ann').decision, reason: text, values: { note: text } }, at };
  // Its digest has to cover its words, else it reads as altered.
  const { digest: _digest, ...fields } = base;
  const artifacts = [{ id: 'a', name: text, digest: 'd' }];
  await store.holds.putOnce([aHold({ ...fields, question, card: { text }, artifacts })]);
  const votes = [{ ...aVote('ann'), reason: text, values: { text } }];
  const moved = { at, by: 'ann', to: ['role:lead'], note: text, credential: null };
  await store.holds.amend(holdId, { votes, moved, outgoing: outgoing as never });
  await store.holds.askReassign(holdId, { at, by: 'cem', note: text });
  await store.drafts.put({ holdId, principal: 'ann', values: { text } });
  await store.comments.add({ holdId, by: 'ann', text, mentions: [] });
  const { items } = await store.holds.list({ taskId: base.taskId });
  expect(items[0]).toMatchObject({
    question,
    card: { text },
    artifacts: [{ name: text }],
    votes,
    moves: [{ note: text }],
    reassignAsks: [{ note: text }],
    outgoing,
  });
  expect((await store.drafts.get(holdId, 'ann'))?.values).toEqual({ text });
  expect(await store.comments.ofHold(holdId)).toMatchObject([{ text }]);
}

async function throughTask(store: Store, text: string, bytes: Uint8Array): Promise<void> {
  const task = aTask();
  await store.tasks.put(task, at, { title: text, restartOf: null });
  await store.tasks.update(task.taskId, { status: 'FAILED', error: { code: 'agent_failed', message: text } });
  expect(await store.tasks.get(task.taskId)).toMatchObject({ title: text, error: { message: text } });
  const part = { id: 'f', source: 'question' as const, mediaType: 'text/plain', size: 1, digest: null, omitted: null };
  await store.attachments.put(task.taskId, 'm', [{ ...part, name: text, uri: text, data: text, bytes }], true);
  expect(await store.attachments.current(task.taskId, 'm')).toEqual([{ ...part, name: text, uri: text, data: text }]);
  expect(Buffer.from((await store.attachments.bytes(task.taskId, 'f')) ?? [])).toEqual(Buffer.from(bytes));
}

async function throughRun(store: Store, text: string): Promise<void> {
  const run = await aRun(store, aKey());
  await store.log.append(run.logId, 1_000_001, [{ type: 'CUSTOM', name: text, value: text }]);
  expect(await store.log.read(run.logId, 0)).toMatchObject([{ event: { name: text, value: text } }]);
}

describe.each([
  ['without a key', null],
  ['with a key', createCodecKeys('ab'.repeat(32))],
])('a store %s', (_name, keys) => {
  test('any text and any bytes come back from every sealed column as they were given', async () => {
    const store = await openMemoryStore();
    useColumnKeys(keys);
    try {
      await fc.assert(
        fc.asyncProperty(anyText, anyBytes, async (text, bytes) => {
          await throughHold(store, text);
          await throughTask(store, text, bytes);
          await throughRun(store, text);
        }),
        { numRuns: runs(120) },
      );
    } finally {
      await store.close();
    }
  }, 120_000);
});
