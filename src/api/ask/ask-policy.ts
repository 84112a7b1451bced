// Which policy decides who is asked by a program. A program chooses among those it is allowed, and never one that asks
// themselves alone: a program that holds the key could then answer its own question.
import type { Config } from '../../contract/configuration/config.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { noPolicy, reachesOthers } from '../../core/policy/askers.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

type Known = Pick<Config, 'auth' | 'ask' | 'policies'>;

/** The policies that this caller's questions may name. */
export function policiesFor(config: Known, principal: Principal): string[] {
  return (config.ask.policies ?? Object.keys(config.policies)).filter((name) => {
    try {
      return policyOfAsk(config, name, principal) === name;
    } catch (error) {
      if (error instanceof StandfastError) return false;
      throw error;
    }
  });
}

/** The policy's name, null for the one of questions without; throws `input_invalid` or `forbidden`. */
export function policyOfAsk(config: Known, named: string | null, principal: Principal): string | null {
  const { ask, policies } = config;
  const allowed = ask.policies ?? Object.keys(policies);
  const there = `there are ${allowed.join(', ') || 'none'}`;
  if (named !== null && ask.policies !== undefined && named !== ask.policy && !ask.policies.includes(named))
    throw new StandfastError('forbidden', `policy: ${named} is none that a program’s question may name; ${there}`);
  const name = named ?? ask.policy ?? null;
  const policy = ownEntry(policies, name);
  if (name !== null && policy === undefined)
    throw new StandfastError('input_invalid', `policy: there is no policy ${name}; ${there}`);
  refuseAskingThemselves(config, policy ?? noPolicy, name, principal);
  return name;
}

/** The policy of a call that a gate holds: one that the configuration names, and that asks others than who calls. */
export function policyOfGate(config: Known, name: string | null, principal: Principal): string | null {
  const policy = ownEntry(config.policies, name);
  if (policy === undefined) throw new StandfastError('input_invalid', `policy: there is no policy ${name ?? ''}`);
  refuseAskingThemselves(config, policy, name, principal);
  return name;
}

function refuseAskingThemselves(
  config: Known,
  policy: Parameters<typeof reachesOthers>[1],
  name: string | null,
  { id, isSuper }: Principal,
): void {
  // Without keys people have no names, so callers cannot be distinguished.
  if (isSuper || reachesOthers(config, policy, id)) return;
  const which = name === null ? 'no policy is named, and without one' : `with the policy ${name}`;
  throw new StandfastError(
    'forbidden',
    `policy: ${which} ${id} alone would be asked, who asks; name one that asks others`,
  );
}
