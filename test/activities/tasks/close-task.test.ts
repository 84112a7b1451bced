import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordDecisions } from '../../../src/activities/holds/record-decisions.ts';
import { closeTask } from '../../../src/activities/tasks/close-task.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { CloseTaskInput } from '../../../src/contract/tasks/activity.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { aHold, upTo } from '../../store/stores.ts';
import { aCancel, depsOf } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const agent = 'fake';

async function end(threadId: string, rows: HoldRow[], over: Partial<CloseTaskInput>): Promise<HoldRow[]> {
  const taskId = `task-${threadId}`;
  await store.holds.putOnce(rows.map((row) => ({ ...row, agent, threadId, taskId })));
  const task = { taskId, agent, threadId, workflowId: 'w', firstExecutionRunId: 'x', owner: 'olga' };
  const input = aCancel(task, over);
  const deps = depsOf(store, () => createScriptedAgent('a-1').transport);
  await closeTask(deps, input);
  // A later attempt changes nothing.
  const ends = async (): Promise<unknown[]> => (await store.holds.ofTask(taskId)).map((row) => [row.status, row.ended]);
  const first = await ends();
  await closeTask(deps, input);
  expect(await ends()).toEqual(first);
  return store.holds.ofTask(taskId);
}

// Promise W26
test('a question that was opened by a lost worker ends with a task that never came to know of it', async () => {
  const rows = await end(
    'lost',
    upTo(2).map((n) => aHold({ n })),
    {},
  );
  expect(rows).toMatchObject(
    rows.map(() => ({ status: 'cancelled', nextStep: null, ended: { by: 'olga', why: 'cancelled' } })),
  );
  expect(await store.holds.counts({ agent, statuses: ['open'] })).toBe(0);
});

test('a question is withdrawn where no one cancelled, and one that the task knows ends as the task says', async () => {
  const [known, lost] = [aHold({ n: 1 }), aHold({ n: 2 })];
  const ended = { by: 'policy:plain', at: '2029-01-01T00:00:00.000Z', why: 'expired' as const };
  const { holdId, votes } = known;
  const holds = [
    { holdId, votes, status: 'expired' as const, decision: null, answerFingerprint: null, supersededBy: null, ended },
  ];
  const failed = { kind: 'failed', code: 'hold_expired', message: 'too late', by: null };
  const rows = await end('known', [known, lost], { status: 'FAILED', end: failed, holds });
  expect(rows).toMatchObject([
    { status: 'expired', ended },
    { status: 'withdrawn', ended: { by: 'agent:fake', why: 'withdrawn' } },
  ]);
});

// Promise Y64
test('a vote of somebody who is no user any more is marked as its question ends, in its row and in the evidence', async () => {
  const vote = (by: string): HoldRow['votes'][number] => ({
    by,
    at: '2029-01-01T00:00:00.000Z',
    values: {},
    reason: null,
    fingerprint: 'sha256:1',
    source: 'rest',
    seenDigest: null,
    credential: null,
    actor: null,
  });
  const votes = [vote('anna'), vote('ben')];
  const row = { ...aHold({ n: 1 }), agent, threadId: 'gone', taskId: 'task-gone', votes };
  await store.holds.putOnce([row]);
  const ended = { by: 'ben', at: '2029-01-01T00:00:00.000Z', why: 'approved' as const };
  const { fingerprint, ...how } = vote('ben');
  const decision = { ...how, status: 'resolved' as const, digest: row.digest };
  const { holdId } = row;
  const holds = [
    { holdId, votes, status: 'decided' as const, decision, answerFingerprint: fingerprint, supersededBy: null, ended },
  ];
  const deps = depsOf(store, () => createScriptedAgent('a-1').transport);
  const key = { user: 'ben', key: 'ben-has-a-long-key-of-their-own' };
  const config = ConfigSchema.parse({ auth: { keys: [key] } });
  const task = {
    taskId: 'task-gone',
    agent,
    threadId: 'gone',
    workflowId: 'w',
    firstExecutionRunId: 'x',
    owner: 'olga',
  };
  await recordDecisions({ ...deps, config }, {
    task,
    run: null,
    holds,
    skipped: [],
    status: 'INPUT_REQUIRED',
  } as never);
  const marks = (list: HoldRow['votes'] | undefined): unknown[] | undefined =>
    list?.map(({ by, isGone }) => [by, isGone]);
  const expected = [
    ['anna', true],
    ['ben', undefined],
  ];
  expect(marks((await store.holds.get(holdId))?.votes)).toEqual(expected);
  const records: { kind: string; votes?: HoldRow['votes'] }[] = [];
  await store.evidence.export({ holdId }, (line) => {
    if (line.type === 'record') records.push(JSON.parse(line.record) as (typeof records)[number]);
  });
  expect(marks(records.find(({ kind }) => kind === 'decided')?.votes)).toEqual(expected);
});
