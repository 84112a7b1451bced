import type { Config } from '../contract/config.ts';
import { HoldpointError } from '../core/errors.ts';

/** Why nobody would ever answer to an entry; null when somebody does. */
function strangeness(config: Config, entry: string): string | null {
  const { keys } = config.auth;
  const name = entry.slice(entry.indexOf(':') + 1);
  if (entry.startsWith('agent:')) return 'a question is handed to people; agents are asked by a policy';
  // Without keys nobody has a name.
  if (keys.length === 0 || entry === 'owner') return null;
  if (entry.startsWith('role:')) {
    const isKnown = name === 'operator' || keys.some((key) => key.roles.includes(name));
    return isKnown ? null : `nobody has the role ${name}`;
  }
  const isKnown = keys.some((key) => key.user === name) || Object.hasOwn(config.users, name);
  return isKnown ? null : `there is no user ${name}`;
}

/** Throws `input_invalid` for whom nobody is: a question handed to a misspelt name would wait for nobody. */
export function refuseUnknownEntries(config: Config, entries: readonly string[]): void {
  const errors = entries.flatMap((entry, index) => {
    const message = strangeness(config, entry);
    return message === null ? [] : [{ path: `to.${index}`, message }];
  });
  const [first] = errors;
  if (first !== undefined)
    throw new HoldpointError('input_invalid', `${first.path}: ${first.message}`, { data: { errors } });
}
