import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { DecisionBodySchema, type DecisionSource } from '../../contract/decision.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import { createDecider, DecisionReplySchema } from '../holds/decide.ts';
import type { ApiContext } from '../api-context.ts';
import { findHold } from '../holds/find-hold.ts';
import { IdParamsSchema } from '../http/query-params.ts';

/** By how the caller is known, which no header can claim. */
const sourceOf = ({ via }: Pick<FastifyRequest, 'via'>): DecisionSource => (via === 'session' ? 'page' : 'rest');

export function decisionRoutes(app: FastifyInstance, api: ApiContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const decide = createDecider(api);
  typed.post(
    '/api/holds/:id/decision',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'Decide a question; 200 once its workflow has it',
        description:
          'The same decision again gets the same answer, so any request may be repeated; an Idempotency-Key is accepted and not needed. Where several must agree the hold stays open, with its votes, until enough have.',
        params: IdParamsSchema,
        body: DecisionBodySchema,
        response: { 200: DecisionReplySchema },
      },
    },
    async (request) => {
      const { params, body, principal } = request;
      try {
        const hold = await findHold(api, params.id, principal);
        const reply = await decide(hold, body, principal, sourceOf(request));
        api.metrics.decisions.inc({ result: 'taken' });
        return reply;
      } catch (error) {
        api.metrics.decisions.inc({ result: error instanceof HoldpointError ? error.code : 'internal' });
        throw error;
      }
    },
  );
}
