import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Principal } from '../../contract/principal.ts';
import type { HoldFilter } from '../../store/tables/hold-filter.ts';
import type { ApiContext } from '../api-context.ts';
import { csvHead, csvLine } from '../holds/hold-csv.ts';
import { holdViewOf } from '../holds/hold-view.ts';
import { aliasesOf, holdFilterOf, HoldQuerySchema } from '../inbox/hold-query.ts';

const pageSize = 200;
const maxLines = 20_000;

/** Read page by page as it goes out, so that a long record needs no memory of its own. */
async function* linesOf(api: ApiContext, filter: HoldFilter | null, principal: Principal): AsyncGenerator<string> {
  yield csvHead;
  let cursor: string | undefined;
  for (let written = 0; filter !== null && written < maxLines; written += pageSize) {
    const page = await api.store.holds.list({
      ...filter,
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const titles = await api.store.tasks.titles(page.items.map(({ taskId }) => taskId));
    yield page.items
      .map((row) => csvLine(holdViewOf(row, principal, { taskTitle: titles.get(row.taskId) ?? '' })))
      .join('');
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

export function holdCsvRoutes(app: FastifyInstance, api: ApiContext): void {
  const aliases = aliasesOf(api);
  app.withTypeProvider<ZodTypeProvider>().get(
    '/api/holds.csv',
    {
      config: { access: 'caller' },
      schema: {
        tags: ['holds'],
        summary: 'The same list as a table for spreadsheets, at most 20,000 lines',
        querystring: HoldQuerySchema.omit({ cursor: true, limit: true }),
        response: { 200: z.any().describe('text/csv') },
      },
    },
    async ({ query, principal }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="holdpoint-questions.csv"')
        .send(Readable.from(linesOf(api, holdFilterOf(query, principal, aliases), principal))),
  );
}
