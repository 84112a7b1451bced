import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Principal } from '../../../contract/base/principal.ts';
import type { HoldFilter } from '../../../store/tables/holds/hold-filter.ts';
import { route, type ApiApp } from '../../http/route.ts';
import { csvColumns } from '../../holds/hold-line.ts';
import { holdPages } from '../../holds/hold-pages.ts';
import { holdViewOf } from '../../holds/hold-view.ts';
import { aliasesOf, holdFilterOf, HoldQuerySchema } from '../../inbox/hold-query.ts';
import type { HoldView } from '../../../contract/holds/hold.ts';
import type { PolicyActs, RowWrites } from '../../api-parts.ts';

const maxLines = 20_000;

/** Read page by page while it is sent, so that a long record needs no memory of its own. */
async function* linesOf(api: RowWrites, filter: HoldFilter | null, principal: Principal): AsyncGenerator<string> {
  yield csvHead;
  if (filter === null) return;
  let written = 0;
  for await (const { items } of holdPages(api.store, filter)) {
    const titles = await api.store.tasks.titles(items.map(({ taskId }) => taskId));
    const now = api.now().toISOString();
    yield items
      .map((row) => csvLine(holdViewOf(row, principal, { request: titles.get(row.taskId) ?? '', now })))
      .join('');
    written += items.length;
    if (written >= maxLines) return;
  }
}

export function holdCsvRoutes(app: ApiApp, api: PolicyActs): void {
  const aliases = aliasesOf(api);
  app.get(
    '/api/holds.csv',
    route('caller', 'holds', {
      summary: 'The same list as a table for spreadsheets, at most 20,000 lines',
      querystring: HoldQuerySchema.omit({ cursor: true, limit: true }),
      response: { 200: z.any().describe('text/csv') },
    }),
    async ({ query, principal }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="standfast-questions.csv"')
        .send(Readable.from(linesOf(api, holdFilterOf(query, principal, aliases), principal))),
  );
}

// Questions as lines of a table that spreadsheets read (RFC 4180), one per question.

/**
 * A text that begins as a formula is one to a spreadsheet: an apostrophe keeps it a text. Where lists are separated by
 * semicolons or tabs, and in a line of its own, a cell may begin in the midst of what is one here.
 */
const withoutFormula = (text: string): string =>
  text.replaceAll(/(^(?=[\t\r\n])|(?:^|[;\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@＝＋－＠]))/g, "$1'");

function cell(text: string | null): string {
  if (text === null) return '';
  const safe = withoutFormula(text);
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The header line, with the byte order mark by which spreadsheets recognise UTF-8. */
const csvHead = `\uFEFF${Object.keys(csvColumns).join(',')}\r\n`;

const csvLine = (hold: HoldView): string =>
  `${Object.values(csvColumns)
    .map((read) => cell(read(hold)))
    .join(',')}\r\n`;
