// Channels that users have of their own, beside those a policy names.
import type { Config, UserConfig } from '../../contract/config.ts';
import { delegateOf } from './delegates.ts';

/** Channels of the users among these entries, and of whoever stands in for them; those of a role are the policy's business. */
export function channelsOfUsers(
  { users }: Pick<Config, 'users'>,
  entries: readonly string[],
  owner: string,
  now: Date,
): string[] {
  const named = entries.map((entry) => (entry === 'owner' ? `user:${owner}` : entry));
  const all = [...named, ...named.flatMap((entry) => delegateOf(users, userOf(entry) ?? '', now) ?? [])];
  return [...new Set(all.flatMap((entry) => userIn(users, userOf(entry))?.notify ?? []))];
}

const userOf = (entry: string): string | null => (entry.startsWith('user:') ? entry.slice('user:'.length) : null);

function userIn(users: Config['users'], name: string | null): UserConfig | undefined {
  return name !== null && Object.hasOwn(users, name) ? users[name] : undefined;
}
