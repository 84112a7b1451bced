// Who may know of an agent at all. To everybody else it is not there: a refusal would tell that it is.
import type { AgentConfig } from '../../contract/configuration/agent-config.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { entriesOf, isOperator } from '../../core/policy/audience.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { WithConfig } from '../api-parts.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

/** Operators see every agent; without a restriction everybody does. */
export function mayUse({ access }: Pick<AgentConfig, 'access'>, principal: Principal): boolean {
  return access === undefined || isOperator(principal) || entriesOf(principal).some((entry) => access.includes(entry));
}

/** Whether an agent's records are offered at all, and to this caller; writers read, too. */
export function mayUseRecords(
  { engram }: Pick<AgentConfig, 'engram'>,
  principal: Principal,
): { isOffered: boolean; read: boolean; write: boolean } {
  const given = typeof engram === 'boolean' ? {} : engram;
  const isAmong = (access: string[]): boolean => entriesOf(principal).some((entry) => access.includes(entry));
  const write = isOperator(principal) || isAmong(given.write ?? []);
  return { isOffered: engram !== false, read: write || given.read === undefined || isAmong(given.read), write };
}

const notThere = (name: string): StandfastError => new StandfastError('not_found', `there is no agent ${name}`);

/** The agent's configuration, for any caller; throws `not_found`. */
export function configOf({ config }: WithConfig, name: string): AgentConfig {
  const agent = ownEntry(config.agents, name);
  if (agent === undefined) throw notThere(name);
  return agent;
}

/** The agent's configuration for who may use it; throws `not_found`. */
export function agentOf(api: WithConfig, name: string, principal: Principal): AgentConfig {
  const agent = configOf(api, name);
  if (!mayUse(agent, principal)) throw notThere(name);
  return agent;
}

/** Throws `not_found` for who may not take over tasks of this agent’s: whether it has such a task is not theirs to know. */
export function refuseAdoption(agent: Pick<AgentConfig, 'adopt'>, principal: Principal, id: string): void {
  if (agent.adopt === 'all' || (agent.adopt === 'operators' && isOperator(principal))) return;
  throw new StandfastError('not_found', `there is no task ${id}`);
}
