import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordStep } from '../../../src/activities/holds/record-step.ts';
import type { RecordStepInput } from '../../../src/contract/tasks/activity.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import { stepAt } from '../../../src/core/policy/ladder.ts';
import { createCalendars } from '../../../src/host/calendar/calendar.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aHold, aHoldRow, owner, taskId } from '../../rigs/factories.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { depsOf } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const calendar = { zone: 'Europe/Berlin', hours: 'Mon-Fri 09:00-17:00', holidays: 'DE' };
const ladder = [{ after: '1h', remind: true as const, every: '8h' }];
let count = 0;

/** A question of the office's, opened on Monday 2026-03-02 at 10:00 there, with its first reminder given. */
async function reminded(
  takenAt: string,
  over: Partial<Hold['plan']> = {},
): Promise<{ hold: Hold; row: HoldRow | null; at: string | null }> {
  count += 1;
  const planned = aHold({ n: count, policy: { calendar, ladder, expire: { after: '1h', then: 'keep-open' } } });
  const hold = { ...planned, plan: { ...planned.plan, ...over } };
  await store.holds.putOnce([aHoldRow({ ...hold, agent: 'fake' })]);
  const step = stepAt(hold.plan, 0);
  if (step === null) throw new Error('no step');
  const input: RecordStepInput = {
    task: { taskId, agent: 'fake', threadId: 't-1', workflowId: 'w', firstExecutionRunId: 'x', owner },
    holdId: hold.holdId,
    index: 0,
    step,
    audience: hold.audience,
    nextStep: null,
    plan: hold.plan,
    takenAt,
    turn: 1,
    publicUrl: 'http://127.0.0.1:8600',
    isQuiet: true,
  };
  const deps = { ...depsOf(store, () => createScriptedAgent('a-1').transport), windowsOf: createCalendars() };
  const { repeatAt } = await recordStep(deps, input);
  // A later attempt of the same step finds the same.
  expect(await recordStep(deps, input)).toEqual({ repeatAt });
  return { hold, row: await store.holds.get(hold.holdId), at: repeatAt };
}

test('the next reminder by the calendar is found when one is given, and is in the row', async () => {
  const { row, at } = await reminded('2026-03-02T10:00:00.000Z');
  expect(at).toBe('2026-03-03T10:00:00.000Z');
  expect(row).toMatchObject({
    stepsTaken: 1,
    nextStep: { at, do: 'remind' },
    plan: { repeats: { next: { index: 1, at } } },
  });
});

test('the next reminder after weeks without a worker is the next one to come, over holidays and summer time', async () => {
  // Easter Monday is closed, and the clocks went forward on 29 March.
  expect((await reminded('2026-04-03T22:00:00.000Z')).at).toBe('2026-04-07T09:00:00.000Z');
});

test('a calendar that cannot be read any more counts all hours: no question is forgotten', async () => {
  const repeats = { calendar: { ...calendar, holidays: 'XX' }, next: null };
  expect((await reminded('2026-03-02T10:00:00.000Z', { repeats })).at).toBe('2026-03-02T18:00:00.000Z');
});
