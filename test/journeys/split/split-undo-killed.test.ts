// kill -9 of api and worker while an answer is taken back: the question is open again and its answer its author's draft, together,
// or neither is; nothing that was typed is lost, and nothing of it is sent.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, decided, ended, greenDecision, longMs, openHold, readHold, waitForTask } from '../setting.ts';
import { startSplit, type Split } from './split.ts';

const supervisor = createSupervisor();
const policies = `policies:\n  slow: { grace: 30m }\n`;
const typed = { colour: 'green', note: 'typed by hand' };

let fake: FakeAgent;
let split: Split;

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  split = await startSplit(supervisor, `agents:\n  fake: { url: '${fake.url}', policy: slow }\n${policies}`);
});
afterAll(() => supervisor.end());

const isOpenAgain = ({ status, outgoing, draft }: HoldView): boolean =>
  status === 'open' && outgoing === null && draft !== null;

// Promise Y89
test.each([
  ['before its row is committed', 'amend.writing', false],
  ['after its row is committed, before its result is known', 'amend.committed', true],
])('api and worker killed %s leave an answer that is taken back as its author’s draft', async (_when, seam, isSeen) => {
  const threadId = seam;
  const [api, calm] = await Promise.all([split.startApi(), split.startWorker()]);
  ended(await api.run('fake', { threadId, text: 'form => say taken; complete' }, longMs), 'interrupt');
  const asked = await openHold(api, 'fake', threadId);
  expect(await decided(api, asked.id, greenDecision(typed.note))).toMatchObject({ status: 200 });
  await waitFor(async () => (await readHold(api, asked.id)).outgoing !== null, longMs, 'the answer to wait');
  await calm.kill9();

  const doomed = await split.startWorker({ STANDFAST_TEST_SEAM: seam });
  const undone = api.post(`/api/holds/${asked.id}/undo`, {}).catch(() => null);
  await waitFor(() => doomed.output().includes(`held at ${seam}`), longMs, 'the worker to be held');
  // One transaction: a reader now sees both, or neither.
  const meanwhile = await readHold(api, asked.id);
  expect([isOpenAgain(meanwhile), meanwhile.draft !== null]).toEqual([isSeen, isSeen]);
  await Promise.all([doomed.kill9(), api.process.kill9()]);
  await undone;

  const [after, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  await waitFor(async () => isOpenAgain(await readHold(after, asked.id)), longMs, 'the question to be open again');
  expect(await readHold(after, asked.id)).toMatchObject({
    id: asked.id,
    digest: asked.digest,
    draft: { values: typed },
  });
  expect(await decided(after, asked.id, { status: 'resolved', values: { colour: 'red', note: 'now' } })).toMatchObject({
    status: 200,
  });
  await waitForTask(after, asked.taskId, 'DONE');
  const sent = (await fake.messages()).map(({ parts }) => JSON.stringify(parts)).join('\n');
  expect(sent).not.toContain(typed.note);
  expect(sent).toContain('red');
  await Promise.all([worker.kill9(), after.process.kill9()]);
});
