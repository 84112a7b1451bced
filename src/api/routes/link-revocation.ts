// Takes back links that were sent: whoever has one then decides on the question's page, or not at all.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ApiContext } from '../api-context.ts';
import { findHold } from '../holds/find-hold.ts';
import { IdParamsSchema } from '../http/query-params.ts';

const QuerySchema = z.object({ user: z.string().max(200).optional().describe('only those sent to this user') });
const RevokedSchema = z.object({ revoked: z.int() }).meta({ id: 'RevokedLinks' });

export function linkRevocationRoutes(app: FastifyInstance, api: ApiContext): void {
  app.withTypeProvider<ZodTypeProvider>().delete(
    '/api/holds/:id/links',
    {
      config: { access: 'operator' },
      schema: {
        tags: ['holds'],
        summary: 'Take back the links by which a question could be decided',
        params: IdParamsSchema,
        querystring: QuerySchema,
        response: { 200: RevokedSchema },
      },
    },
    async ({ params, query, principal }) => {
      const { holdId } = await findHold(api, params.id, principal);
      return { revoked: await api.store.links.revoke(holdId, query.user ?? null) };
    },
  );
}
