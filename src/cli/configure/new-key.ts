import { createHash, randomBytes } from 'node:crypto';
import { stringify } from 'yaml';
import { ApiKeySchema } from '../../contract/configuration/auth.ts';
import { CommandError } from '../operate/command-error.ts';

/** Lets secret scanners find keys in files and logs. */
const prefix = 'hpk_';

interface NewKey {
  key: string;
  /** For `auth.keys`: it knows the key by its hash. */
  entry: { user: string; id?: string; keySha256: string };
  /** The entry as a line of YAML. */
  line: string;
}

/** Throws `usage` for a name that no key may have. */
export function newKey(names: { id?: string; user: string }): NewKey {
  for (const name of ['id', 'user'] as const) {
    if (names[name] === undefined) continue;
    const issue = ApiKeySchema.shape[name].safeParse(names[name]).error?.issues[0];
    if (issue !== undefined) throw new CommandError('usage', `--${name} ${names[name]}: ${issue.message}`);
  }
  const key = `${prefix}${randomBytes(32).toString('base64url')}`;
  const keySha256 = createHash('sha256').update(key).digest('hex');
  const entry = { user: names.user, ...(names.id === undefined ? {} : { id: names.id }), keySha256 };
  return { key, entry, line: `- ${stringify(entry, { collectionStyle: 'flow', lineWidth: 0 }).trim()}` };
}
