import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { AgentConfig } from '../../contract/config.ts';
import { HoldpointError } from '../../core/errors.ts';
import type { Room } from '../deps.ts';
import { AgentParamsSchema } from '../query-words.ts';

const CapabilitiesSchema = z.record(z.string(), z.unknown()).meta({ id: 'AgentCapabilities' });
const AgentSchema = z
  .object({ name: z.string(), title: z.string(), capabilities: CapabilitiesSchema })
  .meta({ id: 'Agent' });

/** What is true of every agent behind Holdpoint; what is left out is undeclared, not false (AG-UI 1.0). */
function capabilitiesOf(name: string, agent: AgentConfig): Record<string, unknown> {
  return {
    identity: { name: agent.title ?? name, type: 'a2a', provider: 'holdpoint' },
    transport: { streaming: true },
    state: { snapshots: true, deltas: true },
    humanInTheLoop: { supported: true, interrupts: true, approvals: true },
  };
}

/** The agent's configuration; throws `not_found`. */
export function agentOf(room: Room, name: string): AgentConfig {
  const agent = Object.hasOwn(room.config.agents, name) ? room.config.agents[name] : undefined;
  if (agent === undefined) throw new HoldpointError('not_found', `there is no agent ${name}`);
  return agent;
}

export function agentRoutes(app: FastifyInstance, room: Room): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get(
    '/agents',
    {
      config: { access: 'caller' },
      schema: { tags: ['agents'], summary: 'The agents', response: { 200: z.object({ items: z.array(AgentSchema) }) } },
    },
    async () => ({
      items: Object.entries(room.config.agents).map(([name, agent]) => ({
        name,
        title: agent.title ?? name,
        capabilities: capabilitiesOf(name, agent),
      })),
    }),
  );
  typed.get(
    '/agents/:agent/capabilities',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['agents'],
        summary: 'What an agent can do, in the shape of AG-UI',
        params: AgentParamsSchema,
        response: { 200: CapabilitiesSchema },
      },
    },
    async (request) => capabilitiesOf(request.params.agent, agentOf(room, request.params.agent)),
  );
}
