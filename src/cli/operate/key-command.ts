// `holdpoint key new`: generates an API key, and the configuration entry with its hash.
import { createHash, randomBytes } from 'node:crypto';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import { stringify } from 'yaml';
import { ApiKeySchema } from '../../contract/configuration/config.ts';
import { examples, groups } from './command-parts.ts';
import type { Terminal } from './terminal.ts';

/** Lets secret scanners find keys in files and logs. */
const prefix = 'hpk_';

interface KeyOptions {
  id?: string;
  user: string;
  json: boolean;
}

const oneOf =
  (name: 'id' | 'user') =>
  (text: string): string => {
    const { error } = ApiKeySchema.shape[name].safeParse(text);
    if (error !== undefined) throw new InvalidArgumentError(error.issues[0]?.message ?? 'it cannot be used');
    return text;
  };

export function addKeyCommand(program: Command, terminal: Terminal): void {
  examples(
    program
      .command('key')
      .helpGroup(groups.operate)
      .description('makes an API key, and the line of auth.keys that knows it by its hash')
      .addArgument(new Argument('<action>', 'what is done').choices(['new']))
      .option('--id <id>', 'names the key in the record of what it decided', oneOf('id'))
      .option('--user <name>', 'whose key it is', oneOf('user'), 'NAME')
      .option('--json', 'print JSON', false),
    'key new --user anna --id anna-2026',
  ).action((_action: string, { id, user, json }: KeyOptions) => {
    const key = `${prefix}${randomBytes(32).toString('base64url')}`;
    const keySha256 = createHash('sha256').update(key).digest('hex');
    const entry = { user, ...(id === undefined ? {} : { id }), keySha256 };
    const line = `- ${stringify(entry, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`;
    const text = `The key, shown this once; give it to whoever uses it:\n\n${key}\n\nAnd in the configuration:\n\nauth:\n  keys:\n    ${line}`;
    terminal.write(`${json ? JSON.stringify({ key, entry }, null, 2) : text}\n`);
  });
}
