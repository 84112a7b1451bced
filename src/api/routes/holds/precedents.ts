// What the caller decided before, next to a question that waits for them now.
import { PrecedentsSchema } from '../../../contract/holds/precedents.ts';
import { lastReasons } from '../../../core/answers/precedents.ts';
import type { ApiContext } from '../../api-context.ts';
import { findHold } from '../../holds/find-hold.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { route, type ApiApp } from '../../http/route.ts';

export function precedentRoutes(app: ApiApp, api: Pick<ApiContext, 'config' | 'store'>): void {
  app.get(
    '/api/holds/:id/precedents',
    route('caller', 'holds', {
      summary: 'What the caller decided before of the questions of the same agent',
      description:
        'From the caller’s own decisions alone, the last 50 of this agent’s. `reasons`: what they wrote with their last noes, latest first, each once.',
      params: IdParamsSchema,
      response: { 200: PrecedentsSchema },
    }),
    async ({ params, principal }) => {
      const { agent } = await findHold(api, params.id, principal);
      const decided = await api.store.holds.endedBy(agent, principal.id);
      return { reasons: lastReasons(decided, principal.id) };
    },
  );
}
