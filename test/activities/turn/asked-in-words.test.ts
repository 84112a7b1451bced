// A turn that ends without a pause, and asks by its last words (`agents.<name>.asks`).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stopAgent } from '../../../src/activities/tasks/stop-agent.ts';
import { AgentConfigSchema, type AgentConfig } from '../../../src/contract/configuration/agent-config.ts';
import type { AgentMessage, TurnEvent } from '../../../src/contract/tasks/turn.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { leastBoundMs } from '../../rigs/wait-for.ts';
import { answeredBy, aTurn, type TurnCase } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

let count = 0;
async function newTurn(asks: AgentConfig['asks']): Promise<TurnCase> {
  count += 1;
  const turn = await aTurn(store, createScriptedAgent(`ended-${count}`));
  turn.deps.config.agents['fake'] = AgentConfigSchema.parse({ url: 'http://127.0.0.1:1/', asks });
  return turn;
}

async function holdOf({ input }: TurnCase): Promise<HoldRow> {
  const [hold] = await store.holds.ofTask(input.task.taskId);
  if (hold === undefined) throw new Error('no question was opened');
  return hold;
}

const question = 'May I pay 5 EUR?';
const asks = { textPattern: 'May I *?' };

/** The first turn, up to an end in these words: an artifact, as ADK sends them. */
async function endedIn(turn: TurnCase, words: string): Promise<unknown> {
  const { outcome } = turn.attempt(1);
  await turn.agent.untilRead();
  for (const piece of words.split(/(?<= )/u)) turn.agent.token(piece);
  turn.agent.state('completed');
  return outcome;
}

describe('a task that completes in words that match', () => {
  // Promise D15
  test('a task that completes in words that match is a question in these words, shown once', async () => {
    const turn = await newTurn(asks);
    expect(await endedIn(turn, question)).toMatchObject({
      kind: 'paused',
      state: 'input-required',
      questions: [{ kind: 'text', message: question }],
    });
    const { messages } = await turn.view();
    expect(messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual([question]);
    expect(await holdOf(turn)).toMatchObject({ status: 'open' });
  });

  // Promise D15
  test('a task that completes in words that match is answered by an ordinary next message of its context, and what that begins is followed', async () => {
    const turn = await newTurn(asks);
    await endedIn(turn, question);
    const next = createScriptedAgent('begun-after-it');
    turn.deps.transportOf = () => next.transport;
    const { a2aTaskId, contextId } = turn.agent.task();
    const { outcome } = turn.attempt(1, {
      turn: 2,
      runId: `${turn.input.runId}-2`,
      opener: 'standfast',
      messageRunId: null,
      a2aTaskId,
      contextId,
      n: 1,
      send: answeredBy(await holdOf(turn), 'yes'),
    });
    await next.untilRead();
    next.token('Paid.');
    next.state('completed');
    expect(await outcome).toMatchObject({ kind: 'ended', state: 'completed', a2aTaskId: 'begun-after-it' });
    expect(next.sent).toMatchObject([{ taskId: null, contextId, parts: [{ text: 'yes' }] }]);
    const run = await store.runs.get({ ...turn.input.task, runId: `${turn.input.runId}-2` });
    const events = (await store.log.read(run?.logId ?? 0, 0)).map(({ event }) => event);
    expect(events.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')).toMatchObject([{ delta: 'Paid.' }]);
    expect(await store.tasks.get(turn.input.task.taskId)).toMatchObject({
      a2aTaskId: 'begun-after-it',
      status: 'DONE',
    });
  });

  // Promise D15
  test('a task that completes in words that match has nothing that could be cancelled', async () => {
    const turn = await newTurn(asks);
    await endedIn(turn, question);
    const { a2aTaskId } = turn.agent.task();
    const stopped = await stopAgent(
      turn.deps,
      { task: turn.input.task, a2aTaskId, reason: 'enough' },
      AbortSignal.timeout(leastBoundMs),
    );
    expect([stopped.state, turn.agent.cancelled]).toEqual(['canceled', []]);
  });

  test('a task that completes in words that match costs one read of its row to stop an agent whose task the workflow does not know', async () => {
    const turn = await newTurn(asks);
    await endedIn(turn, 'I paid 5 EUR.');
    let reads = 0;
    const get: Store['tasks']['get'] = (taskId) => {
      reads += 1;
      return store.tasks.get(taskId);
    };
    const deps = { ...turn.deps, store: { ...store, tasks: { ...store.tasks, get } } };
    const stopping = { task: turn.input.task, a2aTaskId: null, reason: 'enough' };
    await stopAgent(deps, stopping, AbortSignal.timeout(leastBoundMs));
    expect([reads, turn.agent.cancelled]).toEqual([1, [turn.agent.task().a2aTaskId]]);
  });

  test.each([
    ['other words', asks, 'I paid 5 EUR.'],
    ['an agent that does not ask so', undefined, question],
  ])('a task that completes in words that match ends the turn with %s', async (_what, configured, words) => {
    expect(await endedIn(await newTurn(configured), words)).toMatchObject({ kind: 'ended', state: 'completed' });
  });
});

// Promise D15
test('a message without a task that matches by its metadata is a question too, and its answer goes to its context', async () => {
  const turn = await newTurn({ metadata: { awaits: true } });
  const { transport } = turn.agent;
  const message: AgentMessage = {
    messageId: 'm-1',
    role: 'agent',
    parts: [{ kind: 'text', text: 'Which colour?', metadata: {} }],
    metadata: { awaits: true },
    extensions: [],
  };
  const sent: (string | null | undefined)[] = [];
  const replies = (reply: AgentMessage): void => {
    turn.deps.transportOf = () => ({
      ...transport,
      async *sendStream(outgoing, { onResponse }): AsyncGenerator<TurnEvent, void, undefined> {
        sent.push(outgoing.taskId, outgoing.contextId);
        onResponse?.();
        await Promise.resolve();
        yield { type: 'message', message: reply, contextId: 'context-of-its-own' };
      },
    });
  };
  replies(message);
  expect(await turn.attempt(1).outcome).toMatchObject({
    kind: 'paused',
    a2aTaskId: null,
    contextId: 'context-of-its-own',
    questions: [{ kind: 'text', message: 'Which colour?' }],
  });
  replies({ ...message, messageId: 'm-2', metadata: {}, parts: [{ kind: 'text', text: 'Red it is.', metadata: {} }] });
  const second = turn.attempt(1, {
    turn: 2,
    runId: `${turn.input.runId}-2`,
    opener: 'standfast',
    messageRunId: null,
    contextId: 'context-of-its-own',
    n: 1,
    send: answeredBy(await holdOf(turn), 'red'),
  });
  expect(await second.outcome).toMatchObject({ kind: 'ended', state: 'message-only' });
  expect(sent.slice(2)).toEqual([null, 'context-of-its-own']);
});
