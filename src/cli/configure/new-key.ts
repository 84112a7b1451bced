import { createHash, randomBytes } from 'node:crypto';
import { stringify } from 'yaml';
import { ApiKeySchema } from '../../contract/configuration/auth.ts';
import { CommandError } from '../operate/command-error.ts';

/** Lets secret scanners find keys in files and logs. */
const prefix = 'hpk_';

interface KeyNames {
  user: string;
  id?: string;
  kind?: string;
  roles?: string[];
}

interface NewKey {
  key: string;
  /** For `auth.keys`: it knows the key by its hash. */
  entry: KeyNames & { keySha256: string };
  /** The entry as a line of YAML. */
  line: string;
}

/** What a key is called on the command line. */
const options = { user: 'user', id: 'id', kind: 'kind', roles: 'role' } as const;

/** Throws `usage` for a name that no key may have. */
export function newKey(names: KeyNames): NewKey {
  const { user, ...others } = names;
  for (const [name, option] of Object.entries(options) as [keyof KeyNames, string][]) {
    if (names[name] === undefined) continue;
    const issue = ApiKeySchema.shape[name].safeParse(names[name]).error?.issues[0];
    if (issue !== undefined)
      throw new CommandError('usage', `--${option} ${[names[name]].flat().join(' ')}: ${issue.message}`);
  }
  const key = `${prefix}${randomBytes(32).toString('base64url')}`;
  const keySha256 = createHash('sha256').update(key).digest('hex');
  const entry = { user, ...others, keySha256 };
  return { key, entry, line: `- ${stringify(entry, { collectionStyle: 'flow', lineWidth: 0 }).trim()}` };
}
