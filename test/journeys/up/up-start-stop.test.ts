// Starting and stopping `standfast up` as people do.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chmod, lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { readServerState } from '../../../src/host/temporal/temporal-server.ts';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { runProgram, startUp, writeConfig } from '../../rigs/product/standfast.ts';
import type { Up } from '../../rigs/product/standfast.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { leastBoundMs, waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, ended, green, interruptOf, tasksOf, waitForWorkflow } from '../setting.ts';
import { stopsInTime } from '../start-product.ts';

const supervisor = createSupervisor();
const boundMs = 60_000;
let fake: FakeAgent;
let configText: string;

beforeAll(async () => {
  buildOnce();
  fake = await startFakeAgent(supervisor);
  configText = `agents: { fake: { url: '${fake.url}' } }`;
});
afterAll(() => supervisor.end());

describe('standfast up', () => {
  let up: Up;
  let config: string;

  beforeAll(async () => {
    config = await writeConfig(supervisor, configText);
    const dataDir = await supervisor.tempDir('up');
    await chmod(dataDir, 0o755);
    up = await startUp(supervisor, { dataDir, configText, isEmbedded: true });
  });

  // Promise Y94
  test('the data directory and what is made in it is for its user alone, also if the directory was open to others', async () => {
    const names = ['.', ...(await readdir(up.dataDir, { recursive: true }))];
    expect(names.length).toBeGreaterThan(100);
    const modes = await Promise.all(
      names.map(async (name) => [name, (await lstat(join(up.dataDir, name)).catch(() => null))?.mode ?? 0] as const),
    );
    // The database gives its own files modes of its own; no one else gets as far as to them.
    expect(modes.filter(([name, mode]) => !name.startsWith('pglite') && (mode & 0o077) !== 0)).toEqual([]);
  });

  // Promise ST3
  test('a first start of everything takes no more than 420 MiB without Temporal, on Linux', async () => {
    // Elsewhere nothing tells it as simply.
    if (process.platform !== 'linux') return;
    const status = await readFile(`/proc/${up.process.pid}/status`, 'utf8');
    expect(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1])).toBeLessThan(420 * 1024);
  });

  // Promise E8
  test('standfast up verifies, exports and erases for the owner of its data directory while it runs', async () => {
    const asked = ended(await up.run('fake', { threadId: 'proof', text: 'form => say thanks; complete' }), 'interrupt');
    const resume = green(interruptOf(asked));
    ended(await up.run('fake', { threadId: 'proof', resume }), 'success');
    await waitForWorkflow(up.temporalAddress, 'fake', 'proof', 'COMPLETED');
    const operator = async (...args: string[]): Promise<{ code: number | null; output: string }> =>
      runProgram(supervisor, [...args, '--config', config, '--data-dir', up.dataDir], { boundMs });

    const verified = await operator('verify', '--json');
    expect(verified.code).toBe(0);
    const { records } = JSON.parse(verified.output) as { records: number };
    expect(records).toBeGreaterThan(0);
    const exported = (await operator('export', '--from', '2000-01-01')).output.trim().split('\n');
    const types = exported.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types.filter((type) => type === 'record').length).toBeGreaterThanOrEqual(records);

    expect(await operator('erase', '--thread', 'proof')).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 task removed'),
    });
    expect(await tasksOf(up, 'fake', 'proof')).toEqual([]);
    expect(await operator('verify')).toMatchObject({
      code: 0,
      output: expect.stringContaining('nothing was altered'),
    });
  });

  test('a second one on the same data directory is refused, and says by whom it is held', async () => {
    const { code, output } = await runProgram(
      supervisor,
      ['up', '--config', config, '--data-dir', up.dataDir, '--no-demo', '--port', '0'],
      { boundMs },
    );
    expect(code).toBe(1);
    expect(output).toContain(`${up.dataDir} is in use by another standfast (pid ${up.process.pid})`);
    expect(output).toContain('--data-dir');
    expect((await up.get('/healthz')).status).toBe(200);
  });

  test('a port that is taken is named, and nothing is left running', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const before = supervisor.pids();
    const options = ['--port', '--temporal-port', '--temporal-ui-port'];
    await Promise.all(
      options.map(async (option) => {
        const dataDir = await supervisor.tempDir('up');
        const args = [
          'up',
          '--config',
          config,
          '--data-dir',
          dataDir,
          '--no-demo',
          '--port',
          '0',
          '--temporal-port',
          '0',
          option,
          String(port),
        ];
        const { code, output } = await runProgram(supervisor, args, { boundMs });
        expect([option, code]).toEqual([option, 1]);
        expect(output).toContain(`port ${port}`);
        expect(output).not.toMatch(/\n\s+at /);
      }),
    );
    taken.close();
    await waitFor(
      () => supervisor.pids().every((pid) => before.includes(pid)),
      10_000,
      'the end of what they had started',
    );
  });

  test('ends on SIGTERM within ten seconds with a run open, whose reader learns that it goes on later', async () => {
    const open = await up.openRun('fake', { threadId: 'open', text: 'stream 2000 10; complete' });
    await open.until(({ type }) => type === 'TEXT_MESSAGE_CONTENT', 'text');
    await stopsInTime(up.process, 'SIGTERM');
    expect((await open.over()).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'worker_unavailable' });
    await waitFor(
      () => supervisor.pids().every((pid) => pid === fake.process().pid),
      5_000,
      'the end of what it had started',
    );
  });

  test('ends on SIGTERM within ten seconds also where its Temporal server is frozen, with work under way', async () => {
    const frozen = await startUp(supervisor, { dataDir: await supervisor.tempDir('up'), configText, isEmbedded: true });
    const open = await frozen.openRun('fake', { threadId: 'frozen', text: 'stream 2000 10; complete' });
    await open.until(({ type }) => type === 'TEXT_MESSAGE_CONTENT', 'text');
    process.kill(readServerState(frozen.dataDir)?.pid ?? 0, 'SIGSTOP');
    await stopsInTime(frozen.process, 'SIGTERM');
    expect((await open.over()).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'worker_unavailable' });
    await waitFor(
      () => supervisor.pids().every((pid) => pid === fake.process().pid),
      leastBoundMs,
      'the end of what it had started',
    );
  });
});
