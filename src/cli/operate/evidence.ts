// `verify` and `export`: whether the stored decisions are unchanged, and the proof of it for others. `erase`: removes words.
import { existsSync, readFileSync } from 'node:fs';
import { headFaults } from '../../store/evidence/kept-heads.ts';
import { isGivenUp } from '../../store/evidence/restored.ts';
import type { EvidenceFault, SignedHead, VerifiedEvidence } from '../../store/ports/evidence.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { headFileIn, publicKeyOf, readKey } from '../run/evidence-key.ts';
import { SignedHeadSchema } from '../run/maintenance-socket.ts';
import { readSettings } from '../run/settings.ts';
import type { Settings } from '../run/settings.ts';
import { StartError } from '../run/startup-output.ts';
import { stateRestore } from './state-restore.ts';
import { inDatabase } from './with-database.ts';

export interface RangeOptions {
  config?: string;
  dataDir: string;
  from?: string;
  to?: string;
}

export interface VerifyOptions extends RangeOptions {
  json: boolean;
  /** Why the database was restored; states the restore first. */
  restored?: string;
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
export async function verify(options: VerifyOptions): Promise<void> {
  const settings = readSettings(options);
  const heads = keptHeads(settings, options.dataDir);
  if (options.restored !== undefined) {
    if (options.from !== undefined || options.to !== undefined)
      throw new StartError('--restored is of all records: leave --from and --to out');
    const stated = await stateRestore(settings, options.dataDir, { heads, reason: options.restored });
    process.stderr.write(`${stated}\n`);
  }
  const trusted = trustedKeys(settings, options.dataDir);
  const found = await inDatabase(settings, options.dataDir, { kind: 'verify', range: rangeOf(options), heads });
  const own = [
    ...foreignKeys(found, trusted),
    ...headFaults(
      heads.filter((head) => !isGivenUp(head, found.restores)),
      trusted,
    ),
    ...unsignedFaults(found, heads, settings, options.dataDir),
  ];
  const verified = { ...found, faults: [...found.faults, ...own] };
  const unsigned = unsignedText(isKeyKnown(settings, options.dataDir), settings.config.evidence);
  process.stdout.write(
    `${options.json ? JSON.stringify(verified, null, 2) : textOf(verified, heads.length, unsigned)}\n`,
  );
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
  const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
  const text = `${count(tasks, 'task')} removed, ${count(holds, 'question')} of others without their words${left}`;
  process.stdout.write(`${options.json ? JSON.stringify(erased, null, 2) : text}\n`);
  if (open.length > 0) process.exitCode = 1;
}

/** Exits with 1 where there is such a row. */
export async function listUnreadable(options: { config?: string; dataDir: string; json: boolean }): Promise<void> {
  const { rows } = await inDatabase(readSettings(options), options.dataDir, { kind: 'unreadable' });
  const lines = rows.map(({ table, id, columns, why }) => `${table} ${id} (${columns.join(', ')}): ${why}`);
  const text = lines.length === 0 ? 'every row can be read' : lines.join('\n');
  process.stdout.write(`${options.json ? JSON.stringify(rows, null, 2) : text}\n`);
  if (rows.length > 0) process.exitCode = 1;
}

const rangeOf = ({ from, to }: RangeOptions): { from?: string; to?: string } => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
});

/** Signed heads that were stored outside the database; a file that the configuration names must be there. */
function keptHeads({ config }: Settings, dataDir: string): SignedHead[] {
  const named = config.evidence.file;
  const file = named ?? headFileIn(dataDir);
  if (!existsSync(file)) {
    if (named === undefined) return [];
    throw new StartError(
      `${named} (evidence.file) is not here: without it nothing shows that the chain was not rewritten. Run this where the file is, or bring it here.`,
    );
  }
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line, index) => {
    try {
      return SignedHeadSchema.parse(JSON.parse(line));
    } catch (error) {
      throw new StartError(`${file}:${index + 1} is not a signed head`, { cause: error });
    }
  });
}

/** Keys whose signatures count; null where none is known, so that any does. */
function trustedKeys({ config, environment }: Settings, dataDir: string): Set<string> | null {
  const own = environment.evidenceKey ?? readKey(dataDir);
  if (own === null && config.evidence.trust.length === 0) return null;
  return new Set([...config.evidence.trust, ...(own === null ? [] : [publicKeyOf(own)])]);
}

/** A chain that was rewritten has to be signed with another key. */
function foreignKeys({ keys }: VerifiedEvidence, trusted: Set<string> | null): EvidenceFault[] {
  return keys
    .filter(({ key }) => trusted?.has(key) === false)
    .map(({ key, seq }) => ({
      holdId: null,
      seq,
      what: `signed by the key ${key}, which is not one of evidence.trust`,
    }));
}

const isKeyKnown = ({ environment }: Pick<Settings, 'environment'>, dataDir: string): boolean =>
  environment.evidenceKey !== undefined || readKey(dataDir) !== null;

/** Where no signature is there: whether one comes. */
export const unsignedText = (isKnown: boolean, { signEvery }: Settings['config']['evidence']): string =>
  isKnown
    ? `no part of the chain is signed yet: a worker signs it every ${signEvery}, and as it stops`
    : 'no part of the chain is signed: give workers STANDFAST_EVIDENCE_KEY';

/** Signatures that should be there: of a chain whose key is known, and outside of it where they are kept. */
function unsignedFaults(
  { keys, firstAt }: VerifiedEvidence,
  heads: SignedHead[],
  { config, environment }: Settings,
  dataDir: string,
): EvidenceFault[] {
  const ownsUp = readKey(dataDir) !== null;
  const fault = (what: string): EvidenceFault[] => [{ holdId: null, seq: null, what }];
  const dueMs = Date.parse(firstAt ?? '') + 2 * durationMs(config.evidence.signEvery);
  if (isKeyKnown({ environment }, dataDir) && keys.length === 0 && dueMs < Date.now())
    return fault('no part of the chain is signed, though a key is known');
  if (heads.length === 0 && keys.length > 0 && (config.evidence.file !== undefined || ownsUp))
    return fault('the chain is signed, and the file of signed heads is empty or missing');
  return [];
}

function textOf(
  { records, holds, head, keys, faults, restores, areProofsChecked }: VerifiedEvidence & { areProofsChecked: boolean },
  kept: number,
  unsigned: string,
): string {
  const signed = keys.map(({ key, seq }) => `signed up to record ${seq} by ${key}`);
  const summary = [
    `${records} records of ${holds} questions, up to record ${head.seq} (${head.hash})`,
    ...(signed.length === 0 ? [unsigned] : signed),
    ...(areProofsChecked ? [] : ['the proofs of answers were not checked: give STANDFAST_SEAL_KEY']),
    ...(kept === 0 ? [] : [`compared with ${kept} heads kept outside the database`]),
    ...restores.map(
      ({ seq, restored: { by, at, reason, givenUp } }) =>
        `restored after record ${seq}, as ${by} stated at ${at}: ${reason} (${givenUp.length} signed heads given up)`,
    ),
  ];
  if (faults.length === 0) return [...summary, 'nothing was altered'].join('\n');
  const lines = faults.map(
    ({ holdId, seq, what }) => `ALTERED ${holdId ?? '-'}${seq === null ? '' : ` (record ${seq})`}: ${what}`,
  );
  return [...summary, ...lines].join('\n');
}
