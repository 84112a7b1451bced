// An answer that names no question, as front ends of older kinds send it: what it means is what its client was shown.
import { beforeEach, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { RunCommand } from '../../../src/contract/tasks/run.ts';
import { aDecision, aHold, anEnd, fakeTasks, lastOf, runBody } from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { asked, carrying, entriesOf } from './asked-tasks.ts';

const rig = describeApi();
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
});

/** A thread whose first question has ended, and whose second one is open. */
async function askedTwice() {
  const { threadId, task, hold: first } = await asked(rig);
  const ended = anEnd(
    'decided',
    aDecision({
      by: 'ben',
      at: new Date().toISOString(),
      values: { city: 'Oslo' },
    }),
    'of-ben',
  );
  await rig.store.holds.close(first.holdId, ended);
  const second = await aHold(rig.store, task, { n: 2 });
  const commands: RunCommand[] = [];
  carrying(rig, task, [second], commands);
  const say = async (state: JsonObject) => {
    const forwardedProps = { command: { resume: { city: 'Rome' } } };
    const url = '/agents/expenses/run';
    const payload = runBody(threadId, 'r2', {
      messages: [],
      forwardedProps,
      state,
    });
    return lastOf((await rig.app.inject({ method: 'POST', url, payload })).body);
  };
  return { first, second, commands, say };
}

const showing = (...ids: string[]): JsonObject => ({
  view: {
    pendingInterrupts: Object.fromEntries(ids.map((id) => [id, { interruptId: id }])),
  },
});

// Promise G35
test('an answer that names no question is for the one that its client’s state shows', async () => {
  const { second, commands, say } = await askedTwice();
  expect(await say(showing(second.interruptId))).toMatchObject({
    outcome: { type: 'success' },
  });
  expect(entriesOf(commands[0])).toMatchObject([{ hold: second.interruptId, values: { city: 'Rome' } }]);
});

// Promise G35
test('an answer that names no question, of a client that shows one that has ended, is refused as late', async () => {
  const { first, commands, say } = await askedTwice();
  expect(await say(showing(first.interruptId))).toMatchObject({
    type: 'RUN_ERROR',
    code: 'hold_closed',
  });
  expect(commands).toEqual([]);
});

// Promise G35
test.each([
  ['shows no question', { view: { pendingInterrupts: {} } }],
  ['shows another question', showing('hitl-of-another-task-1')],
  ['has no state of Standfast’s, on a thread that has asked before', {}],
])(
  'an answer that names no question, of a client that %s, is refused, with those that are open',
  async (_how, state) => {
    const { second, commands, say } = await askedTwice();
    expect(await say(state)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'interrupt_unknown',
      message: expect.stringContaining(second.interruptId),
    });
    expect(commands).toEqual([]);
  },
);

// Promise G35
test('an answer that names no question, of a client that shows several, is refused', async () => {
  const { first, second, commands, say } = await askedTwice();
  expect(await say(showing(first.interruptId, second.interruptId))).toMatchObject({ code: 'interrupt_unknown' });
  expect(commands).toEqual([]);
});
