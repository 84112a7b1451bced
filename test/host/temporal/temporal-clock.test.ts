import { afterAll, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { readTemporalClock } from '../../../src/host/temporal/temporal-clock.ts';
import { localTarget } from '../../../src/host/temporal/temporal-connection.ts';
import { prepareNamespace } from '../../../src/host/temporal/temporal-setup.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { startTemporalServer } from '../../rigs/process/temporal-server.ts';
import { leastBoundMs } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
afterAll(() => supervisor.end());

test('the clock of Temporal is read, again and again, as it is at that moment', async () => {
  const target = localTarget(`127.0.0.1:${await startTemporalServer(supervisor)}`);
  await prepareNamespace(target, { withinMs: leastBoundMs });
  const connection = await Connection.connect(target.connection);
  try {
    for (const _time of [1, 2]) {
      const { atMs, between } = await connection.withDeadline(Date.now() + 10_000, () =>
        readTemporalClock(connection, target.namespace),
      );
      expect(atMs).toBeGreaterThanOrEqual(between[0] - 1);
      expect(atMs).toBeLessThanOrEqual(between[1]);
    }
  } finally {
    await connection.close();
  }
});
