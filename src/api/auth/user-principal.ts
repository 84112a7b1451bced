import type { Principal } from '../../contract/base/principal.ts';
import { isAgentUser, isProgramUser } from '../../core/policy/askers.ts';
import { principalNow } from '../../core/policy/delegates.ts';
import { isOpenedSession } from '../../core/base/proved-row.ts';
import type { ApiContext } from '../api-context.ts';
import type { PolicyTimes, WithStore } from '../api-parts.ts';

type Known = PolicyTimes;

/**
 * A user as the configuration knows them now, for callers who are known by other means than a key: roles taken away
 * since then no longer count, those of people they stand in for do. Null: unknown, or an agent.
 */
export function principalOfUser({ config, now }: Known, user: string): Principal | null {
  const own = config.auth.keys.filter((key) => key.user === user);
  if (own.length === 0 && !Object.hasOwn(config.users, user)) return null;
  if (isAgentUser(config, user)) return null;
  const roles = [...new Set(own.flatMap((key) => key.roles))];
  return principalNow(config, { id: user, roles, isSuper: false }, now());
}

/**
 * Who has this mail address: a user of the configuration, or who is signed in by the identity provider, with the roles
 * of that sign-in. Null: none, or several.
 */
export async function principalByEmail(
  known: Known & WithStore & Pick<ApiContext, 'prover'>,
  email: string,
): Promise<Principal | null> {
  const user = userByEmail(known, email);
  if (user !== null) return principalOfUser(known, user);
  const { config, store, now, prover } = known;
  if (config.auth.oidc === undefined) return null;
  const opened = (await store.sessions.byEmail(email.trim())).filter((row) => isOpenedSession(prover, row));
  // Each user once, as of their newest sign-in.
  const [one, ...others] = new Map(opened.map(({ principal }) => [principal.id, principal])).values();
  const isNoPerson = one === undefined || others.length > 0 || isProgramUser(config, one.id);
  return isNoPerson ? null : principalNow(config, one, now());
}

/** The one user with this mail address; null: none, or several. */
function userByEmail({ config }: Pick<Known, 'config'>, email: string): string | null {
  const address = email.trim().toLowerCase();
  const found = Object.entries(config.users).filter(([, user]) => user.email?.toLowerCase() === address);
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}
