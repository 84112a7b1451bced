// Channels that users have of their own, in addition to those a policy names.
import type { Config } from '../../contract/configuration/config.ts';
import { namesOf, withOwner } from './audience-entry.ts';
import { delegateOf } from './delegates.ts';

/** Channels of the users among these entries and of their delegates; the policy names those of roles. */
export function channelsOfUsers(
  { users }: Pick<Config, 'users'>,
  entries: readonly string[],
  owner: string,
  now: Date,
): string[] {
  const named = namesOf(withOwner(entries, owner), 'user');
  const delegates = named.flatMap((name) => delegateOf(users, name, now) ?? []);
  const all = [...named, ...namesOf(delegates, 'user')];
  return [...new Set(all.flatMap((name) => (Object.hasOwn(users, name) ? (users[name]?.notify ?? []) : [])))];
}
