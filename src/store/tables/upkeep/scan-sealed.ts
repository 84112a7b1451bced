// Reads every row with a sealed column, so that operators can name those that cannot be read.
import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { callerEvents, callerPushes } from '../../caller-schema.ts';
import type { Db } from '../../database/database.ts';
import { engramRuns } from '../../engram-schema.ts';
import { gateCalls } from '../../gate-schema.ts';
import { personal } from '../../personal-schema.ts';
import { attachments, comments, drafts, events, holds, intake, runs, tasks, threads } from '../../schema.ts';
import { columnsToRead, keyNames } from '../../sealed-rows.ts';
import { Unreadable, type UnreadableRow } from '../../unreadable.ts';
import { holdColumns } from '../holds/hold-columns.ts';
import { faultOf } from '../holds/readable-hold.ts';

export const sealedTables: PgTable[] = [
  threads,
  intake,
  runs,
  events,
  tasks,
  attachments,
  drafts,
  comments,
  personal,
  engramRuns,
  gateCalls,
  callerEvents,
  callerPushes,
];

const pageRows = 500;

async function* pagesOf(db: Db, table: PgTable, columns = columnsToRead(table)): AsyncGenerator<object[]> {
  const order = sql.raw(
    keyNames(table)
      .map((_key, index) => String(index + 1))
      .join(', '),
  );
  const key = Object.fromEntries(keyNames(table).map((name) => [name, getTableColumns(table)[name]]));
  // Safe: these are the table's own columns.
  const chosen = { ...key, ...columns } as typeof columns;
  for (let offset = 0; ; offset += pageRows) {
    const rows = await db.select(chosen).from(table).orderBy(order).limit(pageRows).offset(offset);
    yield rows;
    if (rows.length < pageRows) return;
  }
}

export async function scanSealed(db: Db): Promise<UnreadableRow[]> {
  const found: UnreadableRow[] = [];
  for (const table of sealedTables)
    for await (const rows of pagesOf(db, table))
      for (const row of rows) {
        const broken = Object.entries(row).filter(([, value]) => value instanceof Unreadable);
        const [first] = broken;
        if (first === undefined) continue;
        const id = keyNames(table)
          .map((name) => String((row as Record<string, unknown>)[name]))
          .join(' ');
        const why = (first[1] as Unreadable).why;
        found.push({ table: getTableName(table), id, columns: broken.map(([name]) => name), why });
      }
  for await (const rows of pagesOf(db, holds, holdColumns))
    for (const row of rows) {
      const fault = faultOf(row as never);
      if (fault !== null) found.push(fault);
    }
  return found;
}
