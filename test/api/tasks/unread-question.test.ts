// Words for a task whose question their author did not read.
import { beforeEach, expect, test } from '@jest/globals';
import { aDecision, aHold, anEnd, aQuestion, aTask, bearer, fakeTasks, freshThread } from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import type { TaskRow } from '../../../src/store/store.ts';

const rig = describeApi({ withKeys: true });
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
});

const messageId = '0f0e7c3e-8a5d-4c7c-9a53-2f1f6f1f0b13';
const say = (task: TaskRow, payload: object) =>
  rig.app.inject({
    method: 'POST',
    url: `/api/tasks/${task.taskId}/chat/message`,
    headers: bearer('anna'),
    payload,
  });

// Promise Y79i
test('a person’s word to a task that was not written for the question it would answer is refused, and is taken once', async () => {
  let taken = 0;
  rig.tasks.message = async () => {
    taken += 1;
    return { kind: 'answer', value: { messageId, kind: 'decided', taskStatus: 'USER_INPUT_RECEIVED' } };
  };
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  const schema = { type: 'object', required: ['text'] };
  const { holdId } = await aHold(rig.store, task, { question: aQuestion({ kind: 'text', schema }) });
  const word = { text: 'Yes', messageId };
  for (const answers of [null, 'hold-before']) {
    const refused = await say(task, { ...word, answers });
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'changed_meanwhile' }]);
  }
  expect(taken).toBe(0);
  expect((await say(task, { ...word, answers: holdId })).statusCode).toBe(200);
  // Sent again as the next question is open: it was taken for the one before.
  expect((await say(task, { ...word, answers: 'hold-before' })).statusCode).toBe(200);
});

// Promise Y79i
test.each(['IN_PROGRESS', 'FAILED'] as const)(
  'a person’s word to a task that is %s, written for a question that has ended, goes nowhere',
  async (status) => {
    let taken = 0;
    rig.tasks.message = async () => {
      taken += 1;
      return { kind: 'answer', value: { messageId, kind: 'injected', taskStatus: 'IN_PROGRESS' } };
    };
    rig.tasks.open = async () => {
      taken += 1;
      return { kind: 'unanswered', by: 'worker' };
    };
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const hold = await aHold(rig.store, task, { question: aQuestion({ kind: 'text' }) });
    await rig.store.holds.close(hold.holdId, anEnd('expired', null, null));
    await rig.store.tasks.update(task.taskId, { status });
    const refused = await say(task, { text: 'Yes, pay', messageId, answers: hold.holdId });
    expect([refused.statusCode, refused.json()]).toMatchObject([409, { code: 'changed_meanwhile' }]);
    expect(taken).toBe(0);
  },
);

// Promise Y79i
test('a person’s answer in words that is sent again, as its reply was lost, is taken by the task that has it', async () => {
  rig.tasks.message = async () => ({
    kind: 'answer',
    value: { messageId, kind: 'decided', taskStatus: 'USER_INPUT_RECEIVED' },
  });
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  const hold = await aHold(rig.store, task, { question: aQuestion({ kind: 'text' }) });
  const values = { text: 'Yes, pay' };
  const decision = aDecision({ by: 'anna', at: new Date().toISOString(), values, source: 'chat' });
  await rig.store.holds.close(hold.holdId, anEnd('decided', decision, 'f'));
  await rig.store.tasks.update(task.taskId, { status: 'IN_PROGRESS' });
  expect((await say(task, { ...values, messageId, answers: hold.holdId })).statusCode).toBe(200);
  const other = { text: 'No, do not', messageId: '0f0e7c3e-8a5d-4c7c-9a53-2f1f6f1f0b14' };
  expect((await say(task, { ...other, answers: hold.holdId })).statusCode).toBe(409);
});
