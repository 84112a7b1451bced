import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';
import { openTestStore } from '../rigs/store/test-store.ts';
import type { Store } from '../../src/store/store.ts';
import { messageIdOf } from '../../src/core/base/ids.ts';
import { sha1Hex } from '../../src/host/secrets/hash.ts';
import { createScriptedAgent } from '../rigs/agents/scripted-agent.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { aTurn, replyOf } from './turns.ts';
import type { TurnCase } from './turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

let tasks = 0;
const newTurn = (): Promise<TurnCase> => {
  tasks += 1;
  return aTurn(store, createScriptedAgent(`a2a-${tasks}`));
};
const says = ['one ', 'two ', 'three ', 'four ', 'five '];
const whole = says.join('');

/** Types of the log's events, tokens in one. */
const shapeOf = async (turn: TurnCase): Promise<string[]> =>
  (await turn.log()).map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);

describe('an attempt after one that was cut off', () => {
  test.each(says.map((_, index) => index))(
    'an attempt after one that was cut off after %i tokens goes on from the log: nothing is lost and nothing sent twice',
    async (cut) => {
      const turn = await newTurn();
      const first = turn.attempt(1);
      await turn.agent.untilRead();
      for (const text of says.slice(0, cut)) turn.agent.token(text);
      await turn.shows(says.slice(0, cut).join(''));
      first.cancel('WORKER_SHUTDOWN');
      await expect(first.outcome).rejects.toThrow();
      expect(turn.agent.cancelled).toEqual([]);
      // Sent while no attempt listened.
      turn.agent.token(says[cut] ?? '');

      const second = turn.attempt(2);
      await turn.agent.untilRead();
      for (const text of says.slice(cut + 1)) turn.agent.token(text);
      turn.agent.state('input-required', 'And now?');
      expect(await second.outcome).toMatchObject({ kind: 'paused', explanation: 'And now?' });
      expect(turn.agent.sent).toHaveLength(1);
      expect(replyOf(await turn.view())).toBe(whole);
      const deltas = (await turn.log()).filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT').map(({ delta }) => delta);
      expect(deltas.join('')).toBe(`${whole}And now?`);
      expect((await turn.log()).filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1);
    },
  );

  test('an attempt after one that was cut off finds the task of a message whose answer was lost with the attempt', async () => {
    const turn = await newTurn();
    // Sent and noted as delivered; what the agent answered died with the process.
    await store.intents.put({ messageId: turn.messageId, taskId: turn.input.task.taskId, attempt: 1, sendForMs: 1 });
    await store.intents.delivered(turn.messageId);
    turn.agent.sent.push({
      messageId: turn.messageId,
      parts: [],
      taskId: null,
      contextId: null,
      extensions: [],
      metadata: {},
    });
    turn.agent.state('completed', 'Done.');
    expect(await turn.attempt(2).outcome).toMatchObject({
      kind: 'ended',
      state: 'completed',
      a2aTaskId: `a2a-${tasks}`,
    });
    expect(turn.agent.sent).toHaveLength(1);
  });

  test('an attempt after one that was cut off leaves a message unconfirmed whose answer was lost and made no task', async () => {
    const turn = await newTurn();
    await store.intents.put({ messageId: turn.messageId, taskId: turn.input.task.taskId, attempt: 1, sendForMs: 1 });
    await store.intents.delivered(turn.messageId);
    expect(await turn.attempt(2).outcome).toMatchObject({
      kind: 'delivery-unknown',
      what: expect.stringContaining('answer was lost'),
    });
    expect(turn.agent.sent).toEqual([]);
  });

  test('an attempt after one that was cut off waits until the time to send has passed before it probes, and sends when nothing came', async () => {
    const turn = await newTurn();
    await store.agents.markShowsMessageIds('fake');
    const intent = { messageId: turn.messageId, taskId: turn.input.task.taskId, attempt: 1, sendForMs: 400 };
    const { sendUntil } = await store.intents.put(intent);
    const second = turn.attempt(2);
    await turn.agent.untilRead();
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(sendUntil));
    turn.agent.state('completed');
    expect(await second.outcome).toMatchObject({ kind: 'ended', state: 'completed' });
    expect(turn.agent.sent).toHaveLength(1);
  });
});

describe('an attempt that was given up for dead', () => {
  test('an attempt that was given up for dead can write nothing more once a later one has the log', async () => {
    const turn = await newTurn();
    const zombie = turn.attempt(1);
    await turn.agent.untilRead();
    turn.agent.token('one ');
    await turn.shows('one ');
    const next = turn.attempt(2);
    // The first may be gone by the time that the second reads.
    await waitFor(() => turn.agent.everRead() === 2, 5_000, 'a second reader');
    for (const text of says.slice(1)) turn.agent.token(text);
    await expect(zombie.outcome).rejects.toThrow(CancelledFailure);
    turn.agent.state('completed');
    expect(await next.outcome).toMatchObject({ state: 'completed' });
    expect(replyOf(await turn.view())).toBe(whole);
    const seqs = await turn.seqs();
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  test('an attempt that was given up for dead does not send what it was about to send', async () => {
    const turn = await newTurn();
    const slow = { ...turn.deps.store };
    let park = (): void => undefined;
    const held = new Promise<void>((resolve) => (park = resolve));
    // The first attempt is frozen before its intent, which is written only while the log is its own.
    let puts = 0;
    turn.deps.store = {
      ...slow,
      intents: {
        ...slow.intents,
        async begin(intent, fence) {
          puts += 1;
          await held;
          return slow.intents.begin(intent, fence);
        },
        async put(intent) {
          puts += 1;
          return slow.intents.put(intent);
        },
      },
    };
    const zombie = turn.attempt(1);
    await waitFor(() => puts === 1, 5_000, 'the intent of the first attempt');
    await store.agents.markShowsMessageIds('fake');
    const next = turn.attempt(2);
    await waitFor(() => puts === 2, 5_000, 'the intent of the second attempt');
    await turn.agent.untilRead();
    park();
    await expect(zombie.outcome).rejects.toThrow(CancelledFailure);
    turn.agent.state('completed');
    await next.outcome;
    expect(turn.agent.sent).toHaveLength(1);
  });
});

describe('a turn that is cancelled', () => {
  test('a turn that is cancelled asks the agent to stop and says how it ended', async () => {
    const turn = await newTurn();
    const first = turn.attempt(1);
    await turn.agent.untilRead();
    turn.agent.token('one ');
    await turn.shows('one ');
    first.cancel('CANCELLED');
    expect(await first.outcome).toMatchObject({
      kind: 'ended',
      state: 'canceled',
      a2aTaskId: turn.agent.task().a2aTaskId,
    });
    expect(turn.agent.cancelled).toEqual([turn.agent.task().a2aTaskId]);
  });

  test('a turn that is cancelled before anything was sent ends without a word to the agent', async () => {
    const turn = await newTurn();
    const nobody = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
    let refused = 0;
    const next = (): Promise<never> => {
      refused += 1;
      return Promise.reject(new TypeError('fetch failed', { cause: nobody }));
    };
    turn.agent.transport.sendStream = () => ({ [Symbol.asyncIterator]: () => ({ next }) });
    // Long enough to be cancelled between two tries.
    const minute = 60_000;
    turn.deps.timing = {
      ...turn.deps.timing,
      sendForMs: minute,
      backoffMs: minute,
      maxBackoffMs: minute,
      tryForMs: 2 * minute,
    };
    const messageId = messageIdOf(sha1Hex, turn.input.task.taskId, 1);
    const first = turn.attempt(1);
    // Once for a stream, and at once again without one.
    const isRefused = async (): Promise<boolean> => refused === 2 && (await store.intents.get(messageId)) === null;
    await waitFor(isRefused, 5_000, 'two connections that are refused');
    first.cancel('CANCELLED');
    expect(await first.outcome).toMatchObject({ kind: 'ended', state: 'canceled', a2aTaskId: null });
    expect(turn.agent.cancelled).toEqual([]);
  });
});

describe('an attempt after one that had written its outcome', () => {
  // Promise O10
  test.each([
    ['the question', 'input-required', { kind: 'paused', opened: [{ n: 1 }] }],
    ['the end', 'completed', { kind: 'ended', isWritten: true }],
    ['the failure', 'failed', { kind: 'ended', isWritten: true }],
  ] as const)(
    'an attempt after one that had written its outcome returns %s exactly, sends nothing and writes nothing',
    async (_, state, shape) => {
      const turn = await newTurn();
      const first = turn.attempt(1);
      await turn.agent.untilRead();
      turn.agent.token(whole);
      turn.agent.state(state, 'Which one?');
      const outcome = await first.outcome;
      expect(outcome).toMatchObject(shape);
      const before = { log: await turn.log(), row: await store.tasks.get(turn.input.task.taskId) };
      expect(await turn.attempt(2).outcome).toEqual(outcome);
      expect(turn.agent.sent).toHaveLength(1);
      expect({ log: await turn.log(), row: await store.tasks.get(turn.input.task.taskId) }).toEqual(before);
    },
  );

  test('an attempt after one that had written its outcome returns it also when a cancel came in between: the workflow tells the agent', async () => {
    const turn = await newTurn();
    const first = turn.attempt(1);
    await turn.agent.untilRead();
    turn.agent.state('input-required', 'Which one?');
    const outcome = await first.outcome;
    const second = turn.attempt(2);
    second.cancel('CANCELLED');
    expect(await second.outcome).toEqual(outcome);
    expect(turn.agent.cancelled).toEqual([]);
  });

  // Promise O11
  test('an attempt after one that had written its outcome does not open again what was answered since: only a reset asks for it', async () => {
    const turn = await newTurn();
    const first = turn.attempt(1);
    await turn.agent.untilRead();
    turn.agent.state('input-required', 'Which one?');
    await first.outcome;
    const [hold] = await store.holds.ofTask(turn.input.task.taskId);
    const end = { decision: null, answerFingerprint: 'p', votes: [], supersededBy: null, ended: null };
    await store.holds.close(hold?.holdId ?? '', { status: 'decided', ...end });
    expect(await turn.attempt(2).outcome).toMatchObject({ kind: 'failed', code: 'internal' });
  });

  test('an attempt after one that had written its outcome leaves the end to the workflow while another run of the task is open', async () => {
    const turn = await newTurn();
    const first = turn.attempt(1);
    await turn.agent.untilRead();
    const { agent, threadId, taskId } = turn.input.task;
    const claim = { taskId, fence: 1, opener: 'client' as const, fingerprint: 'p', isControl: true };
    await store.runs.claim({ agent, threadId, runId: `${turn.input.runId}-more` }, claim);
    turn.agent.state('completed', 'Done.');
    const outcome = await first.outcome;
    expect(outcome).toMatchObject({ kind: 'ended', state: 'completed' });
    expect(outcome).not.toHaveProperty('isWritten');
    expect(await store.tasks.get(taskId)).toMatchObject({ status: 'IN_PROGRESS' });
  });
});

test('a turn with nothing in its way says each thing once', async () => {
  const turn = await newTurn();
  const only = turn.attempt(1);
  await turn.agent.untilRead();
  for (const text of says) turn.agent.token(text);
  turn.agent.state('completed', 'Done.');
  await only.outcome;
  expect(await shapeOf(turn)).toEqual([
    'RUN_STARTED',
    'STATE_SNAPSHOT',
    'STATE_DELTA',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'STATE_DELTA',
    'STATE_SNAPSHOT',
    'MESSAGES_SNAPSHOT',
    'RUN_FINISHED',
  ]);
});
