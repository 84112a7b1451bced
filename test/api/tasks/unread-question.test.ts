// Words for a task whose question their author did not read.
import { beforeEach, expect, test } from '@jest/globals';
import { aHold, aQuestion, aTask, bearer, fakeTasks, freshThread } from '../rig.ts';
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
