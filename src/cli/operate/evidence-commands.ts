// `verify`, `export`, `rebuild` and `erase`: their options. What they do is loaded when one of them runs.
import { InvalidArgumentError, type Command } from 'commander';
import { examples, groups } from './command-parts.ts';
import type { EraseOptions, RangeOptions, VerifyOptions } from './evidence.ts';
import type { RebuildOptions } from './rebuild.ts';

export function addEvidenceCommands(program: Command): void {
  ranged(
    program
      .command('verify')
      .helpGroup(groups.operate)
      .description('whether the questions and their records are as they were written'),
  )
    .option('--restored <reason>', 'state that the database was restored: lost signed heads count no longer', reason)
    .option('--json', 'print JSON', false)
    .action(async (options: VerifyOptions) => (await import('./evidence.ts')).verify(options));
  ranged(
    program
      .command('export')
      .helpGroup(groups.operate)
      .description('records as JSON lines, to be checked by docs/verify-evidence.mjs'),
  )
    .option('--hold <id>', 'of one question')
    .action(async (options: RangeOptions & { hold?: string }) =>
      (await import('./evidence.ts')).exportRecords(options),
    );
}

/** `unreadable`: names rows that cannot be read. */
export function addUnreadableCommand(program: Command): void {
  program
    .command('unreadable')
    .helpGroup(groups.operate)
    .description('rows that cannot be read, or questions that were altered; `cancel` ends the task of one')
    .option('--config <file>', 'configuration (default: standfast.yaml if there)')
    .option('--data-dir <dir>', 'of `standfast up`, if DATABASE_URL is not set', '.standfast')
    .option('--json', 'print JSON', false)
    .action(async (options: { config?: string; dataDir: string; json: boolean }) =>
      (await import('./evidence.ts')).listUnreadable(options),
    );
}

/** `rebuild`: after the database was lost. */
export function addRebuildCommand(program: Command): void {
  examples(
    program
      .command('rebuild')
      .helpGroup(groups.operate)
      .description('after the database was lost: makes it again from Temporal and the agents, by the worker that runs')
      .option('--dry-run', 'say what would come back, and change nothing', false)
      .option('--no-agents', 'without what agents have made; for tasks of agents that are gone')
      .option('--config <file>', 'configuration (default: standfast.yaml if there)')
      .option('--data-dir <dir>', 'of `standfast up`, if TEMPORAL_ADDRESS is not set', '.standfast')
      .option('--json', 'print JSON', false),
    'rebuild --dry-run',
    'rebuild',
  ).action(async (options: RebuildOptions) => (await import('./rebuild.ts')).rebuild(options));
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
    .option('--config <file>', 'configuration (default: standfast.yaml if there)')
    .option('--data-dir <dir>', 'of `standfast up`, if DATABASE_URL is not set', '.standfast')
    .option('--json', 'print JSON', false)
    .action(async (options: EraseOptions) => (await import('./evidence.ts')).erase(options));
}

function ranged(command: Command): Command {
  return command
    .option('--from <time>', 'records written since then, ISO 8601', time)
    .option('--to <time>', 'records written until then, ISO 8601', time)
    .option('--config <file>', 'configuration (default: standfast.yaml if there)')
    .option('--data-dir <dir>', 'of `standfast up`, if DATABASE_URL is not set', '.standfast');
}

function reason(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('expected why, such as "disk lost, backup of 3 March"');
  return text.trim();
}

function time(text: string): string {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw new InvalidArgumentError('expected a time such as 2026-03-01 or 2026-03-01T08:00:00Z');
  return new Date(atMs).toISOString();
}
