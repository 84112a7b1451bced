#!/usr/bin/env -S node --max-semi-space-size=8
import { Command, InvalidArgumentError } from 'commander';
import { version } from '../contract/version.ts';
import { addEvidenceCommands } from './operate/evidence-commands.ts';
import { addOperatorCommands } from './operate/operator-commands.ts';
import { addPeopleCommands } from './answer/people-commands.ts';
import type { RoleOptions } from './run/production.ts';
import { StartError } from './run/startup-output.ts';
import type { UpOptions } from './run/up.ts';
import { addWatchCommand } from './operate/watch-command.ts';

function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535) throw new InvalidArgumentError('expected a port number, 0 to 65535');
  return number;
}

// What a command needs is loaded with it: an operator's word is not to wait for Temporal's worker and a database.
const program = new Command('holdpoint')
  .description('A2A agents ask, people answer, Temporal waits.')
  .version(version, '-v, --version', 'prints the version')
  .showHelpAfterError();

program
  .command('up')
  .description('everything on this machine: Temporal dev server, database, worker, api, demo agent')
  .option('--config <file>', 'configuration (default: holdpoint.yaml if there)')
  .option('--data-dir <dir>', 'where data is kept', '.holdpoint')
  .option('--host <host>', 'address to listen on')
  .option('--port <n>', 'port to listen on (default 8600)', port)
  .option('--no-demo', 'without the demo agent')
  .option('--temporal-port <n>', 'port of the Temporal server', port)
  .option('--temporal-ui-port <n>', 'port of Temporal’s web UI', port)
  .option('--json', 'print events as JSON lines', false)
  .action(async (options: UpOptions) => (await import('./run/up.ts')).up(options));

for (const [name, run, what] of [
  ['api', 'runApi', 'HTTP side; needs TEMPORAL_ADDRESS and DATABASE_URL'],
  ['worker', 'runWorker', 'Temporal worker; needs TEMPORAL_ADDRESS and DATABASE_URL'],
] as const) {
  program
    .command(name)
    .description(what)
    .option('--config <file>', 'configuration (default: holdpoint.yaml if there)')
    .option('--host <host>', 'address to listen on')
    .option('--port <n>', 'port to listen on', port)
    .option('--json', 'print events as JSON lines', false)
    .action(async (options: RoleOptions) => (await import('./run/production.ts'))[run](options));
}

program
  .command('check')
  .description('validates the configuration and names the line that is wrong')
  .option('--config <file>', 'configuration (default: holdpoint.yaml if there)')
  .action(async (options: { config?: string }) => (await import('./operate/check.ts')).check(options));

program
  .command('doctor')
  .description('checks Node, Temporal, database, agents and search attributes; says what to do')
  .option('--config <file>', 'configuration (default: holdpoint.yaml if there)')
  .option('--json', 'print JSON', false)
  .action(async (options: { config?: string; json: boolean }) => (await import('./operate/doctor.ts')).doctor(options));
addOperatorCommands(program);
addPeopleCommands(program);
addWatchCommand(program);
addEvidenceCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  const isForPeople =
    error instanceof StartError ||
    (error instanceof Error && error.name.endsWith('Error') && error.name !== 'TypeError');
  const message = isForPeople ? error.message : String(error instanceof Error ? error.stack : error);
  process.stderr.write(`holdpoint: ${message}\n`);
  process.exit(1);
}
