import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closingFence, turnFence } from '../../../src/activities/run-log/run-writer.ts';
import { followTurn } from '../../../src/activities/turn/turn-follow.ts';
import { parkTurn } from '../../../src/activities/turn/turn-park.ts';
import { newTurnView } from '../../../src/core/turn/view.ts';
import { versionAtPark } from '../../../src/activities/watch/watch-probe.ts';
import { messageIdOf } from '../../../src/core/base/ids.ts';
import { sha1Hex } from '../../../src/host/secrets/hash.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { FencedError, type Store } from '../../../src/store/store.ts';
import type { Watch } from '../../../src/store/ports/tasks.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { createVirtualClock, type VirtualClock } from '../../rigs/virtual-clock.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aTurn, replyOf, type TurnCase } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const parkAfterMs = 120_000;
let tasks = 0;

interface QuietTurn extends TurnCase {
  clock: VirtualClock;
}

/** A turn that parks after a silence, and whose watch is due at once. */
async function newTurn(): Promise<QuietTurn> {
  tasks += 1;
  const turn = await aTurn(store, createScriptedAgent(`quiet-${tasks}`));
  const { watch } = turn.deps.timing;
  const clock = createVirtualClock();
  turn.deps.clock = clock;
  turn.deps.now = clock.date;
  turn.deps.timing = {
    ...turn.deps.timing,
    parkAfterMs,
    silenceMs: 30_000,
    backoffMs: 250,
    maxBackoffMs: 15_000,
    watch: { ...watch, turn: { firstMs: 0, maxMs: 1_000 } },
  };
  return { ...turn, clock };
}

/** The watches of a turn's task that are due now. */
async function watchesOf({ input }: TurnCase): Promise<Watch[]> {
  return (await store.tasks.dueWatches(100, 0)).filter(({ taskId }) => taskId === input.task.taskId);
}

describe('a turn whose agent is silent for long', () => {
  test('a turn whose agent is silent for long parks of the working task, and leaves a watch that knows what was seen last', async () => {
    const turn = await newTurn();
    const first = turn.attempt(1);
    await turn.agent.untilRead();
    await turn.clock.isAwaited();
    turn.clock.pass(10_000);
    const sentAt = turn.clock.date();
    turn.agent.token('one ');
    await turn.shows('one ');
    const outcome = await turn.clock.until(first.outcome);
    const { a2aTaskId } = turn.agent.task();
    expect(outcome).toMatchObject({ kind: 'waiting', a2aTaskId, contextId: 'context-1' });
    expect(outcome).toMatchObject({ lastEventAt: sentAt.toISOString() });
    expect(turn.clock.date().getTime() - sentAt.getTime()).toBe(parkAfterMs);
    const { workflowId, firstExecutionRunId } = turn.input.task;
    const seen = versionAtPark(turn.agent.task());
    expect(await watchesOf(turn)).toMatchObject([
      { agent: 'fake', a2aTaskId, workflowId, firstExecutionRunId, kind: 'turn', watchVersion: 0, seen, probes: 0 },
    ]);
    // The run is open, its text too, and no stream of the agent is read any more.
    const run = await store.runs.get({ agent: 'fake', threadId: turn.input.task.threadId, runId: turn.input.runId });
    expect(run).toMatchObject({ status: 'open' });
    expect(replyOf(await turn.view())).toBe('one ');
    await waitFor(() => turn.agent.readers() === 0, 5_000, 'the stream to be given up');
  });

  test('a turn whose agent speaks now and then is not parked', async () => {
    const turn = await newTurn();
    const first = turn.attempt(1);
    await turn.agent.untilRead();
    let text = '';
    for (let passedMs = 0; passedMs < 3 * parkAfterMs; passedMs += 20_000) {
      turn.agent.token('.');
      text += '.';
      await turn.shows(text);
      await turn.clock.isAwaited();
      turn.clock.pass(20_000);
    }
    turn.agent.state('completed');
    expect(await first.outcome).toMatchObject({ kind: 'ended', state: 'completed' });
    expect(await watchesOf(turn)).toEqual([]);
  });

  test('a turn whose agent cannot stream is parked as a silent one, after being asked again and again', async () => {
    const turn = await newTurn();
    const { transport } = turn.agent;
    let asked = 0;
    turn.deps.transportOf = () => ({
      ...transport,
      supportsStreaming: () => Promise.resolve(false),
      async *sendStream(message) {
        turn.agent.sent.push(message);
        turn.agent.state('working');
        yield turn.agent.task();
      },
      getTask: (...args) => {
        asked += 1;
        return transport.getTask(...args);
      },
    });
    expect(await turn.clock.until(turn.attempt(1).outcome)).toMatchObject({ kind: 'waiting' });
    expect(asked).toBeGreaterThan(2);
  });

  test('a turn whose agent cannot be read leaves its slot within seconds, and goes on when the agent is back', async () => {
    const turn = await newTurn();
    const { transport } = turn.agent;
    let isAway = true;
    turn.deps.transportOf = () => ({
      ...transport,
      getTask: (...args) => (isAway ? Promise.reject(new TypeError('fetch failed')) : transport.getTask(...args)),
    });
    turn.deps.config = { ...turn.deps.config, agentOutage: '1h' };
    const { clock } = turn;
    const began = clock.nowMs();
    const left = await clock.until(turn.attempt(1).outcome);
    expect(left).toMatchObject({ kind: 'away', isDelivered: true, a2aTaskId: turn.agent.task().a2aTaskId });
    expect(clock.nowMs() - began).toBeLessThan(2 * parkAfterMs);
    expect(await watchesOf(turn)).toEqual([]);
    isAway = false;
    const again = turn.attempt(1, { resumes: 1, isDelivered: true, a2aTaskId: turn.agent.task().a2aTaskId });
    expect(await clock.until(again.outcome)).toMatchObject({ kind: 'waiting' });
    expect(turn.agent.sent).toHaveLength(1);
  });

  test('a turn whose agent is silent for long parks of a task that stays in the pause that was answered', async () => {
    const turn = await newTurn();
    turn.agent.state('auth-required', 'Sign in elsewhere.');
    const pauseMessageId = turn.agent.task().message?.messageId ?? '';
    const { a2aTaskId } = turn.agent.task();
    // "Granted elsewhere": there is nothing to say to the agent.
    const answered = { turn: 2, a2aTaskId, pauseMessageId, send: { kind: 'answers' as const, answers: [] } };
    const first = turn.attempt(1, answered);
    expect(await turn.clock.until(first.outcome)).toMatchObject({ kind: 'waiting', a2aTaskId });
    turn.agent.state('completed');
    expect(await turn.attempt(1, { ...answered, resumes: 1 }).outcome).toMatchObject({
      kind: 'ended',
      state: 'completed',
    });
    expect(turn.agent.sent).toEqual([]);
  });

  test('a turn whose agent is silent for long takes a pause without words for a new one when nothing else ever comes', async () => {
    const turn = await newTurn();
    turn.agent.state('input-required', 'Which one?');
    const { a2aTaskId, message } = turn.agent.task();
    if (message === null) throw new Error('no question');
    const { transport } = turn.agent;
    const left = { ...turn.agent.task(), message: null, history: [message] };
    turn.deps.transportOf = () => ({
      ...transport,
      async *sendStream() {
        yield left;
      },
      getTask: () => Promise.resolve(left),
      supportsStreaming: () => Promise.resolve(false),
    });
    const talk = { kind: 'talk' as const, messageId: 'talk-1', text: 'This one.', by: 'user:ana' };
    const answered = { turn: 2, a2aTaskId, pauseMessageId: message.messageId, send: talk };
    const outcome = await turn.clock.until(turn.attempt(1, answered).outcome);
    expect(outcome).toMatchObject({ kind: 'paused', pauseMessageId: null });
    expect(turn.clock.nowMs()).toBeGreaterThanOrEqual(parkAfterMs);
  });

  test('a turn whose agent is silent for long takes such a pause for a new one also when the silence gets long while it is written', async () => {
    const { agent, deps, clock } = await newTurn();
    agent.state('input-required', 'Which one?');
    const { a2aTaskId, contextId, message } = agent.task();
    if (message === null) throw new Error('no question');
    const left = { ...agent.task(), message: null, history: [message] };
    const following = followTurn(
      {
        agent: 'fake',
        transport: { ...agent.transport, getTask: () => Promise.resolve(left) },
        signal: new AbortController().signal,
        outageMs: 60_000,
        log: deps.log,
        timing: deps.timing,
        view: newTurnView({ a2aTaskId, contextId, pauseMessageId: message.messageId, isReplying: true }),
        lost: null,
        clock,
        // As a log that is behind.
        show: () => {
          clock.pass(parkAfterMs / 2);
          return Promise.resolve(false);
        },
        bind: () => Promise.resolve(null),
        park: () => Promise.reject(new Error('it parked, and no question would open')),
      },
      null,
    );
    expect((await clock.until(following)).outcome).toMatchObject({ kind: 'paused', pauseMessageId: null });
  });
});

describe('a turn that goes on', () => {
  async function waiting(): Promise<QuietTurn> {
    const turn = await newTurn();
    const first = turn.attempt(1);
    await turn.agent.untilRead();
    turn.agent.token('one ');
    await turn.shows('one ');
    expect(await turn.clock.until(first.outcome)).toMatchObject({ kind: 'waiting' });
    return turn;
  }
  const known = (turn: TurnCase): { resumes: number; a2aTaskId: string } => ({
    resumes: 1,
    a2aTaskId: turn.agent.task().a2aTaskId,
  });

  // Promise WA3
  test('a turn that goes on shows what the agent sent meanwhile, in the same log, and sends nothing again', async () => {
    const turn = await waiting();
    turn.agent.token('two ');
    const next = turn.attempt(1, known(turn));
    await turn.shows('one two ');
    await turn.agent.untilRead();
    turn.agent.token('three ');
    turn.agent.state('input-required', 'And now?');
    expect(await next.outcome).toMatchObject({ kind: 'paused', explanation: 'And now?' });
    expect(replyOf(await turn.view())).toBe('one two three ');
    expect(turn.agent.sent).toHaveLength(1);
    expect((await turn.log()).filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1);
    const seqs = await turn.seqs();
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  test('a turn that goes on is watched no longer, and parks again under its own mark', async () => {
    const turn = await waiting();
    expect(await watchesOf(turn)).toHaveLength(1);
    const next = turn.attempt(1, known(turn));
    await turn.agent.untilRead();
    expect(await watchesOf(turn)).toEqual([]);
    expect(await turn.clock.until(next.outcome)).toMatchObject({ kind: 'waiting' });
    expect(await watchesOf(turn)).toMatchObject([{ kind: 'turn', watchVersion: 1 }]);
  });

  test('a turn that goes on goes on after a crash of its own, like every attempt', async () => {
    const turn = await waiting();
    turn.agent.token('two ');
    const cut = turn.attempt(1, known(turn));
    await turn.shows('one two ');
    cut.cancel('WORKER_SHUTDOWN');
    await expect(cut.outcome).rejects.toThrow();
    turn.agent.token('three ');
    turn.agent.state('completed');
    expect(await turn.attempt(2, known(turn)).outcome).toMatchObject({ kind: 'ended' });
    expect(replyOf(await turn.view())).toBe('one two three ');
    expect(turn.agent.sent).toHaveLength(1);
  });

  // Promise WA4
  test('a turn that goes on keeps late attempts from before out of its log', async () => {
    const turn = await waiting();
    const next = turn.attempt(1, known(turn));
    await turn.agent.untilRead();
    await expect(turn.attempt(7).outcome).rejects.toThrow('a later attempt has taken over');
    turn.agent.state('completed');
    await next.outcome;
  });

  test('a turn that goes on does not adopt the task again that its first wake has named', async () => {
    const turn = await waiting();
    turn.agent.state('completed');
    // What reads as an adoption in a first turn: the agent's task is known and a message is to be sent.
    expect(await turn.attempt(1, known(turn)).outcome).toMatchObject({ kind: 'ended', state: 'completed' });
    expect(turn.agent.sent.map(({ messageId }) => messageId)).toEqual([
      messageIdOf(sha1Hex, turn.input.task.taskId, 1),
    ]);
  });
});

// Promise WA4
test('an attempt that was overtaken leaves no watch', async () => {
  const turn = await newTurn();
  const late = turn.attempt(1);
  await turn.agent.untilRead();
  const next = turn.attempt(2);
  // The first may be gone by the time that the second reads.
  await waitFor(() => turn.agent.everRead() === 2, 5_000, 'a second reader');
  const overtaken = parkTurn(turn.deps, turn.input, turnFence(1, 0, 1), turn.agent.task(), new Date());
  await expect(overtaken).rejects.toThrow(FencedError);
  expect(await watchesOf(turn)).toEqual([]);
  turn.agent.state('completed');
  await Promise.allSettled([late.outcome, next.outcome]);
});

// Promise WA4
test('fences grow with turns, with wakes, with attempts, and what closes a run comes last', () => {
  const inOrder = [
    turnFence(1, 0, 1),
    turnFence(1, 0, 2),
    turnFence(1, 0, 1_000_000),
    turnFence(1, 1, 1),
    turnFence(1, 8_000, 1),
    turnFence(1, 1_000_000, 1_000_000),
    closingFence(1),
    turnFence(2, 0, 1),
    closingFence(2),
    // The reconciler's.
    closingFence(900_000),
  ];
  expect(inOrder.toSorted((a, b) => a - b)).toEqual(inOrder);
  expect(new Set(inOrder).size).toBe(inOrder.length);
  expect(inOrder.every(Number.isSafeInteger)).toBe(true);
});
