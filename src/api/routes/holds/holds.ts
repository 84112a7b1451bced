import { z } from 'zod';
import { HoldViewSchema } from '../../../contract/holds/hold.ts';
import {
  AlikeGroupsSchema,
  HoldRowViewSchema,
  InboxCountsSchema,
  maxEndedCount,
  type InboxCounts,
} from '../../../contract/views/inbox.ts';
import type { Principal } from '../../../contract/base/principal.ts';
import { StandfastError } from '../../../core/base/errors.ts';
import type { HoldRow, Page } from '../../../store/store.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { findHold } from '../../holds/find-hold.ts';
import { holdRowViewOf, type HoldContext } from '../../holds/hold-line.ts';
import { holdViewOf } from '../../holds/hold-view.ts';
import { IdParamsSchema } from '../../http/query-params.ts';
import { readAlike } from '../../inbox/alike-groups.ts';
import {
  aliasesOf,
  AlikeQuerySchema,
  CountQuerySchema,
  holdFilterOf,
  HoldQuerySchema,
  isOfOpen,
  whyNotCounted,
  type HoldQuery,
} from '../../inbox/hold-query.ts';
import { readHoldView } from '../../holds/read-hold-view.ts';
import { countInbox, waiting } from '../../inbox/inbox-views.ts';
import type { PolicyActs } from '../../api-parts.ts';

/** `isAll`: false where it counted no further. */
const HoldCountSchema = z.object({ count: z.int(), isAll: z.boolean() }).meta({ id: 'HoldCount' });

interface ListRead {
  page: Page<HoldRow>;
  totals: InboxCounts;
  contextOf: (row: HoldRow) => HoldContext;
}

export function holdRoutes(app: ApiApp, api: PolicyActs): void {
  const aliases = aliasesOf(api);

  /** A page of questions, the count of each view, and what comes with each row for this reader. */
  async function readList(query: HoldQuery, principal: Principal): Promise<ListRead> {
    const filter = holdFilterOf(query, principal, aliases);
    const [page, totals] = await Promise.all([
      filter === null ? { items: [], nextCursor: null } : api.store.holds.list(filter),
      countInbox(api, principal),
    ]);
    return { page, totals, contextOf: await contextsOf(page.items, principal) };
  }

  async function contextsOf(rows: readonly HoldRow[], principal: Principal): Promise<ListRead['contextOf']> {
    const now = api.now().toISOString();
    const [titles, snoozes] = await Promise.all([
      api.store.tasks.titles(rows.map(({ taskId }) => taskId)),
      api.store.snoozes.of(
        principal.id,
        rows.map(({ holdId }) => holdId),
      ),
    ]);
    return ({ holdId, taskId }) => ({ request: titles.get(taskId) ?? '', snoozedUntil: snoozes.get(holdId), now });
  }

  app.get(
    '/api/holds',
    route('caller', 'holds', {
      summary: 'The inbox: questions this caller may see, newest first',
      description:
        '`view`: forMe (what the caller may decide now, without their vote and not claimed by others; `asked` narrows it to what is asked by name or by a role alone), mine (asked of the caller by name, as owner, or claimed), team (their roles too), all, decided. `q`: words of the headline, text, values, agent and requester, by their names too. `policy`, `metric` and `days` narrow the list to what a number counts of `GET /api/overview`. `dueWithin` is in hours from now, and has what is overdue. `requester` and `endedBy` are parts of an id or a name; `end`, `endedFrom` and `endedTo` (before that moment) narrow what has ended. `totals` counts each view, whatever else was asked for. A draft is part of one hold alone, not of a list.',
      querystring: HoldQuerySchema,
      response: {
        200: z.object({
          items: z.array(HoldViewSchema),
          nextCursor: z.string().nullable(),
          totals: InboxCountsSchema,
        }),
      },
    }),
    async ({ query, principal }) => {
      const { page, totals, contextOf } = await readList(query, principal);
      const items = page.items.map((row) => holdViewOf(row, principal, contextOf(row)));
      return { items, nextCursor: page.nextCursor, totals };
    },
  );

  app.get(
    '/api/inbox/rows',
    route('caller', 'holds', {
      summary: 'The same list as lines, each with what a list shows of a question and no more',
      description: 'Takes what `GET /api/holds` takes. A line is what the events of `GET /api/inbox/events` tell.',
      querystring: HoldQuerySchema,
      response: {
        200: z.object({
          items: z.array(HoldRowViewSchema),
          nextCursor: z.string().nullable(),
          totals: InboxCountsSchema,
        }),
      },
    }),
    async ({ query, principal }) => {
      const { page, totals, contextOf } = await readList(query, principal);
      const items = page.items.map((row) => holdRowViewOf(row, principal, contextOf(row)));
      return { items, nextCursor: page.nextCursor, totals };
    },
  );

  app.get(
    '/api/inbox/count',
    route('caller', 'holds', {
      summary: 'How many such a list has, or a part of it',
      description: `Of open ones, narrowed as \`GET /api/holds\` is, and by when they are due: from \`dueFrom\`, before \`dueTo\`; those without a deadline are due after all others. What has ended (\`view=decided\`, or by its status) is counted within \`endedFrom\` and \`endedTo\`, up to ${maxEndedCount} and no further.`,
      querystring: CountQuerySchema,
      response: { 200: HoldCountSchema },
    }),
    async ({ query: { dueFrom, dueTo, ...query }, principal }) => {
      const status = query.status ?? (query.view === undefined ? waiting() : undefined);
      const filter = holdFilterOf({ ...query, status, sort: undefined }, principal, aliases);
      if (filter === null) return { count: 0, isAll: true };
      const why = whyNotCounted(filter);
      if (why !== null) throw new StandfastError('input_invalid', why);
      const due = { ...(dueFrom !== undefined && { dueFrom }), ...(dueTo !== undefined && { dueTo }) };
      const count = await api.store.holds.counts({ ...filter, ...due }, isOfOpen(filter) ? undefined : maxEndedCount);
      return { count, isAll: isOfOpen(filter) || count < maxEndedCount };
    },
  );

  app.get(
    '/api/inbox/alike',
    route('caller', 'holds', {
      summary: 'Which open questions of such a list the caller can answer together',
      description:
        'The largest group first: the same agent asks the same about something else, nothing is marked as dangerous, and one form or one yes answers all of them. Narrowed as `GET /api/holds` is. `like` names a question, by its whole id: `rows` are those like it, as lines, at most 50.',
      querystring: AlikeQuerySchema,
      response: { 200: AlikeGroupsSchema },
    }),
    async ({ query: { like, ...query }, principal }) => {
      const filter = holdFilterOf({ ...query, status: ['open'], sort: 'deadline' }, principal, aliases);
      if (filter === null) return { groups: [], rows: [], isAll: true };
      return readAlike(api, { filter, principal, like, contextsOf: (rows) => contextsOf(rows, principal) });
    },
  );

  app.get(
    '/api/holds/:id',
    route('caller', 'holds', {
      summary: 'One question, by hold id or interrupt id',
      params: IdParamsSchema,
      response: { 200: HoldViewSchema },
    }),
    async ({ params, principal }) => readHoldView(api, await findHold(api, params.id, principal), principal),
  );
}
