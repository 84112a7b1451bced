// A worker tries its heartbeat every 2 s: an outage of the database is two lines of its log, however long it lasts.
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { heartbeatOf } from '../../../src/cli/run/worker-role.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { onlyDebug } from '../../../src/host/process/outage.ts';
import { createProcessMetrics } from '../../../src/cli/run/metrics.ts';

test('an outage of the database is one line when it begins and one with its seconds when it ends', async () => {
  const lines: { level: number; msg: string; seconds?: number; err?: { message: string } }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  let fault: Error | null = null;
  const workers = { heartbeat: async () => (fault === null ? 0 : Promise.reject(fault)) };
  const metrics = await createProcessMetrics('worker', { metricsPort: undefined, metricsHost: '127.0.0.1' });
  // Safe: of the deps it takes these alone.
  const heartbeat = heartbeatOf({ config: ConfigSchema.parse({}), store: { workers }, metrics, log } as never, 'w1');
  const tried = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) await heartbeat.now();
  };
  for (const _outage of [1, 2]) {
    lines.length = 0;
    await tried(2);
    fault = new Error('the database cannot be reached: connect ECONNREFUSED');
    await tried(30);
    fault = null;
    await tried(30);
    expect(lines.map(({ level, msg, err, seconds }) => [level, msg, err?.message, seconds])).toEqual([
      [
        50,
        expect.stringMatching(/^the database takes no heartbeat of this worker: /),
        expect.stringContaining('ECONN'),
        undefined,
      ],
      [30, 'database: works again after 0 s', undefined, 0],
    ]);
  }
});

test('a worker in one process with an api, which logs the outage, does not log it', async () => {
  const levels: number[] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void levels.push((JSON.parse(line) as { level: number }).level) },
  );
  const workers = { heartbeat: async () => Promise.reject(new Error('the database cannot be reached')) };
  const metrics = await createProcessMetrics('up', { metricsPort: undefined, metricsHost: '127.0.0.1' });
  const deps = { config: ConfigSchema.parse({}), store: { workers }, metrics, log, outages: onlyDebug(log) };
  await heartbeatOf(deps as never, 'w1').now();
  expect(levels).toEqual([20]);
});
