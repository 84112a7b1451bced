// All commands; each loads its dependencies lazily, so that operators' commands do not wait for the Temporal SDK and
// the database.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { version } from '../host/process/version.ts';
import { addActCommands } from './answer/act-commands.ts';
import { addHookCommand } from './answer/approve-hook.ts';
import { addAskCommands } from './ask/ask-commands.ts';
import { addDecideCommand } from './answer/decide-command.ts';
import { addManyCommands } from './answer/many-commands.ts';
import { addTaskCommands } from './answer/task-commands.ts';
import { CommandError, errorJson, errorText, exitCodeOf, exitCodes } from './operate/command-error.ts';
import { examples, groups } from './operate/command-parts.ts';
import { addCompletionCommand } from './operate/completion.ts';
import {
  addEraseCommand,
  addEvidenceCommands,
  addRebuildCommand,
  addUnreadableCommand,
} from './operate/evidence-commands.ts';
import { addKeyCommand } from './configure/key-command.ts';
import { addGateCommands } from './operate/gate-commands.ts';
import { withSuggestion } from './operate/other-names.ts';
import { addOperatorCommands } from './operate/operator-commands.ts';
import { addGrantCommands } from './operate/grant-commands.ts';
import { addPolicyCommands } from './answer/policy-commands.ts';
import { addPasskeyCommands } from './operate/passkey-commands.ts';
import type { Terminal } from './operate/terminal.ts';
import { addWatchCommand } from './operate/watch-command.ts';
import type { RoleOptions } from './run/production.ts';
import type { UpOptions } from './run/up.ts';

function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535) throw new InvalidArgumentError('expected a port number, 0 to 65535');
  return number;
}

function addRunCommands(program: Command, terminal: Terminal): void {
  examples(
    program
      .command('up')
      .helpGroup(groups.run)
      .description('everything on this machine: Temporal dev server, database, worker, api, demo agent')
      .option('--config <file>', 'configuration (default: standfast.yaml if there)')
      .option('--data-dir <dir>', 'where data is kept', '.standfast')
      .option('--host <host>', 'address to listen on')
      .option('--port <n>', 'port to listen on (default 8600)', port)
      .option('--no-demo', 'without the demo agent')
      .option('--open', 'open the page in the browser, where somebody sits at a screen of this machine')
      .option('--no-open', 'open no page')
      .option('--temporal-port <n>', 'port of the Temporal server', port)
      .option('--temporal-ui-port <n>', 'port of Temporal’s web UI', port)
      .option('--json', 'print events as JSON lines', false),
    'up',
    'up --config standfast.yaml --no-demo --port 8600',
  ).action(async (options: UpOptions) => (await import('./run/up.ts')).up(options));
  for (const [name, run, what] of [
    ['api', 'runApi', 'HTTP side; needs TEMPORAL_ADDRESS and DATABASE_URL'],
    ['worker', 'runWorker', 'Temporal worker; needs TEMPORAL_ADDRESS and DATABASE_URL'],
  ] as const) {
    program
      .command(name)
      .helpGroup(groups.run)
      .description(what)
      .option('--config <file>', 'configuration (default: standfast.yaml if there)')
      .option('--host <host>', 'address to listen on')
      .option('--port <n>', 'port to listen on', port)
      .option('--json', 'print events as JSON lines', false)
      .action(async (options: RoleOptions) => (await import('./run/production.ts'))[run](options));
  }
  program
    .command('migrate')
    .helpGroup(groups.run)
    .description('brings the tables of DATABASE_URL to this version, and ends')
    .action(async () => (await import('./run/migrate.ts')).migrate());
  program
    .command('init')
    .helpGroup(groups.run)
    .description('writes a commented configuration, and its JSON Schema for editors')
    .option('--config <file>', 'configuration (default: standfast.yaml); one that exists is kept')
    .action(async (options: { config?: string }) => {
      const { written, kept } = (await import('./configure/init.ts')).init(options);
      terminal.write([...written.map((file) => `wrote ${file}\n`), ...kept.map((file) => `kept ${file}\n`)].join(''));
    });
  program
    .command('check')
    .helpGroup(groups.run)
    .description('validates the configuration and names the line that is wrong')
    .option('--config <file>', 'configuration (default: standfast.yaml if there)')
    .option(
      '--without-secrets',
      'variables that are not set are warnings: for a file that is checked where they are not',
    )
    .addOption(forOption())
    .action(async (options: { config?: string; withoutSecrets?: boolean; for: 'up' | 'production' }) =>
      (await import('./doctor/doctor.ts')).check(options),
    );
  program
    .command('doctor')
    .helpGroup(groups.run)
    .description('checks Node, Temporal, database, agents and search attributes; says what to do')
    .option('--config <file>', 'configuration (default: standfast.yaml if there)')
    .option('--data-dir <dir>', 'of the `standfast up` that runs, if TEMPORAL_ADDRESS is not set', '.standfast')
    .option('--json', 'print JSON', false)
    .addOption(forOption())
    .action(async (options: { config?: string; dataDir: string; json: boolean; for: 'up' | 'production' }) =>
      (await import('./doctor/doctor.ts')).doctor(options),
    );
}

const forOption = (): Option =>
  new Option('--for <what>', 'what the file is for; production: also what api and worker would refuse')
    .choices(['up', 'production'])
    .default('up');

/** The program with all its commands. */
export function createProgram(terminal: Terminal, isJson: boolean): Command {
  const program = new Command('standfast')
    .description('A2A agents ask, people answer, Temporal waits.')
    .version(version, '-v, --version', 'prints the version')
    .showHelpAfterError('(--help says more)')
    .exitOverride()
    .configureOutput({
      writeOut: terminal.write,
      writeErr: isJson ? () => undefined : terminal.warn,
      outputError: (message, write) => write(withSuggestion(message)),
    });
  addRunCommands(program, terminal);
  addOperatorCommands(program, terminal);
  addAskCommands(program, terminal);
  addDecideCommand(program, terminal);
  addHookCommand(program, terminal);
  addActCommands(program, terminal);
  addTaskCommands(program, terminal);
  addManyCommands(program, terminal);
  addWatchCommand(program, terminal);
  addEvidenceCommands(program);
  addUnreadableCommand(program);
  addEraseCommand(program);
  addRebuildCommand(program);
  addKeyCommand(program, terminal);
  addGrantCommands(program, terminal);
  addPolicyCommands(program, terminal);
  addPasskeyCommands(program, terminal);
  addGateCommands(program, terminal);
  addCompletionCommand(program, terminal);
  return examples(program, 'up', 'holds --for-me', 'decide 91b70a07 --approve').addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 not allowed, 5 conflict, 6 invalid, 7 unreachable or busy.\n(ask and approve have more: standfast approve --help)',
  );
}

/** Runs one command; returns its exit code, or null on success. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number | null> {
  const isJson = args.some((arg) => arg === '--json' || arg.startsWith('--json='));
  try {
    await createProgram(terminal, isJson).parseAsync([...args], { from: 'user' });
    return null;
  } catch (error) {
    // Help and version are no errors; for real ones Commander has printed the message.
    if (error instanceof CommanderError && error.exitCode === 0) return null;
    if (error instanceof CommanderError && !isJson) return exitCodes.usage;
    if (error instanceof CommanderError)
      return ended(new CommandError('usage', withSuggestion(error.message).trimEnd()), terminal, isJson);
    return ended(error, terminal, isJson);
  }
}

function ended(error: unknown, terminal: Terminal, isJson: boolean): number {
  terminal.warn(isJson ? `${errorJson(error)}\n` : `standfast: ${errorText(error)}\n`);
  return exitCodeOf(error);
}
