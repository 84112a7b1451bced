// The short form of `npm run chaos`: the same run, for a fraction of the time.
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { runChaos } from './chaos-run.ts';
import { buildOnce } from '../setting.ts';

jest.setTimeout(400_000);
const supervisor = createSupervisor();
const seed = Number(process.env['STANDFAST_TEST_SEED'] ?? Date.now() % 1_000_000);

beforeAll(buildOnce);
afterAll(() => supervisor.end());

// Promise O13
test(`with everything killed, frozen and cut off in turn nothing is lost, doubled or hung (seed ${seed})`, async () => {
  const report = await runChaos(supervisor, {
    seed,
    forMs: 30_000,
    users: 3,
    everyMs: 2_500,
    breakers: 1,
    log: () => undefined,
  });
  expect(report.problems).toEqual([]);
  expect(report.tasks).toBeGreaterThan(1);
});
