// `standfast key new`: generates an API key, and the configuration entry with its hash.
import { Argument, type Command } from 'commander';
import { examples, groups } from '../operate/command-parts.ts';
import type { Terminal } from '../operate/terminal.ts';

interface KeyOptions {
  id?: string;
  user: string;
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
      .option('--json', 'print JSON', false),
    'key new --user anna --id anna-2026',
  ).action(async (_action: string, { json, ...names }: KeyOptions) => {
    const { newKey } = await import('./new-key.ts');
    const { key, entry, line } = newKey(names);
    const text = `The key, shown this once; for its user:\n\n${key}\n\nAnd in the configuration:\n\nauth:\n  keys:\n    ${line}`;
    terminal.write(`${json ? JSON.stringify({ key, entry }, null, 2) : text}\n`);
  });
}
