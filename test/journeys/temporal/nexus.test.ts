// Workflows of somebody else's ask people over Nexus (examples/temporal), with the real server, and each part killed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowFailedError } from '@temporalio/client';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { startCallersWorker, typescriptProgram, type CallersWorker } from '../../rigs/product/temporal-callers.ts';
import { startProduct } from '../start-product.ts';
import { paying, payingConfig } from './paying.ts';

const { supervisor, up, startAgain } = startProduct(payingConfig);
const { start, asked, decide, endOf } = paying(up);
let worker: CallersWorker;
beforeAll(async () => {
  worker = await startCallersWorker(supervisor, 'typescript', await typescriptProgram(supervisor), up.temporalAddress);
});

describe('a workflow on the TypeScript SDK', () => {
  // Promise NX1
  test('a workflow acts once a person approved what it asked over Nexus', async () => {
    const handle = await start('invoice-1');
    await decide(await asked('invoice-1'), { approved: true });
    expect(await handle.result()).toBe('paid 125');
    expect(await worker.paid()).toEqual(['invoice-1 125']);
  });
  // Promise NX5
  test('a workflow does not act where a person refused, and has their reason', async () => {
    const handle = await start('invoice-2');
    await decide(await asked('invoice-2'), { approved: false, reason: 'paid before' });
    expect(await handle.result()).toBe('not paid: paid before');
  });
  // Promise NX4
  test('cancelling the asking workflow withdraws its question', async () => {
    const handle = await start('invoice-3');
    const holdId = await asked('invoice-3');
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(await endOf(holdId)).toBe('cancelled');
  });
});

describe('a question that a workflow asks over Nexus', () => {
  // Promise NX2
  test('kill -9 of the asking worker, of Standfast and of the Temporal server leave one question and one action', async () => {
    const handle = await start('invoice-4');
    const holdId = await asked('invoice-4');
    await worker.process.kill9();
    await up.process.kill9();
    await startAgain();
    expect(await asked('invoice-4')).toBe(holdId);
    const { pid } = z
      .object({ pid: z.number() })
      .parse(JSON.parse(await readFile(join(up.dataDir, 'temporal.json'), 'utf8')));
    process.kill(pid, 'SIGKILL');
    await up.process.exited;
    await startAgain();
    expect(await asked('invoice-4')).toBe(holdId);
    await decide(holdId, { approved: true });
    await worker.startAgain();
    expect(await handle.result()).toBe('paid 125');
    expect((await worker.paid()).filter((line) => line.startsWith('invoice-4'))).toEqual(['invoice-4 125']);
  });
  // Promise NX2
  test('a workflow that asks while Standfast is away asks once Standfast is back, once', async () => {
    await up.process.kill9();
    const handle = await start('invoice-5');
    await startAgain();
    await decide(await asked('invoice-5'), { approved: true });
    expect(await handle.result()).toBe('paid 125');
    expect(await worker.paid()).toContain('invoice-5 125');
  });
});
