import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { drizzle } from 'drizzle-orm/pglite';
import { addEvidenceCommands } from '../../../src/cli/operate/evidence-commands.ts';
import type { Terminal } from '../../../src/cli/operate/terminal.ts';
import { runCommand } from '../../../src/cli/program.ts';
import { createHeadSigner, keyIn, publicKeyOf } from '../../../src/cli/run/evidence-key.ts';
import { acquireLock } from '../../../src/host/process/lock-file.ts';
import type { Db } from '../../../src/store/database/database.ts';
import { openEmbedded } from '../../../src/store/database/embedded.ts';
import { appendEvidence, startChain } from '../../../src/store/evidence/append.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { testKey } from '../../rigs/proofs.ts';
import { prepareDataDir } from '../../rigs/store/memory-store.ts';
import { root } from '../../source-tree.ts';
import { liveShortly, liveThrough } from '../../store/evidence/lives.ts';

let dir = '';
let heads = '';
let holdId = '';
const inStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
  const store = await openStore({ dataDir: join(dir, 'pglite') });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
};

const query = async (statement: string): Promise<void> => {
  const pglite = await openEmbedded(join(dir, 'pglite'));
  await pglite.exec(statement);
  await pglite.close();
};

/** As somebody would who has the database and the program: other records, and a chain that fits them. */
async function rewriteAll(alter: (record: string) => string): Promise<void> {
  const pglite = await openEmbedded(join(dir, 'pglite'));
  const found = await pglite.query<{ holdId: string; record: string }>(
    'select hold_id as "holdId", record from evidence where hold_id is not null order by seq',
  );
  await pglite.exec('delete from evidence; delete from chain_head');
  const db = drizzle(pglite) as unknown as Db;
  await startChain(db);
  await appendEvidence(
    db,
    found.rows.map(({ holdId: of, record }) => ({ holdId: of, record: alter(record) })),
  );
  await pglite.close();
}

let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'standfast-evidence-'));
  heads = join(dir, 'evidence-heads.jsonl');
  await prepareDataDir(join(dir, 'pglite'));
  await inStore(async (store) => {
    await liveShortly(store);
    holdId = await liveThrough(store);
    await liveShortly(store, 'withdrawn');
    const head = await store.evidence.sign(createHeadSigner(keyIn(dir)));
    await writeFile(heads, `${JSON.stringify(head)}\n`);
    expect(await store.evidence.sign(createHeadSigner(keyIn(dir)))).toBeNull();
  });
});
afterAll(() => rm(dir, { recursive: true, force: true }));
beforeEach(() => {
  environment = process.env;
  process.env = { ...environment, DATABASE_URL: '', STANDFAST_SEAL_KEY: testKey };
});
afterEach(() => {
  process.env = environment;
  process.exitCode = undefined;
});

/** Runs a command in this process. */
async function run(...args: string[]): Promise<{ out: string; code: number }> {
  let out = '';
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  try {
    const program = new Command().exitOverride();
    addEvidenceCommands(program);
    await program.parseAsync(['node', 'standfast', ...args, '--data-dir', dir]);
    return { out, code: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = undefined;
    spy.mockRestore();
  }
}

/** What the script in docs says of an export, with nothing of Standfast at hand. */
async function checkedByScript(text: string, key?: string): Promise<{ out: string; code: number | null }> {
  const file = join(dir, 'export.jsonl');
  await writeFile(file, text);
  const script = join(root, 'docs/verify-evidence.mjs');
  const ended = spawnSync(process.execPath, [script, file, ...(key === undefined ? [] : [key])], { encoding: 'utf8' });
  return { out: ended.stdout + ended.stderr, code: ended.status };
}

describe('standfast verify', () => {
  test('standfast verify says of an untouched database that nothing was altered, and who signed it', async () => {
    const { out, code } = await run('verify');
    expect(code).toBe(0);
    expect(out).toContain('nothing was altered');
    expect(out).toContain(`by ${publicKeyOf(keyIn(dir))}`);
  });

  // Promise E4
  test('ends with 1 and prints the id of a question whose answer was altered', async () => {
    await query(`update holds set decision = replace(decision, 'bea', 'eve') where hold_id = '${holdId}'`);
    const { out, code } = await run('verify');
    await query(`update holds set decision = replace(decision, 'eve', 'bea') where hold_id = '${holdId}'`);
    expect(code).toBe(1);
    expect(out).toContain(`ALTERED ${holdId}`);
    expect((await run('verify', '--json')).code).toBe(0);
  });

  // Promise E6
  test('standfast verify finds a chain that was rewritten as a whole by the heads kept outside the database', async () => {
    await query('create table kept as select * from evidence; create table kept_head as select * from chain_head;');
    await rewriteAll((record) => record.replace('"bea"', '"eve"'));
    await inStore(async ({ evidence }) => expect((await evidence.verify({})).faults).toEqual([]));
    expect((await run('verify')).out).toContain('the record is not the one that was signed');
    await query(`delete from evidence; delete from chain_head; insert into evidence select * from kept;
      insert into chain_head select * from kept_head; drop table kept, kept_head`);
    expect((await run('verify')).code).toBe(0);
  });

  test('standfast verify finds a database that was put back whole to an earlier signed head, unless the heads outside were put back too', async () => {
    const [database, old, before] = [join(dir, 'pglite'), join(dir, 'old'), await readFile(heads, 'utf8')];
    await cp(database, old, { recursive: true });
    await inStore(async (store) => {
      await liveShortly(store, 'withdrawn');
      const head = await store.evidence.sign(createHeadSigner(keyIn(dir)));
      await writeFile(heads, `${before}${JSON.stringify(head)}\n`);
    });
    expect((await run('verify')).code).toBe(0);
    await rm(database, { recursive: true });
    await rename(old, database);
    expect((await run('verify')).code).toBe(1);
    await writeFile(heads, before);
    expect((await run('verify')).code).toBe(0);
  });

  // Promise E6
  test('standfast verify tells of a signature by an untrusted key', async () => {
    const { out, code } = await withKey('ab'.repeat(32), () => run('verify'));
    expect(code).toBe(1);
    expect(out).toContain('which is not one of evidence.trust');
  });

  // Promise E8
  test('standfast verify says which process has the database open where that takes no commands yet', async () => {
    const lock = await acquireLock(dir, 'up');
    await expect(run('verify')).rejects.toThrow(`in use by a running standfast (pid ${process.pid})`);
    if ('release' in lock) lock.release();
  });

  // Promise E8
  test('standfast verify says that there is no database instead of making one', async () => {
    process.chdir(dir);
    const program = new Command().exitOverride();
    addEvidenceCommands(program);
    await expect(program.parseAsync(['node', 'standfast', 'verify'])).rejects.toThrow('there is no database in');
    process.chdir(root);
  });
});

async function withKey<T>(key: string, work: () => Promise<T>): Promise<T> {
  process.env['STANDFAST_EVIDENCE_KEY'] = key;
  return work();
}

type ExportLine = { type: string; [name: string]: unknown };

const isUnsigned = ({ record }: ExportLine): boolean => !String(record).includes('"kind":"signed"');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const contentOf = ({ seq, at, hold, previous, row, record }: ExportLine): string =>
  sha256([seq, Date.parse(String(at)), hold ?? '', previous ?? '', row ?? '', record].join('\n'));

const contentIn = (line: ExportLine): string => (line.type === 'link' ? String(line['content']) : contentOf(line));

/** The hash of the last of these lines, of which the first is the start. */
const hashAfter = ([start, ...lines]: ExportLine[]): string =>
  lines.reduce((hash, line) => sha256(`${hash}\n${contentIn(line)}`), String(start?.['hash']));

/** The lines with the numbers and hashes that follow from their contents. */
function rehashed([start, ...lines]: ExportLine[]): ExportLine[] {
  let [seq, hash] = [Number(start?.['seq']), String(start?.['hash'])];
  const changed = lines.map((line) => {
    if (line.type === 'hold') return line;
    seq += 1;
    const next = { ...line, seq };
    hash = sha256(`${hash}\n${contentIn(next)}`);
    return line.type === 'link' ? next : { ...next, hash };
  });
  return start === undefined ? [] : [start, ...changed];
}

/** The lines with another decider. */
const withOther = (lines: ExportLine[]): ExportLine[] =>
  lines.map((line) =>
    line.type === 'record' ? { ...line, record: String(line['record']).replaceAll('"bea"', '"eve"') } : line,
  );

describe('standfast export', () => {
  let exported: Promise<{ out: string }> | null = null;
  /** One question, exported once for all who read it. */
  const exportOfHold = (): Promise<{ out: string }> => (exported ??= run('export', '--hold', holdId));

  // Promise E7
  test('standfast export writes one question with what ties it to a signature, and the script in docs verifies it', async () => {
    const { out } = await exportOfHold();
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.map(({ type }) => type)).toEqual([
      'start',
      ...Array(6).fill('record'),
      'link',
      'link',
      'record',
      'hold',
    ]);
    const checked = await checkedByScript(out, publicKeyOf(keyIn(dir)));
    expect(checked).toMatchObject({ code: 0, out: expect.stringContaining('signed up to record') });
    expect(checked.out).toContain('decided by bea, answer sha256:');
    expect((await readFile(join(root, 'docs/verify-evidence.mjs'), 'utf8')).split('\n').length).toBeLessThanOrEqual(
      190,
    );
  });

  // Promise E7
  test.each([
    ['another person decided', (text: string) => text.replace(/\\"by\\":\\"bea\\"/, String.raw`\"by\":\"eve\"`)],
    ['another answer is in the row', (text: string) => text.replace('role:lead\\"]', 'role:boss\\"]')],
    ['a record is left out', (text: string) => text.split('\n').toSpliced(2, 1).join('\n')],
    ['two records changed places', (text: string) => text.replace(/^(.*\n)(.*\n)(.*\n)/, '$1$3$2')],
    ['it was signed with another key', (text: string) => text.replace(/\\"key\\":\\"../, String.raw`\"key\":\"00`)],
  ])('standfast export is refused by the script in docs when %s', async (_what, alter) => {
    const { out } = await exportOfHold();
    expect(alter(out)).not.toBe(out);
    expect((await checkedByScript(alter(out))).code).toBe(1);
  });

  // Promise E7
  test.each<[string, (lines: ExportLine[]) => ExportLine[]]>([
    ['the signatures are left out and the hashes made again', (lines) => rehashed(withOther(lines).filter(isUnsigned))],
    [
      'a second start sets the genuine signature behind forged records',
      (lines) => {
        const signed = lines.findIndex((line) => !isUnsigned(line));
        const before = lines.slice(0, signed);
        const hash = hashAfter(before);
        const forged = rehashed(withOther(before));
        const seq = Number(before.at(-1)?.['seq']);
        return [...forged, { type: 'start', seq, hash }, ...lines.slice(signed)];
      },
    ],
    [
      'a record in the middle is hidden as that of another question',
      (lines) =>
        lines.map((line, index) => (index === 3 ? { type: 'link', seq: line['seq'], content: contentOf(line) } : line)),
    ],
    [
      'the names of two columns are exchanged',
      (lines) =>
        lines.map((line) => {
          if (line.type !== 'hold') return line;
          const names: Record<string, string> = { owner: 'thread_id', thread_id: 'owner' };
          const columns = Object.entries(line['columns'] as object);
          return { ...line, columns: Object.fromEntries(columns.map(([name, text]) => [names[name] ?? name, text])) };
        }),
    ],
  ])('standfast export is refused by the script in docs, with the right key, when %s', async (_what, forge) => {
    const { out } = await exportOfHold();
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ExportLine);
    const forged = forge(lines).map((line) => JSON.stringify(line));
    expect((await checkedByScript(forged.join('\n'), publicKeyOf(keyIn(dir)))).code).toBe(1);
  });

  // Promise E7
  test('standfast export writes all of a range, and the script in docs verifies it', async () => {
    const { out } = await run('export', '--from', '2020-01-01');
    expect(await checkedByScript(out)).toMatchObject({ code: 0, out: expect.stringContaining('3 questions') });
  });

  test('standfast export wants a question or a range, and says when there is none', async () => {
    await expect(run('export')).rejects.toThrow('give --hold ID');
    await expect(run('export', '--hold', 'nobody')).rejects.toThrow('there is no such record');
  });
});

describe('standfast erase', () => {
  test('standfast erase removes what a person wrote and leaves records that verify', async () => {
    const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const silent: Terminal = {
      write: () => {},
      warn: () => {},
      columns: null,
      style: (_style, text) => text,
      ask: null,
    };
    expect(await runCommand(['erase', '--user', 'bea', '--json', '--data-dir', dir], silent)).toBeNull();
    expect(await runCommand(['erase', '--data-dir', dir], silent)).toBe(1);
    out.mockRestore();
    expect((await run('verify')).code).toBe(0);
  });
});
