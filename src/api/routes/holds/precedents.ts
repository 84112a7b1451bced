// What was decided before, next to a question that waits now.
import { holdEndReasons } from '../../../contract/holds/hold-names.ts';
import { PrecedentsSchema, type PrecedentsView } from '../../../contract/views/precedents.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { lastReasons } from '../../../core/answers/precedents.ts';
import { countAlike } from '../../../core/questions/alike.ts';
import { lastCall } from '../../../core/questions/last-call.ts';
import type { HoldRow } from '../../../store/store.ts';
import { findHold } from '../../holds/find-hold.ts';
import { holdRowViewOf } from '../../holds/hold-line.ts';
import { visibleTo } from '../../inbox/inbox-views.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { route, type ApiApp } from '../../http/route.ts';
import type { PolicyActs } from '../../api-parts.ts';

/** How many of those alike are read, latest first, and how many of these are named. */
const lastOnes = 50;
const namedOnes = 5;
/** A question that was asked again has its end in that one. */
const ends = holdEndReasons.filter((why) => why !== 'superseded');

export function precedentRoutes(app: ApiApp, api: PolicyActs): void {
  /** The agent's last questions like this one that have ended, of those that the caller may read. */
  async function endedLike({ agent, question }: HoldRow, principal: Principal): Promise<HoldRow[]> {
    const filter = { agent, alikeTo: question, ends: [...ends], ...visibleTo(principal) };
    const { items } = await api.store.holds.list({ ...filter, sort: 'ended', limit: lastOnes });
    return items.filter(({ fault }) => fault === undefined);
  }

  async function alikeOf(
    { question }: HoldRow,
    like: readonly HoldRow[],
    principal: Principal,
  ): Promise<PrecedentsView['alike']> {
    if (like.length === 0) return null;
    const named = like.slice(0, namedOnes);
    const titles = await api.store.tasks.titles(named.map(({ taskId }) => taskId));
    const now = api.now().toISOString();
    const last = named.map((row) => holdRowViewOf(row, principal, { request: titles.get(row.taskId) ?? '', now }));
    return { ...countAlike(question, like), last };
  }

  app.get(
    '/api/holds/:id/precedents',
    route('caller', 'holds', {
      summary: 'What was decided before of the questions of the same agent',
      description:
        '`reasons`: what the caller wrote with their last noes, latest first, each once; from their own decisions alone, the last 50 of this agent’s. `call`: of a tool call, how it differs from the last one of the same tool that was approved, among the agent’s last 50 like it that the caller may read. `alike`: its questions like this one that have ended (of the same tool, or with the same title about other numbers), among the same, and how much this one is about against what was granted.',
      params: IdParamsSchema,
      response: { 200: PrecedentsSchema },
    }),
    async ({ params, principal }) => {
      const hold = await findHold(api, params.id, principal);
      const [own, like] = await Promise.all([
        api.store.holds.endedBy(hold.agent, principal.id),
        hold.fault === undefined ? endedLike(hold, principal) : [],
      ]);
      return {
        reasons: lastReasons(own, principal.id),
        call: lastCall(hold.question, like, principal.id),
        alike: await alikeOf(hold, like, principal),
      };
    },
  );
}
