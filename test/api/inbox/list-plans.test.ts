// What lists read of a table that has grown for years: the questions on the page, and not those that ended long ago.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openStore } from '../../../src/store/open-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { createDatabase, dropDatabase } from '../../rigs/process/postgres.ts';
import { recordPostgres } from '../../rigs/store/statements.ts';
import type { RecordedStatements } from '../../rigs/store/statements.ts';
import { aDecision, aHold, aTask, bearer } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const server = process.env['STANDFAST_TEST_PG'];
const ended = 10_000;
/** More than a page, a bounded count and the open questions together. */
const mayRead = 3_000;

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const lists = [
  ...['forMe', 'mine', 'team', 'all', 'decided'].flatMap((view) => [
    `/api/holds?view=${view}`,
    `/api/inbox/rows?view=${view}`,
  ]),
  '/api/holds?view=all&sort=deadline',
  '/api/holds?view=all&q=trip',
  '/api/agents?days=7',
  '/api/policies',
  '/api/holds?view=decided&q=zeppelin',
  '/api/holds?q=zeppelin',
  '/api/inbox/rows?view=decided&q=zeppelin&requester=nobody',
  '/api/inbox/rows?view=decided&endedBy=nobody',
  '/api/inbox/rows?view=decided&policy=none&kind=tool_call',
  `/api/inbox/count?view=forMe&dueTo=9999-01-01`,
  `/api/inbox/count?view=decided&q=zeppelin&endedFrom=${daysAgo(9)}&endedTo=${daysAgo(8)}`,
  '/api/overview?days=7',
  '/api/overview?days=30',
  '/metrics',
];

interface Plan {
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** Rows of holds that a plan has taken into its hands, kept or not. */
function rowsRead(plan: Plan): number {
  const isOfHolds = plan['Relation Name'] === 'holds' || plan['Index Name']?.startsWith('holds_') === true;
  const each =
    plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const below = (plan.Plans ?? []).map(rowsRead);
  return below.reduce((sum, rows) => sum + rows, isOfHolds ? each * plan['Actual Loops'] : 0);
}

(server === undefined ? describe.skip : describe)('with ten thousand ended questions of two years', () => {
  let store: Store;
  let client: Client;
  let recorded: RecordedStatements;
  let open: HoldRow;
  const stops: (() => Promise<void> | void)[] = [];
  const rig = describeApi(async () => {
    const databaseUrl = await createDatabase(server ?? '');
    stops.push(() => dropDatabase(databaseUrl));
    store = await openStore({ databaseUrl });
    stops.push(() => store.close());
    client = new Client({ connectionString: databaseUrl });
    await client.connect();
    stops.push(() => client.end());
    return { store, withKeys: true };
  });
  beforeAll(async () => {
    const decision = aDecision();
    const old = await aHold(store, await aTask(store, 'old', { owner: 'cleo' }), { audience: ['role:finance'] });
    await store.holds.close(old.holdId, {
      status: 'decided',
      decision,
      answerFingerprint: 'x',
      votes: [],
      supersededBy: null,
      ended: { by: decision.by, at: decision.at, why: 'approved' },
    });
    await client.query(
      `insert into holds select (jsonb_populate_record(old, jsonb_build_object(
         'hold_id', 'old-' || i, 'opened_at', now() - i * interval '100 minutes',
         'ended_at', now() - i * interval '100 minutes' + interval '1 minute'))).*
       from holds old, generate_series(1, ${ended}) i`,
    );
    await client.query(`update holds set search_text = 'airship' where hold_id in ('old-150', 'old-${ended - 1}')`);
    // As autovacuum leaves it: an index alone answers for what it has.
    await client.query('vacuum analyze');
    for (const [index, owner] of ['op', 'anna', 'anna'].entries())
      open = await aHold(store, await aTask(store, `new-${index}`, { owner }), {
        audience: ['role:operator', 'owner'],
      });
    recorded = recordPostgres();
    stops.push(() => recorded.stop());
  });
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  /** What each statement of a request reads of the table. */
  async function readBy(
    url: string,
    who: 'op' | 'anna' | 'fin',
  ): Promise<{ url: string; read: number; text: string }[]> {
    recorded.take();
    const { statusCode } = await rig.app.inject({ url, headers: bearer(who) });
    expect([url, statusCode]).toEqual([url, who !== 'op' && statusCode === 403 ? 403 : 200]);
    const reads = [];
    for (const { text, values } of recorded.take()) {
      if (!/^\s*select\b/i.test(text) || !text.includes('"holds"')) continue;
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, timing off, format json) ${text}`,
        values,
      );
      const [top] = rows[0]?.['QUERY PLAN'] ?? [];
      if (top === undefined) throw new Error(`no plan: ${text}`);
      reads.push({ url, read: rowsRead(top.Plan), text: text.slice(0, 60) + text.slice(-300) });
    }
    return reads;
  }

  // Promise LI3
  test.each(['op', 'anna', 'fin'] as const)('no list of %s reads them all', async (who) => {
    const reads = [];
    for (const url of lists) reads.push(...(await readBy(url, who)));
    expect(reads.filter(({ read }) => read > mayRead)).toEqual([]);
  });

  // Promise LI3
  test('what was decided before of one like them is read from the last fifty', async () => {
    const reads = await readBy(`/api/holds/${open.holdId}/precedents`, 'op');
    expect(reads.reduce((sum, { read }) => sum + read, 0)).toBeLessThan(120);
    expect(reads.length).toBeLessThan(5);
  });

  // Promise LI4
  test('a search finds what ended long ago, and what ended lately', async () => {
    const { items, nextCursor } = await store.holds.list({ q: 'airship', sort: 'ended', limit: 2 });
    expect([items.map(({ holdId }) => holdId), nextCursor]).toEqual([['old-150', `old-${ended - 1}`], null]);
  });

  // Promise LI4
  test.each(['ended', 'newest'] as const)(
    'a search that all match gives each once, page after page, by %s',
    async (sort) => {
      const seen: string[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await store.holds.list({ agent: 'expenses', sort, limit: 200, ...(cursor && { cursor }) });
        seen.push(...page.items.map(({ holdId }) => holdId));
        cursor = page.nextCursor;
      }
      const olds = seen.filter((id) => id.startsWith('old-'));
      expect(olds).toEqual(Array.from({ length: ended }, (_, index) => `old-${index + 1}`));
      expect(new Set(seen).size).toBe(seen.length);
    },
  );
});
