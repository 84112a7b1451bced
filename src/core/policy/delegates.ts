// Out of office: who may decide in whose place. A delegate's own delegate does not: what was handed over stays in sight.
import type { Config } from '../../contract/config.ts';
import type { Principal } from '../../contract/principal.ts';
import { isAgentUser } from './askers.ts';

/** Everybody the configuration knows at `now`: by key, or by name alone, as who is only written to. */
export function allUsers(config: Pick<Config, 'auth' | 'users'>, now: Date): Principal[] {
  const { auth, users } = config;
  const roles = new Map(Object.keys(users).map((name): [string, string[]] => [name, []]));
  for (const key of auth.keys) roles.set(key.user, [...(roles.get(key.user) ?? []), ...key.roles]);
  return [...roles].map(([id, own]) => {
    const kind = isAgentUser(config, id) ? ({ kind: 'agent' } as const) : {};
    return principalNow(config, { id, roles: own, isSuper: false, ...kind }, now);
  });
}

/** The principal as they are at this moment: with those they stand in for. */
export function principalNow({ users }: Pick<Config, 'users'>, principal: Principal, now: Date): Principal {
  const { alsoFor: _before, ...own } = principal;
  const alsoFor = standsInFor(users, principal, now);
  return alsoFor.length === 0 ? own : { ...own, alsoFor };
}

/** Audience entries (`user:anna`) of those this principal stands in for at `now`; in order of name, without themselves. */
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
  const away = Object.hasOwn(users, name) ? users[name]?.away : undefined;
  return away !== undefined && isAway(away, now) ? away.delegate : null;
}

function isAway({ from, until }: { from?: string | undefined; until?: string | undefined }, now: Date): boolean {
  const isBegun = from === undefined || Date.parse(from) <= now.getTime();
  return isBegun && (until === undefined || now.getTime() < Date.parse(until));
}
