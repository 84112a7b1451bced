import { createA2aTransport, type A2aTransport } from '../../activities/a2a/a2a-transport.ts';
import type { AgentConfig } from '../../contract/configuration/agent-config.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { createEgress } from '../../host/net/egress.ts';
import type { Logger } from '../../host/process/log.ts';
import type { Traces } from './traces.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

/**
 * One transport per agent, so that cards and connections are reused, until a reload gives the agent other settings;
 * `maxBytes` limits non-streaming responses.
 */
export function createTransports(
  config: Config,
  log: Logger,
  { maxBytes, traces }: { maxBytes?: number; traces?: Traces | null | undefined } = {},
): (agent: string) => A2aTransport {
  const egress = createEgress(config.egress);
  const known = new Map<string, { config: AgentConfig; transport: A2aTransport }>();
  return (agent) => {
    const agentConfig = ownEntry(config.agents, agent);
    if (agentConfig === undefined) throw new Error(`agent "${agent}" is not in the configuration any more`);
    const there = known.get(agent);
    if (there?.config === agentConfig) return there.transport;
    const transport = createA2aTransport({
      agent,
      config: agentConfig,
      egress,
      log,
      ...(maxBytes === undefined ? {} : { maxBytes }),
      ...(traces ? { traced: (send) => traces.tracedFetch(agent, send) } : {}),
    });
    known.set(agent, { config: agentConfig, transport });
    return transport;
  };
}
