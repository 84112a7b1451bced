// What people have chosen for themselves, over what the configuration has of them.
import type { Config } from '../../contract/configuration/config.ts';
import type { Preferences } from '../../contract/configuration/personal.ts';
import { ownEntry } from '../base/own-entry.ts';

/** A person whom neither `users` nor `auth.keys` names has none: their roles come from elsewhere. */
export function withPreferences(
  { users, auth }: Pick<Config, 'users' | 'auth'>,
  chosen: ReadonlyMap<string, Preferences>,
): Config['users'] {
  const known = new Set([...Object.keys(users), ...auth.keys.map(({ user }) => user)]);
  const own = [...chosen].filter(([user]) => known.has(user));
  const merged = own.map(([user, preferences]): [string, Config['users'][string]] => {
    const configured = ownEntry(users, user);
    return [user, { notify: [], ...configured, ...preferences }];
  });
  return { ...users, ...Object.fromEntries(merged) };
}
