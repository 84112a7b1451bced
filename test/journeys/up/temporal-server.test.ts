import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { processStart } from '../../../src/host/process/process-identity.ts';
import { searchAttributes } from '../../../src/host/temporal/search-attributes.ts';
import { resolveTemporal } from '../../../src/host/temporal/temporal-cli.ts';
import { startEmbeddedTemporal, type EmbeddedTemporal } from '../../../src/host/temporal/temporal-server.ts';
import { prepareNamespace } from '../../../src/host/temporal/temporal-setup.ts';
import { localTarget, withConnection } from '../../../src/host/temporal/temporal-connection.ts';
import { leastBoundMs, waitFor } from '../../rigs/wait-for.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'standfast-temporal-'));
const logFile = join(dataDir, 'temporal.log');
let cliPath = '';
let server: EmbeddedTemporal | undefined;

const start = async (options: { port?: number; uiPort?: number } = {}): Promise<EmbeddedTemporal> => {
  server = await startEmbeddedTemporal({ cliPath, dataDir, logFile, port: 0, uiPort: 0, ...options });
  return server;
};

/** A process of its own starts the server and is killed, so that the server is left behind. */
async function leaveServerBehind(): Promise<{ pid: number; port: number }> {
  const code = `
    import { startEmbeddedTemporal } from ${JSON.stringify(new URL('../../../src/host/temporal/temporal-server.ts', import.meta.url).href)};
    const { pid, port } = await startEmbeddedTemporal(${JSON.stringify({ cliPath, dataDir, logFile, port: 0, uiPort: 0 })});
    console.log(JSON.stringify({ pid, port }));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  return JSON.parse(line.toString()) as { pid: number; port: number };
}

/** Takes the port; another process's connection may have it for a while. */
async function occupy(port: number): Promise<{ port: number; free(): Promise<unknown> }> {
  const other = await waitFor(
    async () => {
      const listening = createServer().listen(port, '127.0.0.1');
      const failure = await once(listening, 'listening').then(
        () => null,
        (error: NodeJS.ErrnoException) => error,
      );
      if (failure !== null && failure.code !== 'EADDRINUSE') throw failure;
      return failure === null ? listening : undefined;
    },
    leastBoundMs,
    `port ${port}`,
  );
  const { port: taken } = other.address() as AddressInfo;
  return { port: taken, free: () => new Promise((done) => other.close(done)) };
}

beforeAll(async () => {
  const found = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
  if (found.use !== 'cli') throw new Error('these tests need the Temporal CLI');
  cliPath = found.path;
}, 300_000);

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the embedded Temporal server', () => {
  test('the embedded Temporal server starts within seconds and serves an address and a web page', async () => {
    const { target, uiUrl, isReused } = await start();
    expect(isReused).toBe(false);
    const { serverVersion } = await withConnection(target, 5000, (connection) =>
      connection.workflowService.getSystemInfo({}),
    );
    expect(serverVersion).toMatch(/^1\./);
    expect((await fetch(uiUrl)).status).toBe(200);
  });

  test('the embedded Temporal server has every search attribute with its type from the start', async () => {
    const { customAttributes } = await withConnection(server!.target, 5000, (connection) =>
      connection.operatorService.listSearchAttributes({ namespace: 'default' }),
    );
    expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(Object.keys(searchAttributes)));
    // Keyword, Int, Datetime and KeywordList, by the numbers of Temporal's API.
    expect(customAttributes).toMatchObject({
      StandfastAgent: 2,
      StandfastOpenHolds: 3,
      StandfastQuestion: 3,
      StandfastDeadline: 6,
      StandfastStuck: 6,
      StandfastAudience: 7,
    });
  });

  test('the embedded Temporal server keeps closed histories as many days as asked, and may be asked again', async () => {
    await prepareNamespace(server!.target, { retentionDays: 30 });
    await prepareNamespace(server!.target, { retentionDays: 30 });
    const { config } = await withConnection(server!.target, 5000, (connection) =>
      connection.workflowService.describeNamespace({ namespace: 'default' }),
    );
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 86_400);
  });

  test('the embedded Temporal server registers what a namespace lacks', async () => {
    const namespace = 'bare';
    await withConnection(server!.target, 5000, ({ workflowService }) =>
      workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(86_400_000) }),
    );
    const target = localTarget(server!.target.address, namespace);
    // A new namespace is known to all parts of the server a moment later.
    const until = Date.now() + 15_000;
    for (;;) {
      const problem = await prepareNamespace(target).catch((error: unknown) => error);
      if (problem === undefined) break;
      if (Date.now() > until) throw problem;
    }
    const connection = await Connection.connect(target.connection);
    const listed = await connection.operatorService.listSearchAttributes({ namespace });
    await connection.close();
    expect(Object.keys(listed.customAttributes ?? {})).toEqual(expect.arrayContaining(Object.keys(searchAttributes)));
  });

  test('the embedded Temporal server says why when it is ended from outside', async () => {
    process.kill(server!.pid, 'SIGKILL');
    expect(await server!.ended).toMatch(/ended \(SIGKILL\)/);
  });

  test('the embedded Temporal server keeps its ports over restarts', async () => {
    const { port, uiPort } = server!;
    const again = await start();
    expect(again).toMatchObject({ port, uiPort, isReused: false });
    await again.stop();
    expect(await start()).toMatchObject({ port, uiPort, isReused: false });
  });

  test('the embedded Temporal server is gone after stop', async () => {
    const { pid } = server!;
    await server!.stop();
    expect(await processStart(pid)).toBeNull();
  });

  test('the embedded Temporal server takes free ports when its own are taken', async () => {
    const { port } = server!;
    const { free } = await occupy(port);
    const other = await start();
    expect(other.port).not.toBe(port);
    await other.stop();
    await free();
  });

  test('the embedded Temporal server refuses to start on a taken port that was asked for', async () => {
    const { port, free } = await occupy(0);
    await expect(start({ port })).rejects.toThrow(`port ${port}, asked for as the Temporal port, is taken`);
    await free();
  });

  test('the embedded Temporal server is taken over when the process that started it was killed', async () => {
    const left = await leaveServerBehind();
    const found = await start();
    expect(found).toMatchObject({ ...left, isReused: true });
    process.kill(found.pid, 'SIGKILL');
    expect(await found.ended).toMatch(/ended/);
  });

  test('the embedded Temporal server is replaced when it was left behind and does not answer', async () => {
    const left = await leaveServerBehind();
    process.kill(left.pid, 'SIGSTOP');
    const found = await start();
    expect(found.isReused).toBe(false);
    expect(found.pid).not.toBe(left.pid);
    expect(await processStart(left.pid)).toBeNull();
    await found.stop();
  });

  test('the embedded Temporal server is replaced when nothing is noted of the one left behind, for two would spoil the database', async () => {
    const left = await leaveServerBehind();
    writeFileSync(join(dataDir, 'temporal.json'), '{"torn');
    const found = await start();
    expect(found.isReused).toBe(false);
    expect(await processStart(left.pid)).toBeNull();
  });

  test('the embedded Temporal server leaves a process alone whose pid was noted but is another by now', async () => {
    await server!.stop();
    const state = JSON.parse(readFileSync(join(dataDir, 'temporal.json'), 'utf8')) as object;
    writeFileSync(
      join(dataDir, 'temporal.json'),
      JSON.stringify({ ...state, pid: process.pid, startTime: 'long ago' }),
    );
    expect((await start()).isReused).toBe(false);
    await server!.stop();
  });

  test('the embedded Temporal server fails with the last words of a program that ends at once', async () => {
    const broken = join(dataDir, 'broken');
    writeFileSync(broken, '#!/bin/sh\necho "no such flag: --sqlite-pragma" >&2\nexit 3\n', { mode: 0o755 });
    await expect(startEmbeddedTemporal({ cliPath: broken, dataDir, logFile, port: 0, uiPort: 0 })).rejects.toThrow(
      /exit code 3[^]*no such flag/,
    );
  });
});
