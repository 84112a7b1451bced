// What each surface says of a question whose deadline has passed while its workflow has not come by yet.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { bareNames, formatShortEnd } from '../../../src/cli/operate/outcome-text.ts';
import { shownQuestion } from '../../../src/core/questions/shown-question.ts';
import { threadStatusOf } from '../../../src/api/runs/thread-status.ts';
import type { HoldRow, TaskRow } from '../../../src/store/store.ts';
import { aHold, aQuestion, aTask, bearer, freshThread } from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { aPrincipal } from '../../rigs/factories.ts';

const rig = describeApi({ withKeys: true });
const hourMs = 3_600_000;
const minutes = (count: number): string => new Date(Date.now() + count * 60_000).toISOString();

interface Asked {
  task: TaskRow;
  hold: HoldRow;
}
let late: Asked;
let inTime: Asked;
beforeAll(async () => {
  const ask = async (expiresAt: string): Promise<Asked> => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'expenses' });
    return {
      task,
      hold: await aHold(rig.store, task, {
        audience: ['role:finance'],
        expiresAt,
        kind: 'confirmation',
        question: aQuestion(),
      }),
    };
  };
  late = await ask(minutes(-1));
  inTime = await ask(minutes(60));
});

const get = async (url: string) => (await rig.app.inject({ method: 'GET', url, headers: bearer('fin') })).json();
const idsAt = async (url: string): Promise<string[]> =>
  (await get(url)).items.map(({ id }: { id: string }) => id).toSorted();
const both = (): string[] => [late.hold.holdId, inTime.hold.holdId].toSorted();

describe('a question whose time is up is shown as `open` nowhere', () => {
  // Promise Q80
  test.each([
    ['its own view', (one: Asked) => get(`/api/holds/${one.hold.holdId}`)],
    ['the list of holds', async (one: Asked) => find(await get('/api/holds'), one)],
    ['the lines of the inbox', async (one: Asked) => find(await get('/api/inbox/rows?view=all'), one)],
    ['its task', async (one: Asked) => find({ items: (await get(`/api/holds?taskId=${one.task.taskId}`)).items }, one)],
  ])('a question whose time is up is shown as `open` nowhere: %s', async (_surface, read) => {
    expect(await read(inTime)).toMatchObject({ status: 'open', mayDecide: true, forMe: true });
    expect(await read(late)).toMatchObject({ status: 'time_up', mayDecide: false, forMe: false });
  });

  test.each([
    ['status=open', () => [inTime.hold.holdId]],
    ['status=time_up', () => [late.hold.holdId]],
    ['view=forMe', () => [inTime.hold.holdId]],
    ['view=team', both],
    ['view=all', both],
    ['metric=open', () => [inTime.hold.holdId]],
    ['metric=overdue', () => [late.hold.holdId]],
  ])('a question whose time is up is shown as `open` nowhere: the list by %s', async (query, wanted) => {
    expect(await idsAt(`/api/holds?${query}`)).toEqual(wanted());
  });

  test('a question whose time is up is shown as `open` nowhere: counts and the overview', async () => {
    expect((await get('/api/holds')).totals).toMatchObject({ forMe: 1, team: 2, all: 2 });
    expect(await get('/api/inbox/count?status=open')).toMatchObject({ count: 1 });
    expect((await rig.store.statistics.overview(hourMs)).now).toMatchObject({ open: 1, overdue: 1 });
  });

  test('a question whose time is up is shown as `open` nowhere: an AG-UI interrupt is not the reader’s to decide', async () => {
    const api = { store: rig.store, now: () => new Date(), publicUrl: 'http://127.0.0.1:8600' };
    const fin = aPrincipal('fin', 'finance');
    const may = async ({ task }: Asked): Promise<unknown> => {
      const status = await threadStatusOf(api, task, fin);
      return status.kind === 'settled' && status.outcome.type === 'interrupt' ? status.outcome.interrupts : [];
    };
    expect(await may(inTime)).toMatchObject([{ metadata: { standfast: { mayDecide: true } } }]);
    expect(await may(late)).toMatchObject([{ metadata: { standfast: { mayDecide: false } } }]);
  });

  test('a question whose time is up is shown as `open` nowhere: a message of a chat has no buttons', () => {
    const limits = { title: 100, message: 1_000, args: 1_000, fields: 5, choices: 5 };
    const shown = ({ hold }: Asked): unknown =>
      shownQuestion(rig.config, 'http://127.0.0.1:8600', hold, limits, { texts: [], now: minutes(0) }).end;
    expect(shown(inTime)).toBeNull();
    expect(shown(late)).toBe('Time is up; its policy decides');
  });

  test('a question whose time is up is shown as `open` nowhere: the terminal', async () => {
    expect(formatShortEnd(await get(`/api/holds/${inTime.hold.holdId}`), bareNames)).toBe('open');
    expect(formatShortEnd(await get(`/api/holds/${late.hold.holdId}`), bareNames)).toBe('time is up');
  });
});

function find({ items }: { items: HoldView[] }, { hold }: Asked): HoldView | undefined {
  return items.find(({ id }) => id === hold.holdId);
}
