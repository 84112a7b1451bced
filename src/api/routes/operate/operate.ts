import { z } from 'zod';
import { maxMetricDays } from '../../../contract/views/inbox.ts';
import {
  AgentDetailSchema,
  OverviewSchema,
  PolicyDetailSchema,
  RecordRuleSchema,
} from '../../../contract/views/operate.ts';
import { OperationsSchema } from '../../../contract/views/operations.ts';
import { namesOf } from '../../../core/policy/audience-entry.ts';
import { everAsked } from '../../../core/policy/ladder.ts';
import { daysAndHours } from '../../../core/policy/days-and-hours.ts';
import { rulesFromRecord } from '../../../core/policy/record-rules.ts';
import { createCalendars } from '../../../host/calendar/calendar.ts';
import { ZoneSchema } from '../../http/query-params.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { readAgentDetails } from '../../operate/agent-details.ts';
import { readOperations } from '../../operate/operations.ts';
import { policyDetails } from '../../operate/policy-details.ts';
import type { PolicyActs, WithConfig } from '../../api-parts.ts';
import { ownEntry } from '../../../core/base/own-entry.ts';

const dayMs = 86_400_000;
const maxDays = 90;
/** Questions in which rules are searched for: a year of a small organisation, a month of a large one. */
const maxEndedRead = 3_000;

const days = (usual: number, most = maxDays): z.ZodType<number> =>
  z.coerce.number().int().min(1).max(most).default(usual).describe('of the last days, so many');

const OverviewQuerySchema = z.object({
  days: days(30, maxMetricDays),
  zone: ZoneSchema,
});

/** An agent that some policy asks already, other than the one that asks. */
function checkerFor({ config }: WithConfig, agent: string): string | null {
  const names = namesOf(Object.values(config.policies).flatMap(everAsked), 'agent');
  return names.find((name) => name !== agent && Object.hasOwn(config.agents, name)) ?? null;
}

export function operateRoutes(app: ApiApp, api: PolicyActs): void {
  const { store, config } = api;
  const windowsOf = createCalendars();

  app.get(
    '/api/agents',
    route('operator', 'operation', {
      summary: 'The agents with card, dialects, policies and health',
      querystring: z.object({ days: days(7) }),
      response: { 200: z.object({ items: z.array(AgentDetailSchema) }) },
    }),
    async ({ query }) => ({ items: await readAgentDetails(api, query.days) }),
  );

  app.get(
    '/api/operations',
    route('operator', 'operation', {
      summary: 'How the installation runs, over all workers: service levels, slots, agents that are away',
      response: { 200: OperationsSchema },
    }),
    async () => readOperations(api),
  );

  app.get(
    '/api/policies',
    route('operator', 'operation', {
      summary: 'The policies: who would be asked now, and when their ladders would climb',
      response: { 200: z.object({ items: z.array(PolicyDetailSchema) }) },
    }),
    async () => {
      const open = await store.statistics.openByPolicy();
      return { items: policyDetails({ config, windowsOf, now: api.now(), open }) };
    },
  );

  app.get(
    '/api/overview',
    route('operator', 'operation', {
      summary: 'How questions fare: now, and over the last days by policy, agent, day, hour and person',
      querystring: OverviewQuerySchema,
      response: { 200: OverviewSchema },
    }),
    async ({ query }) => {
      const sinceMs = query.days * dayMs;
      const [overview, quarters] = await Promise.all([
        store.statistics.overview(sinceMs),
        store.statistics.quarters(sinceMs),
      ]);
      return { ...query, ...overview, ...daysAndHours(quarters, query.zone, api.now().getTime(), query.days) };
    },
  );

  app.get(
    '/api/rule-suggestions',
    route('operator', 'operation', {
      summary: 'Questions that people have answered as proposed every time, with the policy that would say so',
      querystring: z.object({ days: days(30) }),
      response: { 200: z.object({ items: z.array(RecordRuleSchema) }) },
    }),
    async ({ query }) => ({
      items: rulesFromRecord(await store.statistics.ended(maxEndedRead), {
        now: api.now().getTime(),
        days: query.days,
        policyOf: (name) => ownEntry(config.policies, name) ?? null,
        checker: (agent) => checkerFor(api, agent),
      }),
    }),
  );
}
