// Where an agent waits for an answer and takes any words for it, no message is sent that may be one, into whatever task of it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { Store } from '../../../src/store/store.ts';
import { aDigestedRow } from '../../rigs/proofs.ts';
import { aQuestion } from '../../rigs/factories.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aHold } from '../../store/stores.ts';
import { aTurn, type TurnCase } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

let count = 0;

/** A task of the same agent that asks this in a context, and a first message for that context. */
async function askedNextTo(question: Question): Promise<{ turn: TurnCase; contextId: string }> {
  count += 1;
  const contextId = `context-of-${count}`;
  const asking = await aTurn(store, createScriptedAgent(`asking-${count}`));
  const { task } = asking.input;
  await store.tasks.put(task, new Date().toISOString());
  await store.tasks.update(task.taskId, { status: 'NEEDS_REVIEW', contextId });
  await store.holds.putOnce([aDigestedRow({ ...aHold({ taskId: task.taskId, agent: 'fake' }), question })]);
  return { turn: await aTurn(store, createScriptedAgent(`next-${count}`)), contextId };
}

// Promise Y79g
describe('a first message into a context', () => {
  test.each([
    ['in words', aQuestion({ dialect: 'plain', kind: 'text' })],
    ['by an interrupt', aQuestion({ dialect: 'langchain', kind: 'tool_call' })],
  ])('a first message into a context in which its agent asks %s is not sent', async (_how, question) => {
    const { turn, contextId } = await askedNextTo(question);
    const outcome = await turn.attempt(1, { contextId }).outcome;
    expect(outcome).toMatchObject({ kind: 'failed', code: 'interrupts_pending' });
    expect(turn.agent.sent).toEqual([]);
  });

  test('a first message into a context in which its agent asks by a form is sent', async () => {
    const { turn, contextId } = await askedNextTo(aQuestion());
    const { stop } = turn.attempt(1, { contextId });
    await waitFor(() => turn.agent.sent.length > 0, 10_000, 'the message to be sent');
    await stop();
  });
});

// Promise Y79g
test('a message with which a task is taken over is not sent where that waits for an answer in words', async () => {
  const turn = await aTurn(store, createScriptedAgent('elsewhere-1'));
  turn.agent.state('input-required', 'Pay 900?');
  const outcome = await turn.attempt(1, { a2aTaskId: 'elsewhere-1' }).outcome;
  expect(outcome).toMatchObject({ kind: 'failed', code: 'interrupts_pending' });
  expect(turn.agent.sent).toEqual([]);
});
