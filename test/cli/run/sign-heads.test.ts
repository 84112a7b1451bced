import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { keyIn, publicKeyOf, startHeadSigner } from '../../../src/cli/run/evidence-key.ts';
import { Registry } from 'prom-client';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { createEgress } from '../../../src/host/net/egress.ts';
import { createWorkerMetrics } from '../../../src/host/metrics/worker-metrics.ts';
import { createLogger } from '../../../src/host/process/log.ts';
import { isSigned } from '../../../src/store/evidence/chain.ts';
import type { SignedHead } from '../../../src/store/ports/evidence.ts';
import type { Store } from '../../../src/store/store.ts';
import { openMemoryDatabase, openMemoryStore } from '../../rigs/store/memory-store.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { liveShortly } from '../../store/evidence/lives.ts';

let store: Store;
let dir = '';
beforeAll(async () => {
  [store, dir] = await Promise.all([openMemoryStore(), mkdtemp(join(tmpdir(), 'standfast-heads-'))]);
});
afterAll(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});
const egress = createEgress(ConfigSchema.parse({}).egress);
const metrics = createWorkerMetrics(new Registry());
const now = (): Date => new Date();
const log = createLogger({ level: 'silent', name: 'test', isPretty: false });

// Promise E6
describe('the signer of the evidence', () => {
  test('the signer of the evidence signs what came since the last time, and writes it outside the database', async () => {
    const file = join(dir, 'heads.jsonl');
    const lines = async (): Promise<SignedHead[]> =>
      (await readFile(file, 'utf8').catch(() => ''))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as SignedHead);
    await liveShortly(store);
    const key = keyIn(dir);
    expect(keyIn(dir)).toBe(key);
    const signer = startHeadSigner(
      { evidence: store.evidence, now, egress, log, metrics },
      { key, file, signEvery: '10ms' },
    );
    await waitFor(async () => (await lines()).length === 1, 10_000, 'a signed head');
    await liveShortly(store);
    // Perhaps two: it signs while the second life goes on.
    await waitFor(async () => (await lines()).length > 1, 10_000, 'another one');
    await signer.stop();
    const written = await lines();
    expect(written.every(isSigned)).toBe(true);
    const found = await store.evidence.verify({}, written);
    expect(found.faults).toEqual([]);
    expect(found.keys).toEqual([{ key: publicKeyOf(key), seq: written.at(-1)?.seq }]);
  });

  test('the signer of the evidence goes on when a head cannot be handed out, and hands it out later', async () => {
    const warned = jest.spyOn(log, 'warn');
    const file = join(dir, 'later', 'heads.jsonl');
    await liveShortly(store);
    const signer = startHeadSigner(
      { evidence: store.evidence, now, egress, log, metrics },
      { key: keyIn(dir), file, signEvery: '10ms' },
    );
    await waitFor(() => Promise.resolve(warned.mock.calls.length > 0), 10_000, 'a warning');
    await mkdir(join(dir, 'later'));
    await waitFor(async () => (await readFile(file, 'utf8').catch(() => '')) !== '', 10_000, 'the head');
    await signer.stop();
  });

  test('the signer of the evidence signs no chain that lost what was signed, also after a restart, and logs an error', async () => {
    const pglite = await openMemoryDatabase();
    const rewritten = await openStore({ pglite });
    const file = join(dir, 'rewritten.jsonl');
    const heads = async (): Promise<number> =>
      (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean).length;
    const start = () =>
      startHeadSigner(
        { evidence: rewritten.evidence, now, egress, log, metrics },
        { key: keyIn(dir), file, signEvery: '10ms' },
      );
    await liveShortly(rewritten);
    const before = start();
    await waitFor(async () => (await heads()) === 1, 10_000, 'a signed head');
    await before.stop();
    await pglite.exec("update evidence set hash = repeat('f', 64) where seq = 1");
    await liveShortly(rewritten);
    const failed = jest.spyOn(log, 'error');
    const after = start();
    await waitFor(() => Promise.resolve(failed.mock.calls.length > 0), 10_000, 'an error');
    await after.stop();
    expect(await heads()).toBe(1);
    expect((await metrics.refusedSignatures.get()).values[0]?.value).toBeGreaterThan(0);
    const signed = await pglite.query(`select seq from evidence where record like '%"kind":"signed"%'`);
    expect(signed.rows).toHaveLength(1);
    await rewritten.close();
  });
});
