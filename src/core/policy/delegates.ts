// Users of the configuration, and who decides for whom while they are away. A delegate's own delegate may not, so that it stays clear who is asked.
import type { Config } from '../../contract/configuration/config.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isAgentUser } from './askers.ts';
import { namesOf, withOwner } from './audience-entry.ts';
import { ownEntry } from '../base/own-entry.ts';

/** Everybody in the configuration at `now`: with a key, or only with a name, like those who only get mail. */
export function allUsers(config: Pick<Config, 'auth' | 'users'>, now: Date): Principal[] {
  const { auth, users } = config;
  const roles = new Map(Object.keys(users).map((name): [string, string[]] => [name, []]));
  for (const key of auth.keys) roles.set(key.user, [...(roles.get(key.user) ?? []), ...key.roles]);
  return [...roles].map(([id, own]) => {
    const kind = isAgentUser(config, id) ? ({ kind: 'agent' } as const) : {};
    return principalNow(config, { id, roles: own, isSuper: false, ...kind }, now);
  });
}

/** The principal at this moment, with those they are a delegate of. */
export function principalNow({ users }: Pick<Config, 'users'>, principal: Principal, now: Date): Principal {
  const { alsoFor: _before, namedAt: _since, ...own } = principal;
  const alsoFor = standsInFor(users, principal, now);
  if (alsoFor.length === 0) return own;
  const namedAt = alsoFor.flatMap((entry): [string, string][] => {
    const since = namedAtOf(users, entry.slice('user:'.length));
    return since === null ? [] : [[entry, since]];
  });
  return { ...own, alsoFor, ...(namedAt.length === 0 ? {} : { namedAt: Object.fromEntries(namedAt) }) };
}

/** When they named their delegate themselves, as their preferences have it; null: the configuration names one. */
function namedAtOf(users: Config['users'], name: string): string | null {
  const away = ownEntry(users, name)?.away;
  return away !== undefined && 'namedAt' in away && typeof away.namedAt === 'string' ? away.namedAt : null;
}

/** Audience entries (`user:anna`) of those this principal is a delegate of at `now`, by name, without themselves. */
export function standsInFor(users: Config['users'], principal: Pick<Principal, 'id' | 'roles'>, now: Date): string[] {
  const own = new Set([`user:${principal.id}`, ...principal.roles.map((role) => `role:${role}`)]);
  return Object.entries(users)
    .filter(
      ([name, { away }]) => name !== principal.id && away !== undefined && own.has(away.delegate) && isAway(away, now),
    )
    .map(([name]) => `user:${name}`)
    .toSorted();
}

/** The delegate of a user, if they are away at `now`. */
export function delegateOf(users: Config['users'], name: string, now: Date): string | null {
  const away = ownEntry(users, name)?.away;
  return away !== undefined && isAway(away, now) ? away.delegate : null;
}

function isAway({ from, until }: { from?: string | undefined; until?: string | undefined }, now: Date): boolean {
  const isBegun = from === undefined || Date.parse(from) <= now.getTime();
  return isBegun && (until === undefined || now.getTime() < Date.parse(until));
}

/** Channels of the users among these entries and of their delegates; those of roles are in the policy. */
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
