// A context is what an agent remembers of a conversation: whoever writes into one may learn what it contains. The ids are
// no secret, everybody who is asked a question sees them.
import { isOperator } from '../../core/policy/audience.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import type { ApiContext } from '../api-context.ts';
import type { RunAsk } from './run-plan.ts';

const path = 'forwardedProps.a2a.contextId';

/** Throws `not_found` for a context in which only others have tasks here; one that nobody has is not known to be anybody's. */
export async function refuseContextOfOthers({ store }: Pick<ApiContext, 'store'>, ask: RunAsk): Promise<void> {
  const { agent, principal, input } = ask;
  const { contextId } = input.options;
  if (contextId === null || isOperator(principal)) return;
  const owners = await store.tasks.ownersOfContext(agent, contextId);
  if (owners.length === 0 || owners.includes(principal.id)) return;
  const message = 'there is no such context';
  throw new HoldpointError('not_found', `${path}: ${message}`, { data: { errors: [{ path, message }] } });
}
