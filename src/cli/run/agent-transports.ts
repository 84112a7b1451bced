import { createA2aTransport, type A2aTransport } from '../../activities/a2a/a2a-transport.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { createEgress } from '../../host/net/egress.ts';
import type { Logger } from '../../host/process/log.ts';

/** One transport per agent, so that cards and connections are reused; `maxBytes` limits non-streaming responses. */
export function createTransports(config: Config, log: Logger, maxBytes?: number): (agent: string) => A2aTransport {
  const egress = createEgress(config.egress);
  const known = new Map<string, A2aTransport>();
  return (agent) => {
    const there = known.get(agent);
    if (there !== undefined) return there;
    const agentConfig = config.agents[agent];
    if (agentConfig === undefined) throw new Error(`agent "${agent}" is not in the configuration any more`);
    const made = createA2aTransport({
      agent,
      config: agentConfig,
      egress,
      log,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    });
    known.set(agent, made);
    return made;
  };
}
