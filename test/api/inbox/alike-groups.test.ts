// What of the list can be answered together, counted over all of it and within what its reader may decide.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AlikeGroups } from '../../../src/contract/views/inbox.ts';
import { readAlike } from '../../../src/api/inbox/alike-groups.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aHold, aQuestion, aTask, bearer, freshThread, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { aPrincipal } from '../../rigs/factories.ts';

const rig = describeApi({ withKeys: true });
let last = '';
let lone = '';
const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
beforeAll(async () => {
  const put = async (title: string, audience: string[]): Promise<string> => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'expenses' });
    const question = aQuestion({ kind: 'confirmation', title, message: '', schema });
    return (await aHold(rig.store, task, { audience, question })).holdId;
  };
  for (let n = 0; n < 64; n += 1) last = await put(`Pay the invoice ${n}?`, ['role:finance']);
  for (let n = 0; n < 3; n += 1) await put(`Close the account ${n}?`, ['user:ben']);
  lone = await put('Anything else', ['role:finance']);
});

const read = async (query: string, who: keyof typeof keys = 'fin') =>
  (await rig.app.inject({ method: 'GET', url: `/api/inbox/alike?${query}`, headers: bearer(who) })).json<AlikeGroups>();

describe('what is alike in the inbox', () => {
  // Promise S79
  test('what is alike in the inbox is counted over all of the list, however little of it a page has', async () => {
    const { groups, rows, isAll } = await read('view=forMe');
    expect(groups.map(({ title, count }) => [title, count])).toEqual([['Pay the invoice #?', 64]]);
    expect([rows, isAll]).toEqual([[], true]);
  });

  test('what is alike in the inbox comes as lines with the one that was asked for, at most fifty', async () => {
    const { rows } = await read(`view=forMe&like=${last}`);
    expect(rows).toHaveLength(50);
    expect(rows.map(({ id }) => id)).toContain(last);
    expect((await read(`view=forMe&like=${lone}`)).rows).toEqual([]);
    expect((await read('view=forMe&like=none-such')).rows).toEqual([]);
  });

  test('what is alike in the inbox is narrowed as the list is, and of what its reader may decide alone', async () => {
    expect((await read('view=forMe&q=invoice+6')).groups[0]?.count).toBe(10);
    expect((await read('view=forMe&q=nothing')).groups).toEqual([]);
    expect((await read('view=all', 'op')).groups).toEqual([]);
    expect((await read('view=forMe', 'ben')).groups.map(({ count }) => count)).toEqual([3]);
    expect((await read('view=decided')).groups).toEqual([]);
  });

  test('what is alike in the inbox is compared a page at a time, and others are served between two pages', async () => {
    const seen: number[] = [];
    const { store } = rig;
    const [row] = (await store.holds.list({ statuses: ['open'] })).items;
    if (row === undefined) throw new Error('no row');
    const rows = Array.from({ length: 450 }, (_, n): HoldRow => ({
      ...row,
      holdId: `h${n}`,
      get question() {
        seen.push(n);
        return row.question;
      },
    }));
    const seenBefore: number[] = [];
    const list: typeof store.holds.list = async ({ cursor, limit = 1 }) => {
      seenBefore.push(new Set(seen).size);
      const from = Number(cursor ?? 0);
      const next = from + limit;
      return { items: rows.slice(from, next), nextCursor: next < rows.length ? String(next) : null };
    };
    const principal = aPrincipal('fin', 'finance');
    const api = { now: () => new Date(), store: { ...store, holds: { ...store.holds, list } } };
    await readAlike(api, { filter: {}, principal, like: undefined, contextsOf: () => Promise.reject(new Error()) });
    expect(seenBefore).toEqual([0, 200, 400]);
  });
});
