// `verify` and `export`: whether the stored decisions are unchanged, and the proof of it for others. `erase`: removes words.
import { existsSync, readFileSync } from 'node:fs';
import type { EvidenceFault, SignedHead, VerifiedEvidence } from '../../store/ports/evidence.ts';
import { headFileIn, publicKeyOf, readKey } from '../run/evidence-key.ts';
import { SignedHeadSchema } from '../run/maintenance-socket.ts';
import { readSettings } from '../run/settings.ts';
import type { Settings } from '../run/settings.ts';
import { StartError } from '../run/startup-output.ts';
import { inDatabase } from './with-database.ts';

export interface RangeOptions {
  config?: string;
  dataDir: string;
  from?: string;
  to?: string;
}

export interface EraseOptions {
  user?: string;
  thread?: string;
  agent?: string;
  config?: string;
  dataDir: string;
  json: boolean;
}

/** Exits with 1 where something was altered. */
export async function verify(options: RangeOptions & { json: boolean }): Promise<void> {
  const settings = readSettings(options);
  const heads = keptHeads(settings, options.dataDir);
  const found = await inDatabase(settings, options.dataDir, { kind: 'verify', range: rangeOf(options), heads });
  const verified = { ...found, faults: [...found.faults, ...foreignKeys(found, settings, options.dataDir)] };
  process.stdout.write(`${options.json ? JSON.stringify(verified, null, 2) : textOf(verified, heads.length)}\n`);
  if (verified.faults.length > 0) process.exitCode = 1;
}

/** One record a line. */
export async function exportRecords(options: RangeOptions & { hold?: string }): Promise<void> {
  const { hold: holdId } = options;
  if (holdId === undefined && options.from === undefined && options.to === undefined)
    throw new StartError('give --hold ID, or --from and --to (either will do)');
  const of = holdId === undefined ? rangeOf(options) : { holdId };
  let count = 0;
  await inDatabase(readSettings(options), options.dataDir, { kind: 'export', of }, (line) => {
    count += 1;
    process.stdout.write(`${JSON.stringify(line)}\n`);
  });
  if (count === 0) throw new StartError('there is no such record');
}

/** Exits with 1 where tasks that are not over were left. */
export async function erase(options: EraseOptions): Promise<void> {
  const { user, thread, agent } = options;
  if ((user === undefined) === (thread === undefined)) throw new StartError('give either --user or --thread');
  const settings = readSettings(options);
  const erased = await (user === undefined
    ? inDatabase(settings, options.dataDir, {
        kind: 'erase-thread',
        thread: thread ?? '',
        ...(agent === undefined ? {} : { agent }),
      })
    : inDatabase(settings, options.dataDir, { kind: 'erase-user', user }));
  const { tasks, holds, open } = erased;
  const left = open.length === 0 ? '' : `\nnot over, and left as they are (cancel them first): ${open.join(', ')}`;
  const text = `${tasks} tasks removed, ${holds} questions of others without their words${left}`;
  process.stdout.write(`${options.json ? JSON.stringify(erased, null, 2) : text}\n`);
  if (open.length > 0) process.exitCode = 1;
}

const rangeOf = ({ from, to }: RangeOptions): { from?: string; to?: string } => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

/** Signed heads that were stored outside the database. */
function keptHeads({ config }: Settings, dataDir: string): SignedHead[] {
  const file = config.evidence.file ?? headFileIn(dataDir);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line, index) => {
    try {
      return SignedHeadSchema.parse(JSON.parse(line));
    } catch (error) {
      throw new StartError(`${file}:${index + 1} is no signed head`, { cause: error });
    }
  });
}

/** Whoever rewrites the chain has to sign it with another key. */
function foreignKeys({ keys }: VerifiedEvidence, { config, environment }: Settings, dataDir: string): EvidenceFault[] {
  const own = environment.evidenceKey ?? readKey(dataDir);
  if (own === null && config.evidence.trust.length === 0) return [];
  const trusted = new Set([...config.evidence.trust, ...(own === null ? [] : [publicKeyOf(own)])]);
  return keys
    .filter(({ key }) => !trusted.has(key))
    .map(({ key, seq }) => ({
      holdId: null,
      seq,
      what: `signed by the key ${key}, which is not one of evidence.trust`,
    }));
}

function textOf({ records, holds, head, keys, faults }: VerifiedEvidence, kept: number): string {
  const signed = keys.map(({ key, seq }) => `signed up to record ${seq} by ${key}`);
  const summary = [
    `${records} records of ${holds} questions, up to record ${head.seq} (${head.hash})`,
    ...(signed.length === 0 ? ['no part of the chain is signed (HOLDPOINT_EVIDENCE_KEY)'] : signed),
    ...(kept === 0 ? [] : [`compared with ${kept} heads kept outside the database`]),
  ];
  if (faults.length === 0) return [...summary, 'nothing was altered'].join('\n');
  const lines = faults.map(
    ({ holdId, seq, what }) => `ALTERED ${holdId ?? '-'}${seq === null ? '' : ` (record ${seq})`}: ${what}`,
  );
  return [...summary, ...lines].join('\n');
}
