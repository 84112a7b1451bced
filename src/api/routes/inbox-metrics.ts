import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { InboxMetricsSchema, maxMetricDays } from '../../contract/inbox.ts';
import type { ApiContext } from '../api-context.ts';

const dayMs = 86_400_000;

export function metricRoutes(app: FastifyInstance, api: ApiContext): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    '/api/figures',
    {
      config: { access: 'operator' },
      schema: {
        tags: ['operation'],
        summary: 'How questions fare: now, by policy and by agent over the last days',
        querystring: z.object({ days: z.coerce.number().int().min(1).max(maxMetricDays).default(30) }),
        response: { 200: InboxMetricsSchema },
      },
    },
    async ({ query }) => ({ days: query.days, ...(await api.store.holds.metrics(query.days * dayMs)) }),
  );
}
