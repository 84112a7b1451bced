import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { holdStatuses, HoldViewSchema, type HoldView } from '../../contract/hold.ts';
import {
  askedBys,
  metricNames,
  holdSorts,
  InboxCountsSchema,
  inboxViews,
  maxMetricDays,
} from '../../contract/inbox.ts';
import type { Principal } from '../../contract/principal.ts';
import type { HoldFilter, SearchAliases } from '../../store/tables/hold-filter.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { findHold } from '../holds/find-hold.ts';
import { listArtifacts } from '../holds/hold-artifacts.ts';
import { holdViewOf } from '../holds/hold-view.ts';
import { countInbox, filterOf, visibleTo } from '../inbox/inbox-views.ts';
import { IdParamsSchema, PageQueryShape, PathIdSchema, enumParam, enumListParam } from '../http/query-params.ts';

const kinds = ['form', 'confirmation', 'tool_call', 'authorization', 'text', 'operator'] as const;

const dayMs = 86_400_000;

const QuerySchema = z.object({
  status: enumListParam(holdStatuses),
  view: enumParam(inboxViews),
  kind: enumListParam(kinds),
  asked: enumParam(askedBys),
  q: z.string().max(500).optional(),
  sort: enumParam(holdSorts),
  policy: z.string().max(200).optional(),
  figure: enumParam(metricNames),
  days: z.coerce.number().int().min(1).max(maxMetricDays).optional(),
  taskId: PathIdSchema.optional(),
  threadId: PathIdSchema.optional(),
  ...PageQueryShape,
});
type Query = z.infer<typeof QuerySchema>;

function sortOf({ sort, view }: Query): NonNullable<HoldFilter['sort']> {
  // What is over has no deadline any more: the latest end first.
  return view === 'decided' && sort !== 'newest' ? 'ended' : (sort ?? 'newest');
}

/** What is asked for, within what the view and the caller allow; null when nothing can be both. */
function storeFilter(query: Query, principal: Principal, aliases: SearchAliases): HoldFilter | null {
  const { status, view, kind, asked, q, policy, figure: metric, days, agent, taskId, threadId, cursor, limit } = query;
  const base: HoldFilter = view === undefined ? visibleTo(principal) : filterOf(view, principal, asked);
  const among = base.statuses;
  const statuses = status?.filter((one) => among?.includes(one) ?? true) ?? among;
  if (statuses?.length === 0) return null;
  return {
    ...base,
    ...(statuses === undefined ? {} : { statuses }),
    ...(kind === undefined ? {} : { kinds: kind }),
    ...(q === undefined || q.trim() === '' ? {} : { q, aliases }),
    ...(policy === undefined ? {} : { policy }),
    ...(metric === undefined ? {} : { metric }),
    ...(days === undefined ? {} : { askedSinceMs: days * dayMs }),
    ...(agent === undefined ? {} : { agent }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(limit === undefined ? {} : { limit }),
    sort: sortOf(query),
  };
}

/** One hold whole: with the caller's own draft, and the artifacts also of a question of an older version. */
export async function readHoldView(api: ApiContext, row: HoldRow, principal: Principal): Promise<HoldView> {
  const [draft, artifacts, titles] = await Promise.all([
    api.store.drafts.get(row.holdId, principal.id),
    listArtifacts(api, row),
    api.store.tasks.titles([row.taskId]),
  ]);
  return holdViewOf(row, principal, titles.get(row.taskId) ?? '', { draft, artifacts });
}

/** Agents and people as the pages name them: they are searched by those names. */
function aliasesOf({ config }: Pick<ApiContext, 'config'>): SearchAliases {
  return {
    agents: Object.entries(config.agents).flatMap(([id, { title }]) =>
      title === undefined ? [] : [{ id, name: title }],
    ),
    owners: Object.entries(config.users).flatMap(([id, { name }]) => (name === undefined ? [] : [{ id, name }])),
  };
}

export function holdRoutes(app: FastifyInstance, api: ApiContext): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  const aliases = aliasesOf(api);

  typed.get(
    '/api/holds',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'The inbox: questions this caller may see, newest first',
        description:
          '`view`: forMe (what the caller may decide now, without their vote and claimed by nobody else; `asked` narrows it to what is asked by name or by a role alone), mine (asked of the caller by name, as owner, or claimed), team (their roles too), all, decided. `q`: words of the subject, text, values, agent and requester, by their names too. `policy`, `figure` and `days` narrow the list to what stands behind a number of `GET /api/figures`. `totals` counts each view, whatever else was asked for. Drafts are told with one hold alone.',
        querystring: QuerySchema,
        response: {
          200: z.object({
            items: z.array(HoldViewSchema),
            nextCursor: z.string().nullable(),
            totals: InboxCountsSchema,
          }),
        },
      },
    },
    async ({ query, principal }) => {
      const filter = storeFilter(query, principal, aliases);
      const [page, totals] = await Promise.all([
        filter === null ? { items: [], nextCursor: null } : api.store.holds.list(filter),
        countInbox(api, principal),
      ]);
      const titles = await api.store.tasks.titles(page.items.map(({ taskId }) => taskId));
      return {
        items: page.items.map((row) => holdViewOf(row, principal, titles.get(row.taskId) ?? '')),
        nextCursor: page.nextCursor,
        totals,
      };
    },
  );

  typed.get(
    '/api/holds/:id',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'One question, by hold id or interrupt id',
        params: IdParamsSchema,
        response: { 200: HoldViewSchema },
      },
    },
    async ({ params, principal }) => readHoldView(api, await findHold(api, params.id, principal), principal),
  );
}
