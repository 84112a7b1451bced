import { beforeAll, describe, expect, test } from '@jest/globals';
import { aDecision, aHold, anEnd, aQuestion, aTask, bearer, freshThread, type keys, type Rig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({ withKeys: true });
let keyless: Rig;
const ids: Record<string, string> = {};
beforeAll(async () => {
  keyless = await rig.another();
  const put = async (name: string, change: Parameters<typeof aHold>[2] = {}, owner = 'anna', agent = 'expenses') => {
    const hold = await aHold(rig.store, await aTask(rig.store, freshThread(), { owner, agent }), change);
    ids[name] = hold.holdId;
    return hold;
  };
  const at = (hour: number) => `2026-11-20T0${hour}:00:00.000Z`;
  const until = (hour: number) => `2126-11-20T0${hour}:00:00.000Z`;
  await put('byRole', { audience: ['role:finance'], openedAt: at(1), expiresAt: until(8), kind: 'confirmation' });
  await put('byName', { audience: ['user:fin'], openedAt: at(2), expiresAt: until(7) });
  await put('claimed', {
    audience: ['role:finance'],
    openedAt: at(3),
    claim: { by: 'fin', at: at(4) },
    question: aQuestion({ title: 'Pay the Invoice', message: 'of Müller' }),
  });
  await put('ownersOwn', { audience: ['owner'], openedAt: at(4), expiresAt: until(6) }, 'fin', 'travel');
  await put('notHis', { audience: ['user:ben'], openedAt: at(5) });
  const first = await put('endedFirst', { audience: ['role:finance'], openedAt: at(2) });
  const last = await put('endedLast', { audience: ['role:finance'], openedAt: at(1) });
  await rig.store.holds.close(first.holdId, anEnd('decided', aDecision({ at: at(5) }), 'p'));
  await rig.store.holds.close(last.holdId, anEnd('decided', aDecision({ at: at(6) }), 'p'));
});

interface List {
  items: { id: string; version: number }[];
  nextCursor: string | null;
  totals: Record<string, number>;
}
const read = async (query: string, who: keyof typeof keys = 'fin') =>
  (await rig.app.inject({ method: 'GET', url: `/api/holds?${query}`, headers: bearer(who) })).json<List>();
const names = (list: List): string[] =>
  list.items.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id);
const find = async (query: string, who: keyof typeof keys = 'fin') => names(await read(query, who));

describe('a view of the inbox', () => {
  test.each([
    ['forMe', ['ownersOwn', 'claimed', 'byName', 'byRole']],
    ['forMe&asked=name', ['ownersOwn', 'byName']],
    ['forMe&asked=role', ['claimed', 'byRole']],
    ['mine', ['ownersOwn', 'claimed', 'byName']],
    ['team', ['ownersOwn', 'claimed', 'byName', 'byRole']],
    ['all', ['ownersOwn', 'claimed', 'byName', 'byRole']],
    ['decided', ['endedLast', 'endedFirst']],
  ])('a view of the inbox has the questions that belong to it: %s', async (view, expected) => {
    expect(await find(`view=${view}`)).toEqual(expected);
  });

  // Promise PE5
  test('a view of the inbox is counted for each, whatever else is asked for', async () => {
    const totals = { forMe: 4, mine: 3, team: 4, all: 4, decided: 2 };
    expect((await read('view=mine&q=nothing')).totals).toEqual(totals);
    expect((await read('')).totals).toEqual(totals);
    expect((await read('', 'ben')).totals).toEqual({ forMe: 1, mine: 1, team: 1, all: 1, decided: 0 });
  });

  test('a view of the inbox of an operator who is asked nothing is empty, and all is everything', async () => {
    expect(await find('view=mine', 'op')).toEqual([]);
    expect(await find('view=all', 'op')).toHaveLength(5);
  });

  test('a view of the inbox has everything for the caller where there are no keys', async () => {
    const { totals } = (await keyless.app.inject({ method: 'GET', url: '/api/holds' })).json<List>();
    expect(totals).toEqual({ forMe: 4, mine: 5, team: 5, all: 5, decided: 2 });
  });
});

describe('the list of holds', () => {
  test.each([
    ['sort=deadline&view=all', ['ownersOwn', 'byName', 'byRole', 'claimed']],
    ['sort=newest&view=all', ['ownersOwn', 'claimed', 'byName', 'byRole']],
    ['sort=newest&view=decided', ['endedFirst', 'endedLast']],
    ['kind=confirmation', ['byRole']],
    ['kind=form,confirmation&view=team', ['ownersOwn', 'claimed', 'byName', 'byRole']],
    ['agent=travel', ['ownersOwn']],
    ['q=invoice', ['claimed']],
    ['q=INVOICE%20m%C3%BCller', ['claimed']],
    ['q=invoice%20nothing', []],
    ['q=%25', []],
    ['q=travel%20fin', ['ownersOwn']],
    ['status=open&view=decided', []],
    ['status=DECIDED', ['endedFirst', 'endedLast']],
    ['view=Mine&status=', ['ownersOwn', 'claimed', 'byName']],
  ])('the list of holds has what is asked for with %s', async (query, expected) => {
    expect(await find(query)).toEqual(expected);
  });

  test('the list of holds goes on from page to page in any order', async () => {
    for (const query of ['view=all&sort=deadline', 'view=all&sort=newest', 'view=decided']) {
      const whole = await find(query);
      const seen: string[] = [];
      let cursor = '';
      for (let pages = 0; pages < 10; pages += 1) {
        const page = await read(`${query}&limit=1${cursor}`);
        seen.push(...names(page));
        if (page.nextCursor === null) break;
        cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
      }
      expect(seen).toEqual(whole);
    }
  });

  test.each(['view=yours', 'view=mine,team', 'kind=question', 'sort=best', 'limit=201'])(
    'the list of holds refuses %s',
    async (query) => {
      const response = await rig.app.inject({ method: 'GET', url: `/api/holds?${query}`, headers: bearer('fin') });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'input_invalid', errors: [{ path: query.split('=')[0] }] });
    },
  );
});

// Last, since its questions stay in the rig.store.
describe('the view of a caller', () => {
  // Promise S43
  test('the view of a caller holds what they may decide now: no vote of theirs in it, and no claim of others', async () => {
    const at = '2026-11-20T05:00:00.000Z';
    const open = async (change: Parameters<typeof aHold>[2], owner = 'anna'): Promise<string> => {
      const task = await aTask(rig.store, freshThread(), { owner, agent: 'expenses' });
      return (await aHold(rig.store, task, { audience: ['role:finance'], ...change })).holdId;
    };
    const before = new Set((await read('view=forMe')).items.map(({ id }) => id));
    const theirs = await open({ claim: { by: 'fin', at } });
    const voted = await open({ votes: [{ by: 'fin', at, values: {}, digest: 'd' }] as never });
    const others = await open({ claim: { by: 'ben', at } });
    const plan = { ...(await rig.store.holds.get(theirs))?.plan, exclude: ['requester'] } as never;
    const own = await open({ plan }, 'fin');
    const now = (await read('view=forMe')).items;
    expect(now.filter(({ id }) => !before.has(id)).map(({ id }) => id)).toEqual([theirs]);
    expect((await read('view=team')).items.map(({ id }) => id)).toEqual(expect.arrayContaining([voted, others]));
    expect(now.every((hold) => 'forMe' in hold && hold.forMe === true)).toBe(true);
    for (const id of [theirs, voted, others, own]) await rig.store.holds.close(id, anEnd('withdrawn', null, null));
  });
});

test('a question that one works on is in no view of theirs once it has moved on to others', async () => {
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  const claim = { by: 'ben', at: '2026-11-20T01:00:00.000Z' };
  const { holdId } = await aHold(rig.store, task, { audience: ['role:lead'], claim });
  expect((await rig.app.inject({ url: `/api/holds/${holdId}`, headers: bearer('ben') })).statusCode).toBe(404);
  for (const view of ['mine', 'team']) {
    const { items, totals } = await read(`view=${view}`, 'ben');
    expect(items.map(({ id }) => id)).not.toContain(holdId);
    expect(totals[view]).toBe(items.length);
  }
});

describe('the deadline of a question', () => {
  // Promise PG5
  test('the deadline of a question narrows a list together with agent, policy and requester, and counts what is overdue', async () => {
    const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    for (const [name, hours, owner] of [
      ['overdue', -1, 'anna'],
      ['inHalfAnHour', 0.5, 'anna'],
      ['inFiveHours', 5, 'anna'],
      ['ofAnother', 0.5, 'fin'],
      ['inThreeDays', 72, 'anna'],
    ] as const) {
      const task = await aTask(rig.store, freshThread(), { owner, agent: 'dues' });
      ids[name] = (await aHold(rig.store, task, { audience: ['user:ben'], expiresAt: inHours(hours) })).holdId;
    }
    const due = (query: string): Promise<string[]> => find(`agent=dues&sort=deadline&${query}`, 'ben');
    expect(await due('dueWithin=168')).toEqual(expect.arrayContaining(['inThreeDays', 'ofAnother']));
    expect(await due('dueWithin=24&requester=anna&policy=default')).toEqual(['overdue', 'inHalfAnHour', 'inFiveHours']);
    expect(await due('dueWithin=1&requester=anna')).toEqual(['overdue', 'inHalfAnHour']);
    expect(await due('dueWithin=1&policy=another')).toEqual([]);
  });

  const count = async (query: string) => {
    const url = `/api/inbox/count?agent=dues&${query}`;
    const { statusCode, body } = await rig.app.inject({ url, headers: bearer('ben') });
    return statusCode === 200 ? (JSON.parse(body) as { count: number }).count : statusCode;
  };

  // Promise PG5
  test('the deadline of a question is what a part of a list is counted by, whatever page of it is loaded', async () => {
    const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
    expect(await count('')).toBe(5);
    expect(await count(`dueTo=${inHours(0)}`)).toBe(1);
    expect(await count(`dueFrom=${inHours(0)}&dueTo=${inHours(1)}&requester=anna`)).toBe(1);
    expect(await count(`dueFrom=${inHours(1)}&dueTo=9999-01-01`)).toBe(2);
    expect(await count('dueFrom=9999-01-01')).toBe(0);
    expect(await count('view=decided')).toBe(400);
    expect(await count(`view=decided&endedFrom=${inHours(-24 * 32)}&endedTo=${inHours(0)}`)).toBe(400);
    expect(await count(`status=decided&endedFrom=2026-11-20&endedTo=2026-11-21`)).toBe(0);
  });

  // Promise S52
  test('what has ended is counted by days of the reader’s zone, by how it ended, for a month at most', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'ben', agent: 'days' });
    for (const [n, at, why] of [
      [1, '2026-11-20T22:30:00.000Z', 'approved'],
      [2, '2026-11-20T23:30:00.000Z', 'expired'],
      [3, '2026-11-21T10:00:00.000Z', 'declined'],
    ] as const) {
      const { holdId } = await aHold(rig.store, task, { n, audience: ['user:ben'] });
      await rig.store.holds.close(holdId, { ...anEnd('decided', aDecision()), ended: { by: 'user:ben', at, why } });
    }
    const days = async (query: string, who: keyof typeof keys = 'ben') =>
      (await rig.app.inject({ url: `/api/inbox/days?agent=days&${query}`, headers: bearer(who) })).json<object>();
    const month = 'endedFrom=2026-11-01&endedTo=2026-11-30';
    const none = { approved: 0, answered: 0, refused: 0, expired: 0, other: 0 };
    expect(await days(`${month}&zone=Europe/Berlin`)).toEqual({
      items: [
        { day: '2026-11-20', ...none, approved: 1 },
        { day: '2026-11-21', ...none, expired: 1, refused: 1 },
      ],
    });
    expect(await days(month)).toMatchObject({
      items: [{ day: '2026-11-20', approved: 1, expired: 1 }, { refused: 1 }],
    });
    expect(await days(month, 'anna')).toEqual({ items: [] });
    expect(await days('endedFrom=2026-01-01&endedTo=2026-11-30')).toMatchObject({ status: 400 });
    expect(await days(`${month}&zone=Nowhere`)).toMatchObject({ status: 400 });
  });

  test.each(['dueWithin=0', 'dueWithin=soon', 'dueWithin=8785'])(
    'the deadline of a question refuses %s',
    async (query) => {
      const answer = await rig.app.inject({ method: 'GET', url: `/api/holds?${query}`, headers: bearer('fin') });
      expect(answer.statusCode).toBe(400);
    },
  );
});
