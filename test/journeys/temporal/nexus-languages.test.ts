// The workflows of examples/temporal in Python, Go and Java ask people over Nexus, with the real server, and each part killed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowFailedError } from '@temporalio/client';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { programs, startCallersWorker, type CallersWorker } from '../../rigs/product/temporal-callers.ts';
import { startProduct } from '../start-product.ts';
import { paying, payingConfig } from './paying.ts';

const languages = Object.keys(programs) as (keyof typeof programs)[];
const { supervisor, up, startAgain } = startProduct(payingConfig);
const { start, asked, decide, endOf } = paying(up);
const workers = new Map<string, CallersWorker>();
const workerOf = (language: string): CallersWorker => {
  const worker = workers.get(language);
  if (worker === undefined) throw new Error(`no worker of ${language}`);
  return worker;
};
beforeAll(async () => {
  const started = languages.map(async (language) => {
    const program = programs[language];
    if (program === undefined) return;
    workers.set(language, await startCallersWorker(supervisor, language, program, up.temporalAddress));
  });
  await Promise.all(started);
});
const queueOf = (language: string): string => `payments-${language}`;

const some = languages.length === 0 ? describe.skip : describe;

some.each(languages.length === 0 ? ['none'] : languages)('a workflow on Temporal’s SDK for %s', (language) => {
  // Promise NX1
  test(`a workflow of ${language} acts once a person approved what it asked over Nexus`, async () => {
    const invoice = `${language}-1`;
    const handle = await start(invoice, queueOf(language));
    await decide(await asked(invoice), { approved: true });
    expect(await handle.result()).toBe('paid 125');
    expect(await workerOf(language).paid()).toEqual([`${invoice} 125`]);
  });
  // Promise NX5
  test(`a workflow of ${language} does not act where a person refused, and has their reason`, async () => {
    const invoice = `${language}-2`;
    const handle = await start(invoice, queueOf(language));
    await decide(await asked(invoice), { approved: false, reason: 'paid before' });
    expect(await handle.result()).toBe('not paid: paid before');
  });
  // Promise NX4
  test(`cancelling a workflow of ${language} withdraws its question`, async () => {
    const invoice = `${language}-3`;
    const handle = await start(invoice, queueOf(language));
    const holdId = await asked(invoice);
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(await endOf(holdId)).toBe('cancelled');
  });
});

some('questions of workflows in several languages', () => {
  // Promise NX2
  test('kill -9 of the asking workers, of Standfast and of the Temporal server leave one question and one action for each language', async () => {
    const begun = await Promise.all(
      languages.map(async (language) => {
        const invoice = `${language}-4`;
        const handle = await start(invoice, queueOf(language));
        return { language, invoice, handle, holdId: await asked(invoice) };
      }),
    );
    for (const { language } of begun) await workerOf(language).process.kill9();
    await up.process.kill9();
    await startAgain();
    for (const { invoice, holdId } of begun) expect(await asked(invoice)).toBe(holdId);
    const { pid } = z
      .object({ pid: z.number() })
      .parse(JSON.parse(await readFile(join(up.dataDir, 'temporal.json'), 'utf8')));
    process.kill(pid, 'SIGKILL');
    await up.process.exited;
    await startAgain();
    for (const { invoice, holdId, language, handle } of begun) {
      expect(await asked(invoice)).toBe(holdId);
      await decide(holdId, { approved: true });
      await workerOf(language).startAgain();
      expect(await handle.result()).toBe('paid 125');
      const paid = await workerOf(language).paid();
      expect(paid.filter((line) => line.startsWith(invoice))).toEqual([`${invoice} 125`]);
    }
  });
});
