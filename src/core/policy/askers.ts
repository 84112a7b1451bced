// Whether anybody but the asker could answer a question, as far as the configuration shows: who asks does not decide.
import type { ApiKey } from '../../contract/configuration/auth.ts';
import type { Config } from '../../contract/configuration/config.ts';
import type { Policy } from '../../contract/configuration/policy.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { assertNever } from '../base/errors.ts';
import { parseEntry } from './audience-entry.ts';
import { everAsked, type Asking } from './ladder.ts';
import { policiesNamed } from './matcher.ts';
import { ownEntry } from '../base/own-entry.ts';

type Known = Pick<Config, 'auth'>;

/** True for the user of an agent's key, which asks and never decides. */
export const isAgentUser = ({ auth }: Known, user: string): boolean =>
  auth.keys.some((key) => key.user === user && key.kind === 'agent');

/** True for the user of any program's key; no person may sign in as one. */
export const isProgramUser = ({ auth }: Known, user: string): boolean =>
  auth.keys.some((key) => key.user === user && key.kind !== 'person');

const isPerson = ({ kind }: ApiKey): boolean => kind !== 'agent';

/** The policy of agents without one: it asks the owner. */
export const noPolicy: Asking = { audience: [], ladder: [] };

/**
 * True when a question of this policy reaches another person than its asker. `asker` null: an unknown person.
 * A role without any key may get one later and counts; a role that only agents or the asker have does not.
 */
export function reachesOthers({ auth }: Known, policy: Asking, asker: string | null): boolean {
  const isOther = (key: ApiKey): boolean => key.user !== asker && isPerson(key);
  return everAsked(policy).some((text) => {
    const entry = parseEntry(text);
    switch (entry.kind) {
      case 'owner':
        return false;
      case 'agent':
        return true;
      case 'user':
        return entry.name !== asker && !isAgentUser({ auth }, entry.name);
      case 'role': {
        const holders = auth.keys.filter((key) => key.roles.includes(entry.name));
        return holders.length === 0 || holders.some(isOther);
      }
      default:
        return assertNever(entry);
    }
  });
}

/** True for a policy that asks the A2A caller in place of people. */
const asksCaller = ({ ask }: Pick<Policy, 'ask'>): boolean => ask === 'caller';

/** Policies that questions of an agent may get. */
function policiesOf(
  { agents, policies }: Pick<Config, 'agents' | 'policies'>,
  agent: string,
  isOverA2A: boolean,
): Asking[] {
  return policiesNamed(agents[agent] ?? {}).map((name) => {
    const policy = ownEntry(policies, name);
    if (policy === undefined) return noPolicy;
    return isOverA2A && asksCaller(policy) ? { ...policy, audience: ['owner'] } : policy;
  });
}

/** Why an agent's key may not run this agent (its questions would reach only the asker); null: it may. */
export function whyNoOtherDecider(
  config: Pick<Config, 'auth' | 'agents' | 'policies'>,
  agent: string,
  principal: Principal,
  over: 'agui' | 'a2a' = 'agui',
): string | null {
  if (principal.kind !== 'agent') return null;
  if (policiesOf(config, agent, over === 'a2a').some((policy) => reachesOthers(config, policy, principal.id)))
    return null;
  return `no policy of ${agent} asks anybody but ${principal.id}, whose key is an agent’s and decides nothing`;
}
