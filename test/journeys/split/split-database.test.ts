// PostgreSQL restarted, and crashed, under api and worker at work: both go on without help, and nothing is lost or done twice.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { shownTexts, wholeText } from '../../rigs/streams/agui.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import type { Answer } from '../../rigs/product/standfast.ts';
import { createDatabase, startPostgres, type Postgres } from '../../rigs/process/postgres.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { RigProcess } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  buildOnce,
  codeOf,
  countsOf,
  ended,
  failedWorkflowTasks,
  greenDecision,
  longMs,
  openHold,
  readHold,
  waitForTask,
} from '../setting.ts';
import { startSplit } from './split.ts';
import type { Api, Split } from './split.ts';

const supervisor = createSupervisor();
/** Long enough for every idle connection, listener and transaction to meet it. */
const awayMs = 2_500;

let postgres: Postgres;
let fake: FakeAgent;
let split: Split;
let api: Api;
let worker: RigProcess;

beforeAll(async () => {
  buildOnce();
  [fake, postgres] = await Promise.all([startFakeAgent(supervisor), startPostgres()]);
  supervisor.defer(() => postgres.stop());
  const config = `agents: { fake: { url: '${fake.url}' } }\nreconcile: { every: 2s }`;
  split = await startSplit(supervisor, config, await createDatabase(postgres.url));
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  await waitFor(async () => (await api.get('/readyz')).status === 200, longMs, 'readyz to say 200');
});
afterAll(() => supervisor.end());

const decide = (id: string): Promise<Answer> => api.post(`/api/holds/${id}/decision`, greenDecision());

// Promise W16
test.each(['fast', 'crash'] as const)(
  'a %s restart delays runs, questions and decisions, and fails none',
  async (how) => {
    const threads = { open: `${how}-open`, stream: `${how}-stream`, asks: `${how}-asks` };
    ended(
      await api.run('fake', { threadId: threads.open, text: 'say before; form => say thanks; complete' }),
      'interrupt',
    );
    const hold = await openHold(api, 'fake', threads.open);
    const stream = await api.openRun('fake', { threadId: threads.stream, text: 'stream 100 60; data; complete' });
    const asks = await api.openRun('fake', { threadId: threads.asks, text: 'stream 30 60; form => complete' });
    // A run that has not begun when the database goes is refused, not delayed.
    await waitFor(
      () => [stream, asks].every((run) => run.events().some(({ type }) => type === 'TEXT_MESSAGE_CONTENT')),
      longMs,
      'text of both runs before the restart',
    );
    const restarted = postgres.restart(how, awayMs);
    const during = await decide(hold.id);
    expect([200, 503]).toContain(during.status);
    if (during.status === 503) {
      expect(['store_unavailable', 'decision_not_confirmed']).toContain(codeOf(during));
      expect(Number(during.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await api.get('/healthz')).status).toBe(200);
    await restarted;

    const events = await stream.over(longMs);
    checkRun(events);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
    expect(shownTexts(events)).toEqual([wholeText(100)]);
    expect((await asks.over(longMs)).at(-1)).toMatchObject({ outcome: { type: 'interrupt' } });
    const asked = await openHold(api, 'fake', threads.asks);
    for (const id of [hold.id, asked.id]) {
      await waitFor(async () => (await decide(id)).status === 200, longMs, `an answer to the decision on ${id}`);
      await waitForTask(api, (await readHold(api, id)).taskId, 'DONE');
    }
    // What was shown is still there, by its digest.
    const [artifact] = (await readHold(api, hold.id)).context.artifacts;
    expect((await api.get(artifact?.url ?? '')).status).toBe(200);
    expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
    expect([api.process.isRunning(), worker.isRunning()]).toEqual([true, true]);
  },
);

test('no workflow task failed on any of it', async () => {
  expect(await failedWorkflowTasks(split.temporal.address)).toEqual([]);
});
