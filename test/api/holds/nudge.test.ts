import { beforeEach, describe, expect, test } from '@jest/globals';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { NoticeStart } from '../../../src/contract/tasks/activity.ts';
import type { TimelineEntry } from '../../../src/contract/views/inbox.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aDecision, aHold, anEnd, aTask, bearer, fakeTasks, freshThread, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const sent: [string, NoticeStart][] = [];
const rig = describeApi({ withKeys: true, config: { users: { fin: { notify: ['fin-chat'] } } } });
beforeEach(() => {
  sent.length = 0;
  Object.assign(rig.tasks, fakeTasks());
  rig.tasks.notify = async (id, start) => {
    sent.push([id, start]);
    return { kind: 'answer', value: null };
  };
});

async function asked(change: Parameters<typeof aHold>[2] = {}): Promise<HoldRow> {
  const policy = PolicySchema.parse({ audience: ['role:finance'], notify: ['mail'] });
  const plan = planLadder('default', policy, new Date().toISOString());
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  return aHold(rig.store, task, { audience: ['role:finance', 'user:fin'], plan, ...change });
}

const post = ({ holdId }: HoldRow, who: keyof typeof keys) =>
  rig.app.inject({ method: 'POST', url: `/api/holds/${holdId}/nudge`, headers: bearer(who) });
const seen = async ({ holdId }: HoldRow, who: keyof typeof keys): Promise<HoldView> =>
  (await rig.app.inject({ url: `/api/holds/${holdId}`, headers: bearer(who) })).json<HoldView>();

describe('a nudge', () => {
  test('a nudge sends the notice again to those who may decide, and is in the record of the task', async () => {
    const hold = await asked();
    expect(await seen(hold, 'anna')).toMatchObject({ mayNudge: true, nudges: [] });
    const response = await post(hold, 'anna');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ nudges: [{ by: 'anna', at: expect.any(String) }], status: 'open' });
    const cause = { by: 'anna', to: [], note: null };
    expect(sent).toEqual([
      [
        `notice/${hold.holdId}/nudged-0`,
        {
          holdId: hold.holdId,
          event: 'nudged',
          k: 0,
          cause,
          channels: ['mail', 'fin-chat'],
          giveUpAfterMs: 86_400_000,
        },
      ],
    ]);
    const timeline = await rig.app.inject({ url: `/api/tasks/${hold.taskId}/timeline`, headers: bearer('anna') });
    expect(timeline.json<{ items: TimelineEntry[] }>().items).toContainEqual(
      expect.objectContaining({ what: 'hold.nudged', by: 'anna', holdId: hold.holdId }),
    );
  });

  test('a nudge is one an hour for each question, by what the row says, of any person and at any process', async () => {
    const hold = await asked();
    await post(hold, 'anna');
    for (const who of ['anna', 'op'] as const) {
      const again = await post(hold, who);
      expect(again.statusCode).toBe(429);
      expect(again.json()).toMatchObject({ code: 'rate_limited' });
      expect(Number(again.headers['retry-after'])).toBeGreaterThan(3_500);
    }
    expect(sent).toHaveLength(1);
    const past = new Date(Date.now() - 3_600_001).toISOString();
    const later = await asked({ nudges: [{ by: 'anna', at: past }] });
    expect((await post(later, 'anna')).json<HoldView>().nudges.map(({ by }) => by)).toEqual(['anna', 'anna']);
    expect(sent.at(-1)?.[0]).toBe(`notice/${later.holdId}/nudged-1`);
  });

  test('a nudge of two people at once is one notice and one entry', async () => {
    const hold = await asked();
    await Promise.all([post(hold, 'anna'), post(hold, 'op')]);
    expect(new Set(sent.map(([id]) => id)).size).toBe(1);
    expect((await seen(hold, 'anna')).nudges).toHaveLength(1);
  });

  test('a nudge that could not be sent leaves nothing behind: it can be sent again at once', async () => {
    const hold = await asked();
    rig.tasks.notify = async () => ({ kind: 'unanswered', by: 'engine' });
    expect((await post(hold, 'anna')).json()).toMatchObject({ code: 'engine_unavailable' });
    expect((await seen(hold, 'anna')).nudges).toEqual([]);
  });

  test('a nudge is refused to who may decide the question themselves, and too late when it is over', async () => {
    const hold = await asked();
    expect(await seen(hold, 'fin')).toMatchObject({ mayNudge: false });
    expect((await post(hold, 'fin')).json()).toMatchObject({ code: 'forbidden' });
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision(), 'p'));
    expect((await post(hold, 'anna')).json()).toMatchObject({ code: 'hold_closed' });
    expect(await seen(hold, 'anna')).toMatchObject({ mayNudge: false });
    expect(sent).toEqual([]);
  });
});
