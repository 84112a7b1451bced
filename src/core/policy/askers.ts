// Who asks is not who decides: whether anybody but the asker could answer a question, as far as the configuration tells.
import type { ApiKey, Config } from '../../contract/config.ts';
import type { Policy } from '../../contract/policy.ts';
import type { Principal } from '../../contract/principal.ts';
import { audienceOf } from './ladder.ts';

type Known = Pick<Config, 'auth'>;

/** True for the user of an agent's key: such a one asks, and never decides. */
export const isAgentUser = ({ auth }: Known, user: string): boolean =>
  auth.keys.some((key) => key.user === user && key.kind === 'agent');

const isPerson = ({ kind }: ApiKey): boolean => kind !== 'agent';

type Asking = Pick<Policy, 'audience' | 'ladder'>;

/** What asks where no policy is named: the owner. */
export const noPolicy: Asking = { audience: [], ladder: [] };

/** Everybody a policy ever asks: at once, and by its steps. */
const askedBy = (policy: Asking): string[] => [
  ...audienceOf(policy),
  ...policy.ladder.flatMap((step) => step.escalate ?? []),
];

/**
 * True when a question of this policy reaches anybody but who asks it. `asker` null: somebody, of whom nothing is known.
 * A role that no key has at all is somebody's to come; one that only agents have, or the asker, is nobody's.
 */
export function reachesOthers({ auth }: Known, policy: Asking, asker: string | null): boolean {
  const isOther = (key: ApiKey): boolean => key.user !== asker && isPerson(key);
  return askedBy(policy).some((entry) => {
    if (entry === 'owner') return false;
    const name = entry.slice(entry.indexOf(':') + 1);
    if (entry.startsWith('user:')) return name !== asker && !isAgentUser({ auth }, name);
    if (!entry.startsWith('role:')) return true;
    const holders = auth.keys.filter((key) => key.roles.includes(name));
    return holders.length === 0 || holders.some(isOther);
  });
}

/** Policies that questions of an agent may get: its own, and those of its rules. */
function policiesOf({ agents, policies }: Pick<Config, 'agents' | 'policies'>, agent: string): Asking[] {
  const { policy, rules = [] } = agents[agent] ?? {};
  return [policy, ...rules.map((rule) => rule.policy)].map((name) => {
    const known = name !== undefined && Object.hasOwn(policies, name) ? policies[name] : undefined;
    return known ?? noPolicy;
  });
}

/** Why an agent's key may not run this agent: whatever it asks, only the asker would be asked. Null: it may. */
export function whyNobodyElse(
  config: Pick<Config, 'auth' | 'agents' | 'policies'>,
  agent: string,
  principal: Principal,
): string | null {
  if (principal.kind !== 'agent') return null;
  if (policiesOf(config, agent).some((policy) => reachesOthers(config, policy, principal.id))) return null;
  return `no policy of ${agent} asks anybody but ${principal.id}, whose key is an agent’s and decides nothing`;
}
