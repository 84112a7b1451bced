// One role alone is cut off from the database or from Temporal, while the other one reaches both.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { createDatabase, startPostgres } from '../../rigs/process/postgres.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { startTcpProxy, type TcpProxy } from '../../rigs/process/tcp-proxy.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  buildOnce,
  codeOf,
  countsOf,
  decided,
  ended,
  greenDecision,
  longMs,
  openHold,
  waitForTask,
} from '../setting.ts';
import { startSplit, startTemporal, type Api } from '../split/split.ts';

const supervisor = createSupervisor();
let fake: FakeAgent;
let api: Api;
/** The network of each role to each of the two. */
let networks: Record<'api' | 'worker', Record<'database' | 'Temporal', TcpProxy>>;

beforeAll(async () => {
  buildOnce();
  const [postgres, temporal, agent] = await Promise.all([
    startPostgres(),
    startTemporal(supervisor),
    startFakeAgent(supervisor),
  ]);
  fake = agent;
  supervisor.defer(() => postgres.stop());
  const databaseUrl = await createDatabase(postgres.url);
  const configText = `agents: { fake: { url: '${fake.url}' } }`;
  const roleApart = async (): Promise<{ split: Awaited<ReturnType<typeof startSplit>>; Temporal: TcpProxy }> => {
    const proxy = await startTcpProxy({ port: Number(temporal.address.split(':')[1]) });
    supervisor.defer(() => proxy.close());
    const through = { ...temporal, address: proxy.address };
    return { split: await startSplit(supervisor, configText, databaseUrl, {}, through), Temporal: proxy };
  };
  const [ofApi, ofWorker] = [await roleApart(), await roleApart()];
  networks = {
    api: { database: ofApi.split.database, Temporal: ofApi.Temporal },
    worker: { database: ofWorker.split.database, Temporal: ofWorker.Temporal },
  };
  [api] = await Promise.all([ofApi.split.startApi(), ofWorker.split.startWorker()]);
  await becomes('/readyz', 200);
});
afterAll(() => supervisor.end());

const becomes = (path: string, status: number): Promise<unknown> =>
  waitFor(
    async () => {
      const answer = await api.get(path);
      return answer.status === status ? answer.body : undefined;
    },
    longMs,
    `${path} to say ${status}`,
  );

const asks = async (threadId: string): ReturnType<typeof openHold> => {
  ended(await api.run('fake', { threadId, text: 'form => say thanks; complete' }, longMs), 'interrupt');
  return openHold(api, 'fake', threadId);
};

interface Cut {
  role: 'api' | 'worker';
  from: 'database' | 'Temporal';
  /** What a person gets who reads the question, and who answers it; null: it may be taken, or not yet. */
  reads: number;
  decides: string | null;
  /** How a run that begins meanwhile ends, or is refused. */
  runs: string;
  /** What operators see in `/readyz`, in the end. */
  parts: object;
}

const cuts: Cut[] = [
  {
    role: 'api',
    from: 'database',
    reads: 503,
    decides: 'store_unavailable',
    runs: 'store_unavailable',
    parts: { database: 'unavailable', temporal: 'ok', workers: 'unknown' },
  },
  {
    role: 'api',
    from: 'Temporal',
    reads: 200,
    decides: 'engine_unavailable',
    runs: 'engine_unavailable',
    parts: { database: 'ok', temporal: 'unavailable', workers: 'ok' },
  },
  {
    role: 'worker',
    from: 'database',
    reads: 200,
    decides: null,
    runs: 'worker_unavailable',
    parts: { database: 'ok', temporal: 'ok', workers: 'unavailable' },
  },
  {
    role: 'worker',
    from: 'Temporal',
    reads: 200,
    decides: 'decision_not_confirmed',
    runs: 'worker_unavailable',
    parts: { database: 'ok', temporal: 'ok', workers: 'unavailable' },
  },
];

test.each(cuts)(
  'the network between the $role and the $from alone is cut: all is read that can be, the rest is answered 503, operators see it, and once it is mended the same again is done once',
  async ({ role, from, reads, decides, runs, parts }) => {
    const thread = `${role}-${from}`;
    const hold = await asks(thread);
    const network = networks[role][from];
    const request = { threadId: `${thread}-new`, runId: `${thread}-new`, text: 'complete' };
    await network.refuse();

    try {
      expect((await api.get(`/api/holds/${hold.id}`)).status).toBe(reads);
      const decision = await api.post(`/api/holds/${hold.id}/decision`, greenDecision());
      if (decides === null) expect([200, 503]).toContain(decision.status);
      else expect([decision.status, codeOf(decision)]).toEqual([503, decides]);
      if (decision.status === 503) expect(decision.headers.get('retry-after')).not.toBeNull();
      const begun = await api.run('fake', request, longMs);
      expect(begun.events.at(-1)?.['code'] ?? begun.problem?.['code']).toBe(runs);
      await waitFor(
        async () => {
          const { body } = await api.get('/readyz/runs');
          const found = (body as { parts: object }).parts;
          return Object.entries(parts).every(([part, state]) => (found as Record<string, unknown>)[part] === state);
        },
        longMs,
        `readyz to say ${JSON.stringify(parts)}`,
      );
    } finally {
      await network.accept();
    }

    expect((await decided(api, hold.id, greenDecision())).status).toBe(200);
    expect(await waitForTask(api, hold.taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE' });
    await becomes('/readyz', 200);
    ended(await api.run('fake', request, longMs), 'success');
    expect(new Set(countsOf(await fake.messages()))).toEqual(new Set([1]));
  },
  300_000,
);
