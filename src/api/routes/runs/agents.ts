import { z } from 'zod';
import { agentOf, mayUse } from '../../agents/agent-access.ts';
import { capabilitiesOf, knownAgent } from '../../agents/capabilities.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { AgentParamsSchema } from '../../http/query-params.ts';
import type { PolicyReads } from '../../api-parts.ts';

const CapabilitiesSchema = z.record(z.string(), z.unknown()).meta({ id: 'AgentCapabilities' });
const AgentSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    /** What one might ask it, as its card says. */
    examples: z.array(z.string()),
    /** When a worker last read the agent's card; null: never yet. */
    cardSeenAt: z.string().nullable(),
    capabilities: CapabilitiesSchema,
  })
  .meta({ id: 'Agent' });

const maxExamples = 6;

export function agentRoutes(app: ApiApp, api: PolicyReads): void {
  app.get(
    '/agents',
    route('caller', 'agents', { summary: 'The agents', response: { 200: z.object({ items: z.array(AgentSchema) }) } }),
    async ({ principal }) => {
      const cards = new Map((await api.store.agents.listCards()).map((row) => [row.agent, row]));
      const mine = Object.entries(api.config.agents).filter(([, config]) => mayUse(config, principal));
      const items = mine.map(([name, config]) => {
        const agent = knownAgent(name, config, cards.get(name) ?? null);
        const { title, description, cardSeenAt, card } = agent;
        const examples = (card?.skills ?? []).flatMap((skill) => skill.examples).slice(0, maxExamples);
        return { name, title, description, examples, cardSeenAt, capabilities: capabilitiesOf(agent) };
      });
      return { items };
    },
  );
  app.get(
    '/agents/:agent/capabilities',
    route('caller', 'agents', {
      summary: 'What an agent can do, by its card and the configuration, in the shape of AG-UI',
      params: AgentParamsSchema,
      response: { 200: CapabilitiesSchema },
    }),
    async ({ params, principal }) => {
      const config = agentOf(api, params.agent, principal);
      return capabilitiesOf(knownAgent(params.agent, config, await api.store.agents.getCard(params.agent)));
    },
  );
}
