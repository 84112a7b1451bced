import { EndedDaysSchema } from '../../../contract/views/inbox.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import type { PolicyActs } from '../../api-parts.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { aliasesOf, DaysQuerySchema, holdFilterOf, maxCountedDays, whyNotCounted } from '../../inbox/hold-query.ts';

const dayMs = 86_400_000;

/** The ends of what a search of the history finds, by days: the picture above its list. */
export function endedDaysRoutes(app: ApiApp, api: PolicyActs): void {
  const aliases = aliasesOf(api);
  app.get(
    '/api/inbox/days',
    route('caller', 'holds', {
      summary: 'How many ended on each day, and how',
      description:
        'Of what has ended between `endedFrom` and `endedTo`, at most 31 days and by default the last ones, narrowed as `GET /api/holds` is; a day is one of `zone`. Days on which nothing ended are left out.',
      querystring: DaysQuerySchema,
      response: { 200: EndedDaysSchema },
    }),
    async ({ query: { zone, ...query }, principal }) => {
      const now = api.now().getTime();
      const {
        endedTo = new Date(now).toISOString(),
        endedFrom = new Date(now - maxCountedDays * dayMs).toISOString(),
      } = query;
      const filter = holdFilterOf(
        { ...query, endedFrom, endedTo, view: 'decided', sort: undefined },
        principal,
        aliases,
      );
      if (filter === null) return { items: [] };
      const why = whyNotCounted(filter);
      if (why !== null) throw new StandfastError('input_invalid', why);
      return { items: await api.store.holds.endedDays(filter, zone) };
    },
  );
}
