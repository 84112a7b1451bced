import { beforeAll, describe, expect, test } from '@jest/globals';
import { aDecision, aHold, anEnd, aQuestion, aTask, bearer, freshThread, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const ids: Record<string, string> = {};
/** Cells of their own to a spreadsheet that separates by semicolons, and takes no quote in the midst of a cell for one. */
const splitTitle = '1;=cmd(); "+1;\t-2\n@SUM; no';
const rig = describeApi({
  withKeys: true,
  config: { users: { anna: { name: 'Anna Arnold' }, fin: { name: 'Fin Berg' } } },
});
beforeAll(async () => {
  const put = async (
    name: string,
    change: Parameters<typeof aHold>[2],
    end: ReturnType<typeof anEnd>,
    owner = 'anna',
  ): Promise<void> => {
    const task = await aTask(rig.store, freshThread(), { owner });
    const hold = await aHold(rig.store, task, { audience: ['role:finance'], ...change });
    await rig.store.holds.close(hold.holdId, end);
    ids[name] = hold.holdId;
  };
  const call = { callId: 'c', name: 'refund', args: { to: 'Miller, Ltd', amount: 4210 }, isEditable: false };
  const on = (day: string): string => `2026-11-${day}T12:00:00.000Z`;
  await put(
    'approved',
    { kind: 'tool_call', question: aQuestion({ kind: 'tool_call', title: ' ＝cmd() "now"', tool: call }) },
    anEnd('decided', aDecision({ at: on('10'), values: { approved: true } })),
  );
  await put(
    'refused',
    { question: aQuestion({ title: splitTitle }) },
    { ...anEnd('cancelled', aDecision({ at: on('12'), status: 'cancelled', reason: 'No receipt' })) },
  );
  await put(
    'expired',
    {},
    { ...anEnd('expired'), ended: { by: 'policy:default', at: on('14'), why: 'expired' } },
    'ben',
  );
});

async function find(query: string, who: keyof typeof keys = 'op'): Promise<string[]> {
  const response = await rig.app.inject({ url: `/api/holds?view=decided&${query}`, headers: bearer(who) });
  expect(response.statusCode).toBe(200);
  const { items } = response.json<{ items: { id: string }[] }>();
  const nameOf = (id: string): string => Object.keys(ids).find((name) => ids[name] === id) ?? id;
  return items.map(({ id }) => nameOf(id));
}
const csv = async (query: string, who: keyof typeof keys = 'op') =>
  rig.app.inject({ url: `/api/holds.csv?view=decided&${query}`, headers: bearer(who) });

describe('what has ended', () => {
  // Promise S52
  test.each([
    ['', ['expired', 'refused', 'approved']],
    ['requester=arnold', ['refused', 'approved']],
    ['requester=BEN', ['expired']],
    ['requester=nobody', []],
    ['requester=%25', []],
    ['endedBy=berg', ['refused', 'approved']],
    ['endedBy=policy', ['expired']],
    ['end=declined,expired', ['expired', 'refused']],
    ['endedFrom=2026-11-12', ['expired', 'refused']],
    ['endedTo=2026-11-12', ['approved']],
    ['endedFrom=2026-11-12T13:00:00%2B01:00&endedTo=2026-11-12T13:00:01%2B01:00', ['refused']],
    ['q=miller%204210', ['approved']],
  ])('what has ended is found by %s', async (query, expected) => {
    expect(await find(query)).toEqual(expected);
  });

  // Promise S52
  test('what has ended is not found by those who may not see it', async () => {
    expect(await find('', 'ben')).toEqual(['expired']);
    expect((await csv('', 'ben')).body.trim().split('\r\n')).toHaveLength(2);
  });

  test.each(['endedFrom=yesterday', 'end=won', 'endedTo=2026-13-01'])('what has ended refuses %s', async (query) => {
    const response = await rig.app.inject({ url: `/api/holds?${query}`, headers: bearer('op') });
    expect(response.json()).toMatchObject({ code: 'input_invalid', errors: [{ path: query.split('=')[0] }] });
  });
});

describe('the table of what has ended', () => {
  // Promise S52
  test('the table of what has ended is a file of lines that spreadsheets read, with who decided what, and no formula in it', async () => {
    const response = await csv('');
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="standfast-questions.csv"',
    });
    const [head, ...lines] = response.body.trimEnd().split('\r\n');
    expect(head).toContain('id,task,agent,requester,kind,headline');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('expired,policy:default');
    expect(lines[1]).toContain('declined,fin,rest,No receipt');
    expect(lines[2]).toContain(`"' ＝cmd() ""now"""`);
    expect(lines[2]).toContain('"{""to"":""Miller, Ltd"",""amount"":4210}","{""approved"":true}"');
  });

  test('the table of what has ended says what was proposed and what was granted, and marks a line where the two differ', async () => {
    const args = { to: 'Miller, Ltd', amount: 4210 };
    const tool = { callId: 'c', name: 'refund', args, isEditable: true };
    const task = await aTask(rig.store, freshThread(), { owner: 'dora' });
    const schema = { type: 'object', properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } } };
    const question = aQuestion({ kind: 'tool_call', tool, schema });
    const { holdId } = await aHold(rig.store, task, { audience: ['role:finance'], kind: 'tool_call', question });
    const values = { approved: true, editedArgs: { ...args, amount: 300 } };
    await rig.store.holds.close(holdId, anEnd('decided', aDecision({ at: '2026-11-15T12:00:00.000Z', values })));
    const [head = '', ...lines] = (await csv('q=miller')).body.trimEnd().split('\r\n');
    const changed = head.split(',').indexOf('changed');
    const cells = lines.map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/u));
    expect(cells.map((line) => [line[changed], line[changed - 1]])).toEqual([
      ['yes', '"{""approved"":true,""editedArgs"":{""to"":""Miller, Ltd"",""amount"":300}}"'],
      ['', '"{""approved"":true}"'],
    ]);
  });

  // Promise S52
  test('the table of what has ended has no formula in it where lists are separated by semicolons or tabs, or where a line is taken for itself', async () => {
    const { body } = await csv('');
    expect(body).toContain(`"1;'=cmd();' ""+1;	'-2\n'@SUM; no"`);
    expect(body).not.toMatch(/[;\t\n][ "]*[=+@-]/);
  });

  test('the table of what has ended has all lines, however many pages they are', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'fin' });
    for (let n = 1; n <= 201; n += 1) {
      const { holdId } = await aHold(rig.store, task, { n, audience: ['role:finance'] });
      await rig.store.holds.close(holdId, anEnd('decided', aDecision()));
    }
    const lines = (await csv('requester=fin')).body.trimEnd().split('\r\n');
    expect(new Set(lines).size).toBe(202);
  });
});

describe('the list of tasks', () => {
  const tasks = async (query: string, who: keyof typeof keys) => {
    const response = await rig.app.inject({ url: `/api/tasks?${query}`, headers: bearer(who) });
    return response.json<{ items: { id: string; waiting: unknown[] }[] }>().items;
  };

  // Promise S51
  test('the list of tasks has the caller’s own alone where that is asked for, also for operators', async () => {
    const own = await aTask(rig.store, freshThread(), { owner: 'op' });
    expect((await tasks('mine=true', 'op')).map(({ id }) => id)).toEqual([own.taskId]);
    expect((await tasks('', 'op')).length).toBeGreaterThan(3);
  });

  // Promise S51
  test('the list of tasks tells what each waits for', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'op' });
    const hold = await aHold(rig.store, task, { audience: ['role:finance'], expiresAt: '2026-12-01T00:00:00.000Z' });
    const [found] = await tasks('mine=true&limit=1', 'op');
    expect(found?.waiting).toEqual([
      {
        holdId: hold.holdId,
        headline: 'Your trip',
        audience: ['role:finance'],
        claimedBy: null,
        openedAt: hold.openedAt,
        expiresAt: hold.expiresAt,
        then: 'fail',
        exclude: [],
        ladder: [{ at: hold.expiresAt, do: 'expire', to: [], replace: false, doneAt: null }],
        nudges: [],
        mayNudge: true,
      },
    ]);
  });

  // Promise S51
  test('the list of tasks says whether the caller may nudge, once the time is not up, and who did', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'ben' });
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const other = { holdId: '', nudges: [], mayNudge: false };
    const asked = { audience: ['role:finance'], expiresAt: soon };
    const hold = await aHold(rig.store, task, asked);
    await rig.app.inject({ method: 'POST', url: `/api/holds/${hold.holdId}/nudge`, headers: bearer('ben') });
    const late = await aHold(rig.store, task, { ...asked, n: 2, expiresAt: '2026-01-01T00:00:00.000Z' });
    const [found] = await tasks('mine=true&limit=1', 'ben');
    expect(found?.waiting).toEqual([
      expect.objectContaining({ holdId: hold.holdId, mayNudge: true, nudges: [{ by: 'ben', at: expect.any(String) }] }),
      expect.objectContaining({ ...other, holdId: late.holdId }),
    ]);
  });

  // Promise S53
  test('the list of tasks is searched by words, and by the names of people and agents', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'ben', agent: 'travel' });
    expect((await tasks('q=BEN%20travel', 'op')).map(({ id }) => id)).toEqual([task.taskId]);
    expect((await tasks('q=arnold%20expenses', 'op')).length).toBe(2);
    expect(await tasks('q=100%25', 'op')).toEqual([]);
  });
});
