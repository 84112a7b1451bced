// `standfast up` with its demo agent, from its start to its end.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createStandfastClient, startProgram, writeConfig } from '../../rigs/product/standfast.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, ended, interruptOf } from '../setting.ts';
import { stopsInTime } from '../start-product.ts';

const supervisor = createSupervisor();
const boundMs = 60_000;
beforeAll(buildOnce);
afterAll(() => supervisor.end());

const anyPorts = ['--port', '--temporal-port', '--temporal-ui-port'].flatMap((option) => [option, '0']);
const startArgs = (dataDir: string): string[] => ['up', '--json', '--data-dir', dataDir, ...anyPorts];

// Promise ST8
test('standfast up without a configuration file runs the demo agent and its gate', async () => {
  const dataDir = await supervisor.tempDir('up');
  const running = startProgram(supervisor, 'standfast up in an empty directory', startArgs(dataDir));
  const [line = ''] = await running.waitForLine(/.*"event":"addresses".*/, boundMs);
  expect(JSON.parse(line)).toMatchObject({ agent: 'http://127.0.0.1:8701/', gate: '/gates/demo/mcp' });
  await running.waitForLine(/.*"event":"ready".*/, boundMs);
  await stopsInTime(running, 'SIGINT');
});

test('standfast up starts the demo agent, answers its question, and ends on SIGINT within ten seconds leaving no process; with --json it tells so in JSON lines', async () => {
  const before = supervisor.pids();
  const dataDir = await supervisor.tempDir('up');
  const demo = await writeConfig(
    supervisor,
    `agents: { expenses: { url: 'http://127.0.0.1:${await supervisor.freePort()}/' } }`,
  );
  const running = startProgram(supervisor, 'standfast up --json', [...startArgs(dataDir), '--config', demo]);
  const [line = ''] = await running.waitForLine(/.*"event":"ready".*/, boundMs);
  const { url } = z.object({ url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+$/) }).parse(JSON.parse(line));
  const client = createStandfastClient(url);
  const asked = ended(
    await client.run('expenses', { threadId: 'demo', text: 'Lunch with the customer, 84.50 EUR' }),
    'interrupt',
  );
  const payload = { amount: 84.5, costCentre: 'sales', purpose: 'Lunch with a customer', approve: true };
  const resume = [{ interruptId: interruptOf(asked), status: 'resolved' as const, payload }];
  ended(await client.run('expenses', { threadId: 'demo', resume }), 'success');

  await stopsInTime(running, 'SIGINT');
  await waitFor(() => supervisor.pids().every((pid) => before.includes(pid)), 5_000, 'the end of what it had started');
  const lines = running.output().trim().split('\n');
  const events = lines.map((text): Record<string, unknown> => JSON.parse(text));
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['progress', 'addresses', 'started', 'ready', 'stopping']),
  );
  const temporal = expect.stringMatching(/:\d+$/);
  expect(events.find(({ event }) => event === 'addresses')).toMatchObject({
    url,
    temporal,
    agent: expect.stringContaining('http://127.0.0.1'),
  });
  await expect(client.get('/healthz')).rejects.toThrow();
});
