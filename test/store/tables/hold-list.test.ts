import { expect, test } from '@jest/globals';
import type { HoldFilter } from '../../../src/store/tables/holds/hold-filter.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aHold, decidedBy, onEachDatabase, upTo } from '../stores.ts';

const day = (n: number): string => `2029-03-0${n}T00:00:00.000Z`;

const titled = (agent: string, title: string, over: Partial<HoldRow> = {}): HoldRow =>
  aHold({ agent, question: { ...aHold().question, title }, ...over });

const deadlineKey = (row: HoldRow): string => [row.expiresAt ?? '9', row.openedAt, row.n, row.holdId].join(' ');

onEachDatabase(({ store }) => {
  const ids = async (filter: HoldFilter): Promise<string[]> =>
    (await store().holds.list(filter)).items.map((row) => row.holdId);

  /** All pages of two, one after the other. */
  async function walk(filter: HoldFilter): Promise<HoldRow[]> {
    const seen: HoldRow[] = [];
    let cursor: string | undefined;
    do {
      const page = await store().holds.list({ ...filter, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return seen;
  }
  test('of a thread are found by the id that its owner gave it, also where another had taken that id before', async () => {
    const agent = 'spaces';
    const threads = ['t-1', 't-1~0123456789ab', 't-1~other', 't-10~0123456789ab', 't-1~0123456789ab~0123456789ab'];
    const rows = threads.map((threadId) => aHold({ agent, threadId, owner: threadId }));
    await store().holds.putOnce(rows);
    const found = async (threadId: string): Promise<string[]> =>
      (await store().holds.list({ agent, threadId })).items.map((row) => row.threadId).toSorted();
    expect(await found('t-1')).toEqual(['t-1', 't-1~0123456789ab']);
    expect(await found('t-1~0123456789ab')).toEqual(['t-1~0123456789ab', 't-1~0123456789ab~0123456789ab']);
    expect(await found('t-1_0123456789ab')).toEqual([]);
  });

  test('sorted by deadline the earliest comes first, then the oldest, then as asked; those without one come last', async () => {
    const agent = 'deadlines';
    const rows = upTo(9).map((n) =>
      aHold({ agent, n, openedAt: day(Math.ceil(n / 3)), expiresAt: n % 3 === 0 ? null : day(5 + (n % 2)) }),
    );
    await store().holds.putOnce(rows);
    const seen = await walk({ agent, sort: 'deadline' });
    expect(seen.map((row) => row.holdId)).toEqual(
      rows.toSorted((a, b) => (deadlineKey(a) < deadlineKey(b) ? -1 : 1)).map((row) => row.holdId),
    );
  });

  test('past its time, a question that is kept open comes first by deadline, and is due', async () => {
    const agent = 'overdue';
    const { plan } = aHold();
    const kept = aHold({
      agent,
      expiresAt: null,
      plan: { ...plan, then: 'keep-open', expiresAt: null, overdueAt: '2026-01-01T00:00:00.000Z' },
    });
    const later = aHold({ agent });
    const never = aHold({ agent, expiresAt: null });
    await store().holds.putOnce([never, later, kept]);
    expect((await walk({ agent, sort: 'deadline' })).map((row) => row.holdId)).toEqual([
      kept.holdId,
      later.holdId,
      never.holdId,
    ]);
    expect(await ids({ agent, dueWithinHours: 1 })).toEqual([kept.holdId]);
  });

  test('sorted by their end the newest comes first, also of those that ended at one moment; open ones are not there', async () => {
    const agent = 'ends';
    const rows = upTo(7).map((n) => aHold({ agent, n }));
    await store().holds.putOnce([...rows, aHold({ agent })]);
    for (const row of rows) await store().holds.close(row.holdId, decidedBy('user:ana', day(Math.ceil(row.n / 3))));
    // What is written about a hold after its end does not move it.
    await store().holds.setCard(rows[0]?.holdId ?? '', {});
    const seen = (await walk({ agent, sort: 'ended' })).map((row) => row.n);
    expect(seen).toEqual([7, 4, 5, 6, 1, 2, 3]);
  });

  test('newest first is the default order; what was asked in one moment comes as it was asked', async () => {
    const agent = 'equals';
    const rows = upTo(12).map((n) => aHold({ agent, n }));
    await store().holds.putOnce(rows);
    const seen = (await walk({ agent })).map((row) => row.holdId);
    expect(seen).toEqual(rows.map((row) => row.holdId));
    expect(await ids({ agent, sort: 'newest' })).toEqual(seen);
  });

  test('a cursor holds for the order that gave it out, and is refused by the others', async () => {
    const agent = 'cursors';
    await store().holds.putOnce(upTo(3).map((n) => aHold({ agent, n, status: 'withdrawn', expiresAt: null })));
    const sorts = ['newest', 'deadline', 'ended'] as const;
    for (const given of sorts) {
      const { nextCursor } = await store().holds.list({ agent, sort: given, limit: 1 });
      for (const sort of sorts) {
        const page = store().holds.list({ agent, sort, limit: 5, cursor: nextCursor ?? '' });
        if (sort === given) expect((await page).items).toHaveLength(2);
        else await expect(page).rejects.toMatchObject({ name: 'BadCursorError' });
      }
    }
    for (const place of [
      ['infinity', '1 x'],
      [day(1), 'x'],
      [day(1), '-1 x'],
      [day(1), '9999999999 x'],
    ]) {
      const cursor = Buffer.from(JSON.stringify(['ended', ...place])).toString('base64url');
      await expect(store().holds.list({ sort: 'ended', cursor })).rejects.toMatchObject({ name: 'BadCursorError' });
    }
  });

  test('a search finds holds in whose title, message or agent all words occur, in any case', async () => {
    const agent = 'Searched-Agent';
    const refund = titled(agent, "Refund ÄRGER 50% to o'Neill");
    const other = titled(agent, 'Pay 500 to "Neill_B"');
    await store().holds.putOnce([refund, other]);
    const find = (q: string): Promise<string[]> => ids({ q, agent, sort: 'deadline' });
    expect(await find('refund ärger')).toEqual([refund.holdId]);
    expect(await find('  PLEASE\tSAY. 50% ')).toEqual([refund.holdId]);
    expect(await find('searched-agent')).toHaveLength(2);
    expect(await find('50%')).toEqual([refund.holdId]);
    expect(await find('5%0')).toEqual([]);
    expect(await find('neill_b')).toEqual([other.holdId]);
    expect(await find('refund_ärger')).toEqual([]);
    expect(await find("o'neill")).toEqual([refund.holdId]);
    expect(await find('"neill_b"')).toEqual([other.holdId]);
    expect(await find('\\')).toEqual([]);
    expect(await find("'; drop table holds; --")).toEqual([]);
    expect(await find('refund pay')).toEqual([]);
    expect(await find('refund\0')).toEqual([]);
    expect(await find('   ')).toHaveLength(2);
  });

  test('a search finds a question that holds NUL and half characters, by its other words', async () => {
    const row = titled('odd', 'NUL \0 and \ud800 here');
    await store().holds.putOnce([row]);
    expect(await ids({ agent: 'odd', q: 'nul here' })).toEqual([row.holdId]);
  });

  test('holds are narrowed by kind', async () => {
    const agent = 'kinds';
    const of = (kind: HoldRow['question']['kind']): HoldRow =>
      aHold({ agent, question: { ...aHold().question, kind } });
    const [form, call, text] = [of('form'), of('tool_call'), of('text')];
    await store().holds.putOnce([form, call, text]);
    expect((await ids({ agent, kinds: ['form', 'text'] })).toSorted()).toEqual([form.holdId, text.holdId].toSorted());
    expect(await ids({ agent, kinds: [] })).toHaveLength(3);
    expect(await ids({ agent, kinds: ['operator'] })).toEqual([]);
  });

  test('asked is who is named, who owns the thread where its owner is, and who claimed; not who sees it only', async () => {
    const agent = 'asked';
    const excluding = { ...aHold().plan, exclude: ['requester' as const] };
    const rows = {
      named: aHold({ agent, audience: ['user:ana'] }),
      byRole: aHold({ agent, audience: ['role:lead', 'role:x'] }),
      owned: aHold({ agent, audience: ['owner'], owner: 'user:ana' }),
      foreign: aHold({ agent, audience: ['owner'], owner: 'user:bob' }),
      seen: aHold({ agent, audience: ['role:x'], owner: 'user:ana' }),
      claimed: aHold({ agent, audience: ['role:x'], claim: { by: 'user:ana', at: day(1) } }),
      excluded: aHold({ agent, audience: ['role:lead'], owner: 'user:ana', plan: excluding }),
      spoken: aHold({ agent, audience: ['user:ana'], plan: { ...excluding, requesters: ['user:ana'] } }),
    };
    await store().holds.putOnce(Object.values(rows));
    const asked = async (entries: string[]): Promise<string[]> => {
      const found = await ids({ agent, askedOf: { id: 'user:ana', entries } });
      return Object.entries(rows).flatMap(([name, row]) => (found.includes(row.holdId) ? [name] : []));
    };
    expect(await asked(['user:ana'])).toEqual(['named', 'owned', 'claimed']);
    expect(await asked(['user:ana', 'role:lead', 'owner'])).toEqual(['named', 'byRole', 'owned', 'claimed']);
    expect(await asked([])).toEqual(['owned', 'claimed']);
  });

  test('a count is the length of the whole list, whatever its pages', async () => {
    const agent = 'counted';
    const rows = upTo(4).map((n) => titled(agent, n === 1 ? 'One' : 'Many'));
    await store().holds.putOnce(rows);
    await store().holds.close(rows[3]?.holdId ?? '', decidedBy('user:ana'));
    const { holds } = store();
    expect(await holds.counts({ agent, limit: 1 })).toBe(4);
    expect(await holds.counts({ agent }, 3)).toBe(3);
    expect(await holds.counts({ agent, statuses: ['open'], q: 'many' })).toBe(2);
    expect(await holds.counts({ agent, visibleTo: { owner: 'user:eve', entries: ['role:finance'] } })).toBe(4);
    expect(await holds.counts({ agent, visibleTo: { owner: 'user:eve', entries: [] } })).toBe(0);
    expect(await holds.counts({ agent: '\0' })).toBe(0);
  });
});
