// What a run's options, and what was asked before, make of a turn; over a real store and a scripted agent.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OutgoingMessage } from '../../src/activities/a2a/a2a-transport.ts';
import type { TaskSnapshot } from '../../src/activities/a2a/a2a-find.ts';
import type { JsonObject } from '../../src/contract/base/json.ts';
import type { AgentMessage, TurnEvent, TurnInput } from '../../src/contract/tasks/turn.ts';
import { contextIdOf } from '../../src/core/base/ids.ts';
import { sha1Hex } from '../../src/host/secrets/hash.ts';
import { bindContext } from '../rigs/store/store-writes.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createScriptedAgent } from '../rigs/agents/scripted-agent.ts';
import { waitFor } from '../rigs/wait-for.ts';
import { answeredBy, aTurn, type TurnCase } from './turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

let tasks = 0;
const newTurn = (options: JsonObject = {}): Promise<TurnCase> => {
  tasks += 1;
  return aTurn(store, createScriptedAgent(`a2a-options-${tasks}`), { forwardedProps: { a2a: options } });
};

/** The first turn up to a pause in these words. */
async function askedBy(turn: TurnCase, words: string): Promise<void> {
  const { outcome } = turn.attempt(1);
  await turn.agent.untilRead();
  turn.agent.state('input-required', words);
  expect(await outcome).toMatchObject({ kind: 'paused' });
}

/** The second turn: a run of its own on the same task. */
const second = ({ input, agent }: TurnCase, more: Partial<TurnInput>): Partial<TurnInput> => ({
  turn: 2,
  runId: `${input.runId}-2`,
  opener: 'standfast',
  messageRunId: null,
  a2aTaskId: agent.task().a2aTaskId,
  contextId: agent.task().contextId,
  n: 1,
  pauseMessageId: agent.task().message?.messageId ?? null,
  ...more,
});
const talk: TurnInput['send'] = { kind: 'talk', messageId: 'talk-1', text: 'Why?', by: 'user:ana' };
const own = ({ mode, acceptedOutputModes, historyLength, metadata, taskId }: OutgoingMessage): object => ({
  mode,
  acceptedOutputModes,
  historyLength,
  metadata,
  taskId,
});

describe('the options of the run that opened a task', () => {
  // Promise B2
  test('the options of the run that opened a task are sent with each of its messages, and no Standfast id with them', async () => {
    const turn = await newTurn({
      mode: 'send',
      acceptedOutputModes: ['text', 'image/png'],
      historyLength: 4,
      metadata: { tenant: 'blue' },
    });
    const expected = {
      mode: 'send',
      acceptedOutputModes: ['text/plain', 'image/png', 'application/json'],
      historyLength: 4,
      metadata: { tenant: 'blue' },
    };
    await askedBy(turn, 'Which colour?');
    const { outcome } = turn.attempt(1, second(turn, { send: talk }));
    await waitFor(() => turn.agent.sent.length === 2, 5_000, 'the second message');
    turn.agent.state('completed', 'Because.');
    await outcome;
    expect(turn.agent.sent.map(own)).toEqual([
      { ...expected, taskId: null },
      { ...expected, taskId: turn.agent.task().a2aTaskId },
    ]);
    const { input } = turn;
    expect(JSON.stringify(turn.agent.sent)).not.toMatch(new RegExp(`"(${input.task.threadId}|${input.runId})`));
  });

  // Promise B6
  test('the options of the run that opened a task name its context, else its thread does, else one is made that is the same each time', async () => {
    const contextOf = async (contextId: string | null, isBound: boolean): Promise<string | null> => {
      const turn = await newTurn();
      const { agent, threadId } = turn.input.task;
      if (isBound) await bindContext(store, agent, threadId, 'of the thread');
      const { outcome } = turn.attempt(1, { contextId });
      await turn.agent.untilRead();
      turn.agent.state('completed', 'Done.');
      await outcome;
      const made = contextIdOf(sha1Hex, turn.input.task.taskId);
      const sent = turn.agent.sent[0]?.contextId ?? null;
      return sent === made ? 'made' : sent;
    };
    expect(await contextOf('of the options', true)).toBe('of the options');
    expect(await contextOf(null, true)).toBe('of the thread');
    expect(await contextOf(null, false)).toBe('made');
  });

  // Promise BR1
  test('the options of the run that opened a task are sent together with the context of the front end, which is that of the run itself', async () => {
    const context = [{ description: 'Page', value: '/invoices/7' }];
    const more = { context, forwardedProps: { a2a: { metadata: { tenant: 'blue' } } } };
    const turn = await aTurn(store, createScriptedAgent('a2a-context'), more);
    await askedBy(turn, 'Which colour?');
    const { outcome } = turn.attempt(1, second(turn, { send: talk }));
    await waitFor(() => turn.agent.sent.length === 2, 5_000, 'the second message');
    turn.agent.state('completed', 'Because.');
    await outcome;
    expect(turn.agent.sent.map(({ metadata }) => metadata)).toEqual([
      { tenant: 'blue', agui_context: context },
      { tenant: 'blue' },
    ]);
  });

  test('the options of the run that opened a task are those of a later run that says nothing about them', async () => {
    const turn = await newTurn();
    await askedBy(turn, 'Which colour?');
    expect(turn.agent.sent.map(own)).toEqual([
      {
        mode: 'stream',
        acceptedOutputModes: ['text/plain', 'application/json'],
        historyLength: null,
        metadata: {},
        taskId: null,
      },
    ]);
  });

  // Promise B3
  test('the options of the run that opened a task say where artifacts are stored, in every later turn too', async () => {
    const turn = await newTurn({ artifactBasePath: '/view/results/' });
    const first = turn.attempt(1);
    await turn.agent.untilRead();
    turn.agent.token('one');
    turn.agent.state('input-required', 'Go on?');
    await first.outcome;
    // A short text that may go on is put there when it ends.
    expect((await turn.view()).state['view']).toMatchObject({
      artifactInfo: { reply: { path: '/view/results/reply' } },
    });
    const next = second(turn, { send: talk });
    const { outcome } = turn.attempt(1, next);
    await waitFor(() => turn.agent.sent.length === 2, 5_000, 'the second message');
    turn.agent.token(' two');
    turn.agent.state('completed');
    await outcome;
    const run = await store.runs.get({ ...turn.input.task, runId: next.runId ?? '' });
    const events = (await store.log.read(run?.logId ?? 0, 0)).map(({ event }) => event);
    const patches = events.flatMap((event) => (event.type === 'STATE_DELTA' ? event['delta'] : []));
    expect(JSON.stringify(patches)).toContain('/view/results/reply');
    expect(JSON.stringify(patches)).not.toContain('/view/artifacts');
  });
});

describe('an answer', () => {
  /** The turn that answers the open question in this word. */
  const answering = async (turn: TurnCase, word: string): Promise<Partial<TurnInput>> => {
    const [hold] = await store.holds.ofTask(turn.input.task.taskId);
    if (hold === undefined) throw new Error('the question was not opened');
    const send = answeredBy(hold, word);
    return second(turn, { send });
  };

  test('an answer that the agent does not take is filled in when it asks the same again', async () => {
    const turn = await newTurn();
    await askedBy(turn, 'Which colour?');
    const { outcome } = turn.attempt(1, await answering(turn, 'loud'));
    await waitFor(() => turn.agent.sent.length === 2, 5_000, 'the answer');
    turn.agent.state('input-required', 'That is none. Which colour?');
    expect(await outcome).toMatchObject({
      kind: 'paused',
      questions: [{ defaults: { text: 'loud' }, filledIn: ['text'] }],
    });
  });

  // The last one is Python's SDK 0.3, as Strands uses it.
  test.each<[what: string, seen: (task: TaskSnapshot, messageId: string) => TaskSnapshot]>([
    ['still shows', (task) => task],
    ['has lost', (task) => ({ ...task, message: null, history: [] })],
    [
      'has put it into the history, with the answer behind it, and waits without',
      ({ message, ...task }, messageId) => {
        const answered: AgentMessage = { messageId, role: 'user', parts: [], metadata: {}, extensions: [] };
        return { ...task, message: null, history: [...(message === null ? [] : [message]), answered] };
      },
    ],
  ])(
    'an answer that the agent refuses by an error brings the question back with the agent’s words, where its task %s it',
    async (_what, seen) => {
      const turn = await newTurn();
      await askedBy(turn, 'Which colour?');
      const { transport } = turn.agent;
      let refused = '';
      turn.deps.transportOf = () => ({
        ...transport,
        sendStream: ({ messageId }) => {
          refused = messageId;
          throw new Error('refused');
        },
        getTask: async (...given) => {
          const task = await transport.getTask(...given);
          return task.type === 'task' ? seen(task, refused) : task;
        },
        classify: () => ({ kind: 'final', what: 'refused', wasTaken: false, message: 'only red or blue' }),
      });
      const outcome = await turn.attempt(1, await answering(turn, 'loud')).outcome;
      expect(outcome).toMatchObject({
        kind: 'paused',
        questions: [
          { message: expect.stringMatching(/^Which colour\?[^]*did not take the answer: only red or blue\)/) },
        ],
      });
    },
  );
});

describe('events of other tasks', () => {
  // Promise B18
  test('events of other tasks are ignored, counted, and reported once', async () => {
    const turn = await newTurn();
    const { transport } = turn.agent;
    const foreign: TurnEvent = {
      type: 'status',
      a2aTaskId: 'somebody-elses',
      contextId: 'c',
      state: 'completed',
      message: null,
    };
    const lines: object[] = [];
    turn.deps.log = { ...turn.deps.log, warn: (facts, message) => lines.push({ ...facts, message }) };
    turn.deps.transportOf = () => ({
      ...transport,
      async *sendStream(message, call) {
        for await (const event of transport.sendStream(message, call)) {
          yield event;
          yield foreign;
        }
      },
    });
    const { outcome } = turn.attempt(1);
    await turn.agent.untilRead();
    turn.agent.token('one');
    turn.agent.token(' two');
    await turn.shows('one two');
    turn.agent.state('completed');
    expect(await outcome).toMatchObject({ kind: 'ended', a2aTaskId: turn.agent.task().a2aTaskId });
    expect(lines).toEqual([{ agent: 'fake', count: 3, message: 'the agent spoke of other tasks; ignored' }]);
  });
});

describe('an agent that has no answer about its task', () => {
  const others: TurnEvent = {
    type: 'task',
    a2aTaskId: 'somebody-elses',
    contextId: 'c',
    state: 'completed',
    message: null,
    artifacts: [],
    history: [],
  };
  // Promise W21
  test.each<[string, TurnEvent, string]>([
    ['what is not a task', { type: 'unknown', what: 'no task id' }, 'not understood: no task id'],
    ['another task', others, 'another task'],
  ])(
    'an agent that has no answer about its task but answers with %s fails it with agent_unreachable in time',
    async (_, answer, why) => {
      const turn = await newTurn();
      const { transport } = turn.agent;
      turn.deps.config = { ...turn.deps.config, agentOutage: '100ms' };
      turn.deps.transportOf = () => ({
        ...transport,
        async *sendStream() {
          const { a2aTaskId, contextId } = turn.agent.task();
          yield { type: 'status', a2aTaskId, contextId, state: 'working', message: null };
        },
        async *resubscribe() {},
        getTask: () => Promise.resolve(answer),
      });
      const outcome = await turn.attempt(1).outcome;
      expect(outcome).toMatchObject({ kind: 'failed', code: 'agent_unreachable' });
      expect(outcome).toMatchObject({ message: expect.stringContaining(why) });
    },
  );
});
