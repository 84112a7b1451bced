// One verdict on each configuration: `check` and `doctor` refuse what `up` refuses, and for production what api or worker refuse.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { check, configured } from '../../../src/cli/doctor/doctor.ts';
import { runApi, runWorker } from '../../../src/cli/run/production.ts';
import { readSettings } from '../../../src/cli/run/settings.ts';
import { up } from '../../../src/cli/run/up.ts';
import { asError } from '../../rigs/as-error.ts';

const dir = mkdtempSync(join(tmpdir(), 'standfast-fitness-'));
const path = join(dir, 'standfast.yaml');
const given = { ...process.env };
afterAll(() => rmSync(dir, { recursive: true, force: true }));
afterEach(() => {
  process.env = { ...given };
  jest.restoreAllMocks();
});

type Program = 'api' | 'worker' | 'up';
const key = '5e'.repeat(32);
const mail = 'type: mail, server: "smtp://127.0.0.1:1", from: a@example.org';
const links = `notifications: { channels: { mail: { ${mail}, decideLinks: true } } }`;
const receipts = 'agents: { a: { url: "http://127.0.0.1:1/", policy: p } }\npolicies: { p: { receipt: true } }';

/** A configuration, what the environment adds, what the refusal names (null: none), and who refuses it. */
const table: [string, string, Record<string, string>, string | null, Program[]][] = [
  ['nothing at all', '{}', {}, null, []],
  ['links to decide by without a key', links, {}, 'STANDFAST_SEAL_KEY', ['api', 'worker']],
  ['links to decide by with a key', links, { STANDFAST_SEAL_KEY: key }, null, []],
  ['receipts without a key', receipts, {}, 'STANDFAST_SEAL_KEY', ['api', 'worker']],
  ['receipts with a key', receipts, { STANDFAST_SEAL_KEY: key }, null, []],
  ['old keys alone', '{}', { STANDFAST_CODEC_KEY_OLD: key }, 'STANDFAST_CODEC_KEY_OLD', ['api', 'worker', 'up']],
  [
    'a short key',
    'auth: { keys: [{ user: anna, key: "${SHORT}" }] }',
    { SHORT: 'a-key-of-anna-123' },
    'auth.keys[0].key',
    ['api', 'worker'],
  ],
  ['everybody let in', 'server: { host: 0.0.0.0 }', {}, 'refusing to listen on 0.0.0.0', ['api', 'up']],
  ['a fault of its own', 'policies: { p: { quorum: 2 } }', {}, 'policies.p.quorum', ['api', 'worker', 'up']],
];

const programs: Record<Program, () => Promise<void>> = {
  api: () => runApi({ config: path, json: false, port: 0 }),
  worker: () => runWorker({ config: path, json: false }),
  up: () => up({ config: path, json: false, dataDir: join(dir, 'data'), demo: false }),
};

const refusalOf = async (run: () => unknown): Promise<string | null> => {
  try {
    await run();
    return null;
  } catch (error) {
    return asError(error).message;
  }
};

// Promises U6, ST12
test.each(table)(
  'a configuration is judged alike by `check`, `doctor` and who starts: %s',
  async (_what, text, environment, fault, whom) => {
    delete process.env['STANDFAST_SEAL_KEY'];
    // No database listens there: what is refused is refused before anything is opened.
    Object.assign(process.env, environment, {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    });
    writeFileSync(path, text);
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const doctor = (purpose: 'up' | 'production'): void => {
      const { isOk, text: why } = configured(readSettings({ config: path }), purpose);
      if (!isOk) throw new Error(why);
    };
    const foundFor = async (purpose: 'up' | 'production'): Promise<(string | null)[]> => [
      await refusalOf(() => check({ config: path, for: purpose })),
      await refusalOf(() => doctor(purpose)),
    ];
    const found = await foundFor('production');
    if (!whom.includes('up')) expect(await foundFor('up')).toEqual([null, null]);
    else for (const why of await foundFor('up')) expect(why).toContain(fault);
    if (fault === null) return expect(found).toEqual([null, null]);
    const refused = await Promise.all(whom.map(async (program) => refusalOf(programs[program])));
    for (const why of [...found, ...refused]) expect(why).toContain(fault);
    return undefined;
  },
);
