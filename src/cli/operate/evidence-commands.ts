// `verify` and `export`: whether the stored decisions are unchanged, and the proof of it for others.
import { existsSync, readFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import type { EvidenceFault, SignedHead, VerifiedEvidence } from '../../store/ports/evidence.ts';
import { headFileIn, publicKeyOf, readKey } from '../run/evidence-key.ts';
import { SignedHeadSchema } from '../run/maintenance-socket.ts';
import { readSettings } from '../run/settings.ts';
import type { Settings } from '../run/settings.ts';
import { StartError } from '../run/startup-output.ts';
import { groups } from './command-parts.ts';
import { inDatabase } from './with-database.ts';

interface RangeOptions {
  config?: string;
  dataDir: string;
  from?: string;
  to?: string;
}

export function addEvidenceCommands(program: Command): void {
  ranged(
    program
      .command('verify')
      .helpGroup(groups.operate)
      .description('whether the questions and their records are as they were written'),
  )
    .option('--json', 'print JSON', false)
    .action(async (options: RangeOptions & { json: boolean }) => {
      const settings = readSettings(options);
      const heads = keptHeads(settings, options.dataDir);
      const found = await inDatabase(settings, options.dataDir, { kind: 'verify', range: rangeOf(options), heads });
      const verified = { ...found, faults: [...found.faults, ...foreignKeys(found, settings, options.dataDir)] };
      process.stdout.write(`${options.json ? JSON.stringify(verified, null, 2) : textOf(verified, heads.length)}\n`);
      if (verified.faults.length > 0) process.exitCode = 1;
    });
  ranged(
    program
      .command('export')
      .helpGroup(groups.operate)
      .description('records as JSON lines, to be checked by docs/verify-evidence.mjs'),
  )
    .option('--hold <id>', 'of one question')
    .action(async (options: RangeOptions & { hold?: string }) => {
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
    });
}

/** `erase`: removes a person's text, or a thread. */
export function addEraseCommand(program: Command): void {
  program
    .command('erase')
    .helpGroup(groups.operate)
    .description('removes a person’s words, or a thread; records of what was decided stay, without words')
    .option('--user <name>', 'their threads, and their words in questions of others')
    .option('--thread <id>', 'closed tasks of this thread, with all that belongs to them')
    .option('--agent <name>', 'of this agent’s thread only')
    .option('--config <file>', 'configuration (default: holdpoint.yaml if there)')
    .option('--data-dir <dir>', 'of holdpoint up, where DATABASE_URL is not given', '.holdpoint')
    .option('--json', 'print JSON', false)
    .action(async (options: EraseOptions) => {
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
    });
}

interface EraseOptions {
  user?: string;
  thread?: string;
  agent?: string;
  config?: string;
  dataDir: string;
  json: boolean;
}

function ranged(command: Command): Command {
  return command
    .option('--from <time>', 'records written since then, ISO 8601', time)
    .option('--to <time>', 'records written until then, ISO 8601', time)
    .option('--config <file>', 'configuration (default: holdpoint.yaml if there)')
    .option('--data-dir <dir>', 'of holdpoint up, where DATABASE_URL is not given', '.holdpoint');
}

function time(text: string): string {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw new InvalidArgumentError('expected a time such as 2026-03-01 or 2026-03-01T08:00:00Z');
  return new Date(atMs).toISOString();
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
