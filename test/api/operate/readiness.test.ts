// Readiness tells apart what can still be done, and the log says when a part goes and comes back.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Registry } from 'prom-client';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { createReadinessWatch } from '../../../src/api/operate/readiness.ts';
import { createPrometheusMetrics } from '../../../src/api/http/prometheus.ts';
import type { ProbedPart } from '../../../src/store/ports/upkeep.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({ hasWorker: false });

const look = async (url: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await rig.app.inject({ method: 'GET', url });
  return { status: answer.statusCode, body: answer.json() };
};
/** The parts are asked at most once a second. */
const wanted = (url: string, status: number) =>
  waitFor(
    async () => {
      const found = await look(url);
      return found.status === status ? found.body : undefined;
    },
    10_000,
    `${url} to say ${status}`,
  );

test('readiness tells reads, writes and runs apart, each by what was really tried', async () => {
  expect(await look('/readyz')).toEqual({
    status: 503,
    body: {
      status: 'not_ready',
      reads: true,
      writes: true,
      runs: false,
      parts: { database: 'ok', disk: 'ok', keys: 'ok', temporal: 'ok', workers: 'unavailable' },
    },
  });
  await rig.store.workers.heartbeat('w1');
  expect(await wanted('/readyz', 200)).toMatchObject({ status: 'ready', runs: true });

  rig.tasks.fault = async () => 'namespace_not_found';
  expect(await wanted('/readyz', 503)).toMatchObject({ reads: true, writes: true, parts: { temporal: 'unavailable' } });
  expect((await look('/readyz/runs')).status).toBe(503);
  expect((await look('/readyz/writes')).status).toBe(200);
  expect(await look('/readyz/reads')).toMatchObject({ status: 200, body: { status: 'ready', runs: false } });
  rig.tasks.fault = async () => null;

  const { probe } = rig.store;
  const without = (part: ProbedPart): void => {
    rig.store.probe = async (asked) => (asked === part ? Promise.reject(new Error('no')) : probe(asked));
  };
  without('write');
  await wanted('/readyz/writes', 503);
  expect((await look('/readyz/reads')).status).toBe(200);
  rig.store.probe = probe;
  const { keyIds } = rig.store;
  rig.store.keyIds = async () => ['deadbeef'];
  expect(await wanted('/readyz/reads', 503)).toMatchObject({ parts: { keys: 'unavailable', disk: 'ok' } });
  rig.store.keyIds = keyIds;
  without('read');
  const away = { database: 'unavailable', disk: 'unknown', keys: 'unknown', workers: 'unknown', temporal: 'ok' };
  await waitFor(
    async () => (JSON.stringify((await look('/readyz')).body['parts']).includes('unknown') ? true : undefined),
    10_000,
    'the database to be away',
  );
  expect((await look('/readyz')).body).toMatchObject({ parts: away });
  rig.store.probe = probe;
  await wanted('/readyz', 200);
});

test('the log says once that Temporal or all workers are gone, and once that they are back', async () => {
  const lines: { level: number; readinessPart?: string; msg: string; err?: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const metrics = createPrometheusMetrics(new Registry());
  const watch = createReadinessWatch({ store: rig.store, tasks: rig.tasks, log, metrics });
  const settled = async (): Promise<void> => void (await watch.look());
  const logged = () => lines.map(({ level, readinessPart, msg }) => [level, readinessPart, msg.split(':')[0]]);
  const partUp = async () =>
    Object.fromEntries((await metrics.partUp.get()).values.map((one) => [one.labels.part, one.value]));

  await settled();
  expect(logged()).toEqual([]);
  rig.tasks.fault = async () => 'UNAVAILABLE';
  rig.tasks.explain = async (fault) => `${String(fault)}: start Temporal there, or correct the address`;
  await rig.store.workers.leave('w1');
  await waitFor(async () => (await settled(), lines.length >= 2), 10_000, 'both to be missed');
  expect(logged()).toEqual([
    [50, 'temporal', 'Temporal cannot be used'],
    [50, 'workers', 'no worker can take work'],
  ]);
  expect(lines[0]?.err).toBe('UNAVAILABLE: start Temporal there, or correct the address');
  expect(await partUp()).toMatchObject({ temporal: 0, workers: 0, database: 1, disk: 1, keys: 1 });

  rig.tasks.fault = async () => null;
  await rig.store.workers.heartbeat('w1');
  await waitFor(async () => (await settled(), lines.length >= 4), 10_000, 'both to be back');
  expect(logged().slice(2)).toEqual([
    [30, 'temporal', 'temporal'],
    [30, 'workers', 'workers'],
  ]);
  expect(lines[2]?.msg).toMatch(/^temporal: works again after \d+ s$/);
  expect(await partUp()).toMatchObject({ temporal: 1, workers: 1 });
});

test('an api that is started before its workers logs no error, and one if none comes', async () => {
  const lines: { level: number; msg: string; err?: unknown }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const metrics = createPrometheusMetrics(new Registry());
  for (const id of ['w1', 'w2']) await rig.store.workers.leave(id);
  let nowMs = 0;
  const watch = createReadinessWatch({ store: rig.store, tasks: rig.tasks, log, metrics }, () => nowMs);
  await watch.look();
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [30, 'no worker is there yet: runs are refused until one is'],
  ]);
  nowMs = 31_000;
  await waitFor(async () => (await watch.look(), lines.length >= 2), 10_000, 'the missing worker to be logged');
  expect(lines[1]).toMatchObject({ level: 50, err: 'none is alive' });
});

test('workers that do not reach Temporal are away where the api reaches it, and there where Temporal is away itself', async () => {
  const lines: { readinessPart?: string; err?: unknown }[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const metrics = createPrometheusMetrics(new Registry());
  let nowMs = 0;
  const watch = createReadinessWatch({ store: rig.store, tasks: rig.tasks, log, metrics }, () => nowMs);
  // Later than an api waits for its first worker in silence.
  nowMs = 31_000;
  const becomes = (states: object): Promise<unknown> =>
    waitFor(
      async () => {
        const { workers, temporal } = await watch.look();
        return isDeepStrictEqual({ workers: workers.state, temporal: temporal.state }, states);
      },
      10_000,
      `readiness to be ${JSON.stringify(states)}`,
    );
  await rig.store.workers.heartbeat('cut-1', undefined, null, false);
  await rig.store.workers.heartbeat('cut-2', undefined, null, false);
  await becomes({ workers: 'unavailable', temporal: 'ok' });
  expect(lines).toMatchObject([{ readinessPart: 'workers', err: 'none reaches Temporal, which this api reaches' }]);
  await rig.store.workers.heartbeat('cut-2', undefined, null, true);
  await becomes({ workers: 'ok', temporal: 'ok' });
  await rig.store.workers.heartbeat('cut-2', undefined, null, false);
  // A cut network answers nothing for as long as it is waited for.
  rig.tasks.fault = (withinMs) => sleep(withinMs, 'UNAVAILABLE');
  await becomes({ workers: 'ok', temporal: 'unavailable' });
  rig.tasks.fault = async () => null;
});
