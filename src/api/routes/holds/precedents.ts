// What was decided before, next to a question that waits now.
import { PrecedentsSchema } from '../../../contract/views/precedents.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { lastReasons } from '../../../core/answers/precedents.ts';
import { lastCall } from '../../../core/questions/last-call.ts';
import type { HoldRow } from '../../../store/store.ts';
import type { ApiContext } from '../../api-context.ts';
import { findHold } from '../../holds/find-hold.ts';
import { visibleTo } from '../../inbox/inbox-views.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { route, type ApiApp } from '../../http/route.ts';

/** How many of the agent's last questions of this kind are read. */
const lastOnes = 100;

export function precedentRoutes(app: ApiApp, api: Pick<ApiContext, 'config' | 'store'>): void {
  /** The agent's last questions of this kind that were answered, of those that the caller may read. */
  async function answeredLike({ agent, question }: HoldRow, principal: Principal): Promise<HoldRow[]> {
    const like = { agent, kinds: [question.kind], ends: ['decided' as const], ...visibleTo(principal) };
    const { items } = await api.store.holds.list({ ...like, sort: 'ended', limit: lastOnes });
    return items.filter(({ fault }) => fault === undefined);
  }

  app.get(
    '/api/holds/:id/precedents',
    route('caller', 'holds', {
      summary: 'What was decided before of the questions of the same agent',
      description:
        '`reasons`: what the caller wrote with their last noes, latest first, each once; from their own decisions alone, the last 50 of this agent’s. `call`: of a tool call, how it differs from the last one of the same tool that was approved, among the last 100 tool calls of the agent that were answered and that the caller may read.',
      params: IdParamsSchema,
      response: { 200: PrecedentsSchema },
    }),
    async ({ params, principal }) => {
      const hold = await findHold(api, params.id, principal);
      const [own, like] = await Promise.all([
        api.store.holds.endedBy(hold.agent, principal.id),
        hold.question.tool === null ? [] : answeredLike(hold, principal),
      ]);
      return {
        reasons: lastReasons(own, principal.id),
        call: hold.fault === undefined ? lastCall(hold.question, like, principal.id) : null,
      };
    },
  );
}
