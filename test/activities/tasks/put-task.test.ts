import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { putTask } from '../../../src/activities/tasks/put-task.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { aTurn } from '../turns.ts';
import type { TurnCase } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const put = ({ deps, input }: TurnCase, restartOf: string | null = null): ReturnType<typeof putTask> =>
  store.tx(async (tables) => {
    const { agent, threadId, taskId } = input.task;
    const found = await tables.runs.start({ agent, threadId, runId: input.runId }, taskId);
    return putTask(tables, deps, { ...input, restartOf }, found);
  });

test('a task is named by the beginning of the message that opened it', async () => {
  const turn = await aTurn(store, createScriptedAgent('a-1'));
  expect(await put(turn)).toMatchObject({ title: 'hello', restartOf: null, status: 'NEW' });
});

test('a later turn of a task changes nothing in the row of the task', async () => {
  const turn = await aTurn(store, createScriptedAgent('a-1'));
  const first = await put(turn);
  turn.input.turn = 2;
  turn.input.runId = 'another';
  expect(await put(turn)).toEqual(first);
});

test('a failed task and the one that tries it again know each other', async () => {
  const failed = await aTurn(store, createScriptedAgent('a-1'));
  await put(failed);
  const { taskId } = failed.input.task;
  const again = await aTurn(store, createScriptedAgent('a-2'));
  await put(again, taskId);
  expect(await store.tasks.get(again.input.task.taskId)).toMatchObject({ restartOf: taskId });
  expect(await store.tasks.get(taskId)).toMatchObject({ restartedAs: again.input.task.taskId });
});
