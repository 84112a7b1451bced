// A word that is in the question, the answer and all that goes with them is to be found neither in Temporal nor in a table.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PGlite } from '@electric-sql/pglite';
import proto from '@temporalio/proto';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { unreadableRows } from '../../../src/store/unreadable.ts';
import { useColumnKeys } from '../../../src/store/sealed-columns.ts';
import type { Store } from '../../../src/store/store.ts';
import { anna, answer, bob, refusal, startCore } from '../../rigs/engine/engine.ts';
import { apiOf } from '../../rigs/engine/engine-api.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { runTemporal } from '../../rigs/process/temporal-command.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';

const supervisor = createSupervisor();
const canary = 'canary5ecre7';
const keys = createCodecKeys('c0'.repeat(32));
const key = 'the-key-of-the-codec-endpoint-alone';
const annasKey = 'anna-has-a-long-key-and-no-role-at-all';
let pglite: PGlite;
let store: Store;
let core: Core;

beforeAll(async () => {
  pglite = await openMemoryDatabase();
  store = await openStore({ pglite, keys });
  core = await startCore(supervisor, {
    store,
    codec: keys,
    config: { codec: { key }, auth: { keys: [{ user: 'anna', key: annasKey }] } },
    agents: { two: { policy: 'two' } },
    policies: {
      two: { audience: ['role:finance', 'role:finance-lead'], quorum: 2, ladder: [{ after: '300ms', remind: true }] },
    },
  });
});
afterAll(async () => {
  await core?.stop();
  useColumnKeys(null);
});

const script = (...last: object[]): string =>
  JSON.stringify({
    turns: [
      [
        { do: 'say', text: `${canary} is what it says` },
        { do: 'data' },
        { do: 'form', title: `${canary} title`, fields: [{ name: 'colour', label: `${canary} label`, type: 'text' }] },
      ],
      last,
    ],
  });

/** Everything Temporal keeps of a task, as bytes. */
async function historyBytes(task: TaskCase): Promise<Buffer> {
  const { History } = proto.temporal.api.history.v1;
  const history = await task.handle.fetchHistory();
  const { raw } = await task.handle.describe();
  const { DescribeWorkflowExecutionResponse } = proto.temporal.api.workflowservice.v1;
  return Buffer.concat([History.encode(history).finish(), DescribeWorkflowExecutionResponse.encode(raw).finish()]);
}

/** Every row of every table, as text; bytes are hex digits. */
async function allRows(): Promise<string> {
  const { rows } = await pglite.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
    const found = await pglite.query<{ row: string }>(`select "${name}"::text as row from "${name}"`);
    texts.push(...found.rows.map(({ row }) => `${name}: ${row}`));
  }
  return texts.join('\n');
}

/** Lines in which the word is to be found, in letters, hex or base64. */
function tracesIn(text: string): string[] {
  const hex = Buffer.from(canary).toString('hex');
  const inBase64 = [0, 1, 2].map((shift) =>
    Buffer.from(`${'x'.repeat(shift)}${canary}`)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  return text.split('\n').filter((line) => [canary, hex, ...inBase64].some((trace) => line.includes(trace)));
}

const everywhere = async (tasks: TaskCase[]): Promise<string[]> => {
  const histories = await Promise.all(tasks.map(historyBytes));
  expect(histories.every((bytes) => bytes.includes('binary/encrypted'))).toBe(true);
  const rows = await allRows();
  // The search finds what is in clear.
  expect(rows).toContain(tasks[0]?.threadId);
  return [...tracesIn(rows), ...histories.flatMap((bytes) => tracesIn(bytes.toString('latin1')))];
};

describe('a word in question and answer', () => {
  // Promise PR1
  test('a word in question and answer is in clear neither in Temporal’s history nor in a table, and people and agent have it', async () => {
    const answered = await core.engine.open(script({ do: 'complete', text: `${canary} thanks` }));
    const hold = await answered.asked();
    expect(hold.question.title).toContain(canary);
    await store.drafts.put({ holdId: hold.holdId, principal: 'anna', values: { colour: canary } });
    await store.holds.askReassign(hold.holdId, { at: hold.openedAt, by: 'otto', note: canary });
    const { taskId } = hold;
    const push = { configId: 'one', url: `https://receiver.example/${canary}`, version: '1.0' as const, box: '' };
    await store.callers.putPush({ ...push, taskId, deliveredSeq: 0 });
    expect(await store.callers.pushesOf(taskId)).toMatchObject([{ url: push.url }]);
    await answered.decide(answer(hold, { colour: canary }));
    await answered.status('DONE');

    const voted = await core.engine.open(script({ do: 'fail', text: `${canary} did not work` }), { agent: 'two' });
    const asked = await voted.asked();
    await voted.amend(
      { hold: asked.holdId, kind: 'reassign', to: ['role:finance', 'role:finance-lead'], note: canary },
      anna,
    );
    await voted.decide(answer(asked, { colour: canary }), anna);
    await voted.decide(answer(asked, { colour: canary }), bob);
    expect((await voted.status('FAILED')).error?.message).toContain(canary);

    const refused = await core.engine.open(script({ do: 'complete' }));
    await refused.decide(refusal(await refused.asked(), canary));
    await refused.status('CANCELED', 'DONE');

    await Promise.all([answered, voted, refused].map((task) => task.closed()));
    expect(await everywhere([answered, voted, refused])).toEqual([]);
    const [row] = await answered.holds();
    expect(row).toMatchObject({ decision: { values: { colour: canary } }, question: { title: `${canary} title` } });
    expect((await voted.holds())[0]).toMatchObject({
      votes: [{ values: { colour: canary } }, {}],
      moves: [{ note: canary }],
    });
    expect((await store.evidence.verify({})).faults).toEqual([]);
  });

  // Promise PR4
  test('a word in question and answer is shown by Temporal’s own command line through the codec endpoint, to holders of its key alone', async () => {
    const task = await core.engine.open(script({ do: 'complete' }));
    await task.asked();
    const api = apiOf(core.engine, keys);
    const url = await api.listen({ host: '127.0.0.1', port: 0 });
    const { namespace } = core.engine.client.options;
    const show = async (...more: string[]): Promise<string> => {
      const args = ['workflow', 'show', '--workflow-id', task.workflowId, '--namespace', namespace, '--output', 'json'];
      const { stdout, stderr } = await runTemporal([...args, '--address', `127.0.0.1:${core.temporal.port}`, ...more]);
      return stdout + stderr;
    };
    const through = ['--codec-endpoint', `${url}/codec`, '--codec-auth'];
    try {
      expect(tracesIn(await show())).toEqual([]);
      expect(tracesIn(await show(...through, `Bearer ${key}`))).not.toEqual([]);
      // The command asks again until its time is over.
      const refused = await show(...through, `Bearer ${annasKey}`, '--command-timeout', '2s');
      expect(refused).toContain('level=ERROR');
      expect(tracesIn(refused)).toEqual([]);
    } finally {
      await api.close();
    }
  });

  // Promise PR2
  test('a word in question and answer is opened by the key it was sealed with, next to a new one, and by no other', async () => {
    const task = await core.engine.open(script({ do: 'complete' }));
    const { holdId } = await task.asked();
    useColumnKeys(createCodecKeys('d1'.repeat(32), ['c0'.repeat(32)]));
    expect((await store.holds.get(holdId))?.question.title).toContain(canary);
    useColumnKeys(createCodecKeys('d1'.repeat(32)));
    const unread = { fault: 'unreadable', question: { title: 'This question cannot be read' } };
    expect(await store.holds.get(holdId)).toMatchObject(unread);
    expect(unreadableRows().find(({ id }) => id === holdId)?.why).toContain('STANDFAST_CODEC_KEY_OLD');
    useColumnKeys(null);
    expect(await store.holds.get(holdId)).toMatchObject(unread);
    useColumnKeys(keys);
  });
});
