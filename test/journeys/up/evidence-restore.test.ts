import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { exportRecords, verify } from '../../../src/cli/operate/evidence.ts';
import { createHeadSigner, keyIn, startHeadSigner } from '../../../src/cli/run/evidence-key.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { createWorkerMetrics } from '../../../src/host/metrics/worker-metrics.ts';
import { createEgress } from '../../../src/host/net/egress.ts';
import { createLogger } from '../../../src/host/process/log.ts';
import { openEmbedded } from '../../../src/store/database/embedded.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { SignedHead } from '../../../src/store/ports/evidence.ts';
import type { Store } from '../../../src/store/store.ts';
import { prepareDataDir } from '../../rigs/store/memory-store.ts';
import { liveShortly } from '../../store/evidence/lives.ts';

let dir = '';
let heads = '';
const database = (): string => join(dir, 'pglite');
const backup = (): string => join(dir, 'backup');

async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ dataDir: database() });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** What the worker does as it stops: signs the end of the chain, and writes the head into the file. */
async function signByWorker(): Promise<{ refused: number }> {
  const metrics = createWorkerMetrics(new Registry());
  const log = createLogger({ level: 'silent', name: 'test', isPretty: false });
  const { egress } = ConfigSchema.parse({});
  await inStore(async ({ evidence }) => {
    const deps = { evidence, now: () => new Date(), egress: createEgress(egress), log, metrics };
    await startHeadSigner(deps, { key: keyIn(dir), file: heads, signEvery: '1h' }).stop();
  });
  return { refused: (await metrics.refusedSignatures.get()).values[0]?.value ?? 0 };
}

const keptHeads = async (): Promise<SignedHead[]> =>
  (await readFile(heads, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as SignedHead);

async function verified(options: { restored?: string; config?: string } = {}): Promise<{ out: string; code: number }> {
  let out = '';
  const take = (text: unknown): boolean => ((out += String(text)), true);
  const spies = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, 'write').mockImplementation(take));
  try {
    await verify({ dataDir: dir, json: false, ...options });
    return { out, code: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = undefined;
    for (const spy of spies) spy.mockRestore();
  }
}

async function freshDir(): Promise<string> {
  dir = await mkdtemp(join(tmpdir(), 'standfast-restore-'));
  heads = join(dir, 'evidence-heads.jsonl');
  return dir;
}

const environment = process.env;
let backedUp = '';
// The same for every test, which copies it: a database that was signed, backed up, and went on.
beforeAll(async () => {
  process.env = { ...environment, DATABASE_URL: '', STANDFAST_EVIDENCE_KEY: '' };
  backedUp = await freshDir();
  await prepareDataDir(database());
  await inStore((store) => liveShortly(store));
  await signByWorker();
  await cp(database(), backup(), { recursive: true });
  await inStore((store) => liveShortly(store, 'withdrawn'));
  await signByWorker();
});
afterAll(async () => {
  process.env = environment;
  await rm(backedUp, { recursive: true, force: true });
});
beforeEach(async () => cp(backedUp, await freshDir(), { recursive: true }));
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Puts the backup back, after which people go on asking. */
async function restore(): Promise<void> {
  await rm(database(), { recursive: true });
  await cp(backup(), database(), { recursive: true });
  await inStore((store) => liveShortly(store));
}

// Promise E6
describe('a database restored from a backup', () => {
  test('a database restored from a backup is not signed and does not verify until the restore is stated; then it is, and the statement is shown', async () => {
    expect((await verified()).code).toBe(0);
    await restore();
    expect(await signByWorker()).toEqual({ refused: 1 });
    expect(await keptHeads()).toHaveLength(2);
    expect((await verified()).code).toBe(1);

    const stated = await verified({ restored: 'disk lost, backup of Monday' });
    expect(stated).toMatchObject({ code: 0, out: expect.stringContaining('1 signed heads given up') });
    await inStore((store) => liveShortly(store));
    expect(await signByWorker()).toEqual({ refused: 0 });
    expect(await keptHeads()).toHaveLength(3);
    const { out, code } = await verified();
    expect(code).toBe(0);
    expect(out).toContain('disk lost, backup of Monday');

    let exported = '';
    const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((exported += String(text)), true));
    await exportRecords({ dataDir: dir, from: '2020-01-01' }).finally(() => spy.mockRestore());
    expect(exported).toContain('disk lost, backup of Monday');
  });

  test('a database restored from a backup gives up only the heads that were lost: one signed after the statement is missed when it goes', async () => {
    await restore();
    await verified({ restored: 'disk lost' });
    await rm(backup(), { recursive: true });
    await cp(database(), backup(), { recursive: true });
    await inStore((store) => liveShortly(store));
    await signByWorker();
    await restore();
    expect((await verified()).code).toBe(1);
    expect(await signByWorker()).toEqual({ refused: 1 });
  });

  test('a database restored from a backup gives up no head by a statement that another key has signed', async () => {
    await restore();
    const lost = (await keptHeads()).slice(1).map(({ seq, hash }) => ({ seq, hash }));
    await inStore(async ({ evidence }) => {
      const { head } = await evidence.verify({});
      const restored = { by: 'eve', at: new Date().toISOString(), reason: 'none', givenUp: lost };
      await evidence.stateRestore(createHeadSigner('ab'.repeat(32))({ ...head, restored }));
    });
    expect((await verified()).code).toBe(1);
    expect(await signByWorker()).toEqual({ refused: 1 });
  });

  test('a database restored from a backup has nothing to state where no signed head is lost, or where records were altered', async () => {
    await expect(verified({ restored: 'by mistake' })).rejects.toThrow('there is no restore to state');
    await restore();
    const pglite = await openEmbedded(database());
    await pglite.exec("update holds set owner = 'eve'");
    await pglite.close();
    await expect(verified({ restored: 'disk lost' })).rejects.toThrow('of records that were altered');
  });
});

// Promise E6
describe('a chain that replaced the signed one', () => {
  test('a chain that replaced the signed one is found by standfast verify though a head of it was added to the file, signed with another key', async () => {
    await restore();
    const { head } = await inStore(async (store) => {
      await liveShortly(store);
      return store.evidence.verify({});
    });
    const genuine = await keptHeads();
    expect(head.seq).toBe(genuine.at(-1)?.seq);
    const added = { ...createHeadSigner('ab'.repeat(32))(head), at: new Date().toISOString() };
    await writeFile(heads, [...genuine, added].map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect((await verified()).code).toBe(1);
  });
});

// Promise E6
describe('a file of signed heads that the configuration names', () => {
  test('a file of signed heads that the configuration names is an error to standfast verify while it is missing, and a fault while it is empty', async () => {
    const file = join(dir, 'named.jsonl');
    const config = join(dir, 'standfast.yaml');
    await writeFile(config, `evidence: { file: ${JSON.stringify(file)} }\n`);
    await expect(verified({ config })).rejects.toThrow(`${file} (evidence.file) is not here`);
    await writeFile(file, '');
    const { out, code } = await verified({ config });
    expect(code).toBe(1);
    expect(out).toContain('the file of signed heads is empty');
    await cp(heads, file);
    expect((await verified({ config })).code).toBe(0);
  });
});
