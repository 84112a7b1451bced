// Checks of keys whose programs ask people: no one could decide their questions, or they could themselves.
import type { Config } from '../contract/configuration/config.ts';
import { isAgentUser, reachesOthers } from '../core/policy/askers.ts';
import { nameFaults, entriesNamed, type CrossFault } from './config-fault.ts';
import type { Path } from './config-source.ts';

export function askerFaults(config: Config): CrossFault[] {
  return [...kindFaults(config), ...audienceFaults(config), ...askFaults(config)];
}

/** A user is either a program or a person, and not called as an agent is: with keys of both kinds one could answer what the other asks. */
function kindFaults({ agents, auth }: Config): CrossFault[] {
  return auth.keys.flatMap(({ user, kind, roles }, index): CrossFault[] => {
    if (kind !== 'agent') return [];
    const path = ['auth', 'keys', index];
    const other = auth.keys.findIndex((key) => key.user === user && key.kind !== 'agent');
    const faults: CrossFault[] = [];
    if (other >= 0) {
      const message = `found "${user}", who decides by auth.keys[${other}]: expected an agent’s key to have a user of its own`;
      faults.push({ path: [...path, 'user'], message, basis: [['auth', 'keys', other]] });
    }
    if (Object.hasOwn(agents, user)) {
      const message = `found "${user}", which is an agent of agents.${user}: expected a program to have a name of its own, since receipts and records name both`;
      faults.push({ path: [...path, 'user'], message });
    }
    if (roles.includes('operator')) {
      faults.push({ path: [...path, 'roles'], message: 'an agent’s key decides nothing: found the role "operator"' });
    }
    return faults;
  });
}

function audienceFaults(config: Config): CrossFault[] {
  return Object.entries(config.policies).flatMap(([name, policy]) =>
    entriesNamed(name, policy).flatMap(({ entry, text, path }) =>
      entry.kind === 'user' && isAgentUser(config, entry.name)
        ? [{ path, message: `found "${text}", whose key is an agent’s: it asks, and never decides` }]
        : [],
    ),
  );
}

function askFaults(config: Config): CrossFault[] {
  const { nexus = {}, ...own } = config.ask;
  const named = [
    ...namedIn(own, ['ask']),
    ...Object.entries(nexus).flatMap(([name, rules]) => namedIn(rules, ['ask', 'nexus', name])),
  ];
  return named.flatMap(([name, path]) => {
    const unknown = nameFaults(name, config, 'policy', path);
    return unknown.length > 0 ? unknown : selfAskFaults(config, name, path);
  });
}

const namedIn = ({ policy, policies = [] }: Omit<Config['ask'], 'nexus'>, path: Path): [string, Path][] => [
  ...(policy === undefined ? [] : [[policy, [...path, 'policy']] as [string, Path]]),
  ...policies.map((name, index): [string, Path] => [name, [...path, 'policies', index]]),
];

/** Without keys callers cannot be distinguished. */
export function selfAskFaults(config: Config, name: string, path: Path): CrossFault[] {
  const policy = config.policies[name];
  if (policy === undefined || config.auth.keys.length === 0) return [];
  const askers = [null, ...config.auth.keys.filter(({ kind }) => kind === 'agent').map(({ user }) => user)];
  const alone = askers.find((asker) => !reachesOthers(config, policy, asker));
  if (alone === undefined) return [];
  const message = `found "${name}", which asks ${alone ?? 'the owner'} alone: that is the program that asks; expected a policy that asks others`;
  const basis = [
    ['policies', name],
    ['auth', 'keys'],
  ];
  return [{ path, message, basis }];
}
