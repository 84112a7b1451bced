import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { PrecedentsView } from '../../../src/contract/views/precedents.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aDecision, aHold, anEnd, aQuestion, aTask, bearer, freshThread, keyConfig, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const carl = { authorization: 'Bearer carl-of-finance-as-well' };
let open: HoldRow;
const key = { user: 'carl', roles: ['finance'], key: 'carl-of-finance-as-well' };
const rig = describeApi({ config: { auth: { keys: [...keyConfig, key] } } });
beforeAll(async () => {
  open = await asked();
});

const asked = async (change: Parameters<typeof aHold>[2] = {}): Promise<HoldRow> =>
  aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), { audience: ['role:finance'], ...change });

let minute = 0;
/** Later than the decision before. */
const next = (): string => `2026-11-21T09:${String((minute += 1)).padStart(2, '0')}:00.000Z`;

async function refuse(by: string, reason: string | null, change: Parameters<typeof aHold>[2] = {}): Promise<void> {
  const { holdId } = await asked(change);
  await rig.store.holds.close(holdId, anEnd('cancelled', aDecision({ by, at: next(), status: 'cancelled', reason })));
}

async function precedents(who: keyof typeof keys | typeof carl): Promise<PrecedentsView> {
  const headers = typeof who === 'string' ? bearer(who) : who;
  const response = await rig.app.inject({ url: `/api/holds/${open.holdId}/precedents`, headers });
  expect(response.statusCode).toBe(200);
  return response.json<PrecedentsView>();
}

describe('the last reasons of a person', () => {
  test('the last reasons of a person are those of their own noes to this agent, latest first and each once, and none of others', async () => {
    await refuse('fin', 'Over budget');
    await refuse('fin', 'No receipt');
    await refuse('carl', 'Carl has a reason of his own');
    await refuse('fin', 'Over budget');
    await refuse('fin', null);
    expect((await precedents('fin')).reasons).toEqual(['Over budget', 'No receipt']);
    expect((await precedents(carl)).reasons).toEqual(['Carl has a reason of his own']);
    // An operator sees the question, and no more of what others wrote than its record shows.
    expect((await precedents('op')).reasons).toEqual([]);
  });

  test('the last reasons of a person come from the field of the answer too that carried them, and never from a secret field or a yes', async () => {
    const schema = { type: 'object', properties: { approved: { type: 'boolean' }, reason: { type: 'string' } } };
    const decide = async (values: Record<string, boolean | string>, secrets: string[] = []): Promise<void> => {
      const question = aQuestion({ kind: 'tool_call', schema, secrets });
      const { holdId } = await asked({ kind: 'tool_call', question });
      await rig.store.holds.close(holdId, anEnd('decided', aDecision({ by: 'carl', at: next(), values })));
    };
    await decide({ approved: false, reason: 'Wait for the freeze to end' });
    await decide({ approved: true, reason: 'Said with a yes' });
    await decide({ approved: false, reason: 'A secret' }, ['reason']);
    expect((await precedents(carl)).reasons).toEqual(['Wait for the freeze to end', 'Carl has a reason of his own']);
  });

  test('the last reasons of a person are three, and none too long to be read at a glance', async () => {
    for (const reason of ['One', 'Two', 'Three', 'x'.repeat(201)]) await refuse('fin', reason);
    expect((await precedents('fin')).reasons).toEqual(['Three', 'Two', 'One']);
  });
});

describe('the last approved call of a tool', () => {
  const schema = { type: 'object', properties: { approved: { type: 'boolean' } } };
  const called = async (replicas: number, change: Parameters<typeof aHold>[2] = {}): Promise<HoldRow> => {
    const tool = { callId: 'c', name: 'scale', args: { service: 'checkout', replicas }, isEditable: false };
    return asked({ kind: 'tool_call', question: aQuestion({ kind: 'tool_call', schema, tool }), ...change });
  };
  const approve = async ({ holdId }: HoldRow, by: string): Promise<void> =>
    void (await rig.store.holds.close(
      holdId,
      anEnd('decided', aDecision({ by, at: next(), values: { approved: true } })),
    ));

  test('the last approved call of a tool is compared with this one, for those alone who may read it', async () => {
    open = await called(40);
    expect(await precedents('fin')).toMatchObject({ call: null });
    await approve(await called(6), 'fin');
    const kept = await called(7, { audience: ['user:carl'] });
    await approve(kept, 'carl');
    expect((await precedents('fin')).call).toMatchObject({
      by: 'fin',
      approved: 1,
      same: 1,
      differs: [{ path: ['replicas'], kind: 'changed', before: 6, now: 40, times: 1, mine: 1 }],
    });
    expect((await precedents(carl)).call).toMatchObject({
      id: kept.holdId,
      approved: 2,
      differs: [{ before: 7, mine: 1 }],
    });
  });
});

describe('the questions alike that have ended', () => {
  const invoice = (n: number, amount: number): HoldRow['question'] =>
    aQuestion({ title: `Pay invoice ${n}`, defaults: { amount } });

  test('the questions alike that have ended are counted, the last five named, and the amount is set against theirs', async () => {
    for (let n = 0; n < 6; n += 1) {
      const { holdId } = await asked({ question: invoice(n, 80 + n) });
      await rig.store.holds.close(
        holdId,
        anEnd('decided', aDecision({ by: 'fin', at: next(), values: { amount: 80 + n } })),
      );
    }
    await refuse('fin', 'No', { question: invoice(7, 9_000) });
    await refuse('fin', 'No', { question: aQuestion({ title: 'Pay order 7' }) });
    open = await asked({ question: invoice(8, 500) });
    const { alike } = await precedents('fin');
    expect(alike).toMatchObject({ count: 7, granted: 6, refused: 1, expired: 0 });
    expect(alike?.amount).toMatchObject({ value: 500, median: 82.5, highest: 85, of: 6, isUnusual: true });
    expect(alike?.last.map(({ title }) => title)).toEqual([7, 5, 4, 3, 2].map((n) => `Pay invoice ${n}`));
    expect((await precedents('op')).alike).toMatchObject({ count: 7 });
  });

  test('the questions alike that have ended are all that is read of what has ended', async () => {
    const list = jest.spyOn(rig.store.holds, 'list');
    expect((await precedents('fin')).alike).toMatchObject({ count: 7 });
    const read = await Promise.all(list.mock.results.map(({ value }) => value as ReturnType<Store['holds']['list']>));
    list.mockRestore();
    expect(read.flatMap(({ items }) => items.map(({ question }) => question.title.replaceAll(/\d/g, '')))).toEqual(
      Array.from({ length: 7 }, () => 'Pay invoice '),
    );
  });
});
