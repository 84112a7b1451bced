// A back end with one key asks and answers for its own users: a header names the user, and the record names both.
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../contract/configuration/config.ts';
import { isUserName } from '../../contract/base/text.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { isAgentUser } from '../../core/policy/askers.ts';
import { isLookalike } from '../../core/policy/lookalikes.ts';

export const onBehalfOfHeader = 'standfast-on-behalf-of';

/** Where no caller acts for others. */
export function refuseOnBehalf(request: FastifyRequest): void {
  if (request.headers[onBehalfOfHeader] === undefined) return;
  throw new StandfastError('forbidden', 'no caller acts on behalf of others here');
}

/** The user a request is made for, or the caller themselves; throws `forbidden` where the caller may not act for others. */
export function actingPrincipal(
  config: Pick<Config, 'auth' | 'users'>,
  request: FastifyRequest,
  caller: Principal,
): Principal {
  const header = request.headers[onBehalfOfHeader];
  if (header === undefined) return caller;
  if (caller.kind !== 'backend' || request.via !== 'key')
    throw new StandfastError('forbidden', 'only a key of kind backend acts on behalf of others');
  // Node reads header fields as latin1; names are sent in UTF-8.
  const named = typeof header === 'string' ? Buffer.from(header, 'latin1').toString('utf8').trim() : '';
  if (!isUserName(named))
    throw new StandfastError('input_invalid', 'Standfast-On-Behalf-Of: expected one user name, without spaces and ":"');
  if (isLookalike(config, named))
    throw new StandfastError(
      'input_invalid',
      'Standfast-On-Behalf-Of: this name resembles another one that is known here',
    );
  const roles = config.auth.keys.filter(({ user }) => user === named).flatMap((key) => key.roles);
  return {
    id: named,
    // Operator rights cannot be gained this way: the back end must have them itself.
    roles: [...new Set(roles)].filter((role) => role !== 'operator' || caller.roles.includes('operator')),
    isSuper: false,
    ...(caller.credential === undefined ? {} : { credential: caller.credential }),
    actor: caller.id,
    ...(isAgentUser(config, named) ? { kind: 'agent' as const } : {}),
  };
}
