// `standfast key new`: generates an API key, and the configuration entry with its hash.
import { Argument, type Command } from 'commander';
import { examples, groups } from '../operate/command-parts.ts';
import type { Terminal } from '../operate/terminal.ts';

interface KeyOptions {
  id?: string;
  user: string;
  kind?: string;
  role?: string[];
  json: boolean;
}

export function addKeyCommand(program: Command, terminal: Terminal): void {
  examples(
    program
      .command('key')
      .helpGroup(groups.operate)
      .description('makes an API key, and the line of auth.keys that knows it by its hash')
      .addArgument(new Argument('<action>', 'what is done').choices(['new']))
      .option('--id <id>', 'names the key in the record of what it decided')
      .option('--user <name>', 'whose key it is', 'NAME')
      .option('--role <name...>', 'a role of the user’s; once for each')
      .option('--kind <kind>', 'agent for a program that asks; else person, backend, metrics')
      .option('--json', 'print JSON', false),
    'key new --user anna --id anna-2026 --role finance',
    'key new --user deploy-bot --kind agent',
  ).action(async (_action: string, { json, role: roles, ...names }: KeyOptions) => {
    const { newKey } = await import('./new-key.ts');
    const { key, entry, line } = newKey({ ...names, ...(roles === undefined ? {} : { roles }) });
    const text = `The key, shown this once; for its user:\n\n${key}\n\nAnd in the configuration:\n\nauth:\n  keys:\n    ${line}`;
    terminal.write(`${json ? JSON.stringify({ key, entry }, null, 2) : text}\n`);
  });
}
