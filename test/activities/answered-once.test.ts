// Turns with real agents on the JavaScript SDK: answers and other words to a pause, and how often their executors ran.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { stopAgent } from '../../src/activities/tasks/stop-agent.ts';
import { injectMessage } from '../../src/activities/turn/inject-message.ts';
import type { JsonObject } from '../../src/contract/base/json.ts';
import type { InjectInput } from '../../src/contract/tasks/activity.ts';
import type { TurnInput, TurnOutcome } from '../../src/contract/tasks/turn.ts';
import type { Store } from '../../src/store/store.ts';
import {
  type JsAgent,
  type JsAgentKind,
  type JsAgentManner,
  type JsAgentWire,
  startJsAgent,
} from '../rigs/agents/js-agent.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import { createScriptedAgent } from '../rigs/agents/scripted-agent.ts';
import { createSupervisor } from '../rigs/process/supervisor.ts';
import { leastBoundMs, waitFor } from '../rigs/wait-for.ts';
import { transportTo } from './a2a-agents.ts';
import { answeredBy, aTurn, type TurnCase } from './turns.ts';

const supervisor = createSupervisor();
let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(async () => {
  await store?.close();
  await supervisor.end();
});

type Paused = Extract<TurnOutcome, { kind: 'paused' }>;

interface Conversation {
  agent: JsAgent;
  turn: TurnCase;
  /** Answers the question of the pause in these words, or by these values, in a turn of its own. */
  answer(paused: Paused, given: string | JsonObject, over?: Partial<TurnInput>): Promise<TurnOutcome>;
  /** Says something to the agent before an answer (talk-back), in a turn of its own. */
  say(paused: Paused, text: string): Promise<TurnOutcome>;
  executed(): Promise<string[]>;
}

async function aConversation(kind: JsAgentKind, options: JsAgentWire & JsAgentManner): Promise<Conversation> {
  const agent = await startJsAgent(supervisor, kind, options);
  const transport = transportTo(agent.url);
  const turn = await aTurn(
    store,
    { ...createScriptedAgent('unused'), transport },
    {},
    `agent-${new URL(agent.url).port}`,
  );
  turn.deps.timing = {
    ...turn.deps.timing,
    sendForMs: 2_000,
    sendBlockingForMs: 5_000,
    stalePauseMs: 300,
    silenceMs: 1_000,
  };
  let number = 1;
  const next = (paused: Paused, send: TurnInput['send'], over: Partial<TurnInput> = {}): Promise<TurnOutcome> => {
    number += 1;
    const { a2aTaskId, contextId, pauseMessageId } = paused;
    const runId = `${turn.input.runId}-${number}`;
    const own = { turn: number, n: number - 1, runId, opener: 'standfast' as const, messageRunId: null, send };
    return turn.attempt(1, { ...own, a2aTaskId, contextId, pauseMessageId, ...over }).outcome;
  };
  return {
    agent,
    turn,
    async answer(paused, given, over) {
      const hold = await store.holds.get(paused.opened?.[0]?.holdId ?? '');
      if (hold === null) throw new Error('the turn did not open its question');
      return next(paused, answeredBy(hold, given), over);
    },
    say: (paused, text) => next(paused, { kind: 'talk', messageId: `talk-${number}`, text, by: 'local' }),
    executed: async () => (await agent.executions()).map(({ text }) => text),
  };
}

function asPaused(outcome: TurnOutcome): Paused {
  if (outcome.kind !== 'paused') throw new Error(`not paused: ${JSON.stringify(outcome)}`);
  return outcome;
}

const wires: (JsAgentWire & { name: string })[] = [
  { name: 'A2A 1.0 over JSON-RPC', version: '1.0', binding: 'JSONRPC' },
  { name: 'A2A 1.0 over HTTP+JSON', version: '1.0', binding: 'HTTP+JSON' },
  { name: 'A2A 0.3 over JSON-RPC', version: '0.3', binding: 'JSONRPC' },
  { name: 'A2A 0.3 over HTTP+JSON', version: '0.3', binding: 'HTTP+JSON' },
];

const ended = { kind: 'ended', state: 'completed' };

// Promise B9c
describe.each(wires)('an agent that begins a follow-up with a status, over $name,', ({ name: _name, ...wire }) => {
  test('an agent that begins a follow-up with a status executes an answer once; it is not known to be delivered, and is executed again only where that is allowed', async () => {
    const { turn, answer, executed } = await aConversation('survey', { ...wire, statusFirst: true });
    const asked = asPaused(await turn.attempt(1).outcome);
    const first = await answer(asked, 'green');
    expect(first).toMatchObject({ kind: 'delivery-unknown', what: expect.stringContaining('before initial') });
    expect(await executed()).toEqual(['hello', 'green']);
    // As the workflow goes on when an operator has it sent again, who knows that it may act twice.
    expect(await answer(asked, 'green', { turn: 2, isResendAllowed: true })).toMatchObject(ended);
    expect(await executed()).toEqual(['hello', 'green', 'green']);
  });

  test('an agent that begins a follow-up with a status and is noted for it has its answer delivered at once', async () => {
    const { turn, answer, executed } = await aConversation('trip', { ...wire, statusFirst: true });
    await turn.deps.store.agents.markSendsWithout(turn.input.task.agent, 'follow-ups');
    const asked = asPaused(await turn.attempt(1).outcome);
    const next = asPaused(await answer(asked, { days: 9 }));
    expect(next.pauseMessageId).not.toBe(asked.pauseMessageId);
    expect(next.explanation).toContain('Not so long.');
    expect(await executed()).toHaveLength(2);
  });
});

describe('an agent that begins a follow-up with a task', () => {
  // Promise B9c
  test('an agent that begins a follow-up with a task executes each answer once, to the end of its task', async () => {
    const { turn, answer, executed } = await aConversation('survey', {});
    const next = asPaused(await answer(asPaused(await turn.attempt(1).outcome), 'green'));
    expect(await answer(next, 'large')).toMatchObject(ended);
    expect(await executed()).toEqual(['hello', 'green', 'large']);
  });

  test('an agent that begins a follow-up with a task executes once what a person asks it before an answer', async () => {
    const { turn, say, executed } = await aConversation('survey', {});
    expect(asPaused(await say(asPaused(await turn.attempt(1).outcome), 'why?')).explanation).toBe('Which size?');
    expect(await executed()).toEqual(['hello', 'why?']);
  });
});

describe('an agent whose executor still works when its server has answered with an error', () => {
  // Promise B9c
  test('an agent whose executor still works when its server has answered with an error is followed to its next question, and executes the answer once', async () => {
    const { agent, turn, answer, executed } = await aConversation('survey', { statusFirst: true, gated: true });
    const outcome = answer(asPaused(await turn.attempt(1).outcome), 'green');
    await agent.subscribed();
    await agent.go();
    expect(asPaused(await outcome).explanation).toBe('Which size?');
    expect(await executed()).toEqual(['hello', 'green']);
  });
});

describe('an agent that takes an answer without a word', () => {
  // Promise B9c
  test('an agent that takes an answer without a word executes it once, and it is not known to be delivered', async () => {
    const { turn, answer, executed } = await aConversation('mute', { streaming: false });
    const asked = asPaused(await turn.attempt(1).outcome);
    expect(await answer(asked, 'green')).toMatchObject({ kind: 'delivery-unknown' });
    expect(await executed()).toEqual(['hello', 'green']);
  });
});

describe('a message into a working task', () => {
  // Promise B9c
  test.each([
    ['a status', true],
    ['the task', false],
  ])(
    'a message into a working task is executed once by an agent that begins a follow-up with %s',
    async (_name, statusFirst) => {
      const { turn, executed } = await aConversation('listener', { statusFirst });
      const { outcome } = turn.attempt(1);
      const isKnown = async (): Promise<boolean> => (await store.tasks.get(turn.input.task.taskId))?.a2aTaskId !== null;
      await waitFor(isKnown, 5_000, 'the task to be known');
      const { task } = turn.input;
      for (const text of ['louder', 'enough']) {
        const environment = new MockActivityEnvironment({ attempt: 1 }, { logger: new DefaultLogger('ERROR') });
        const say = { messageId: `say-${text}`, text, by: 'local' };
        const input: InjectInput = {
          task,
          runId: `into-${text}`,
          message: say,
          a2aTaskId: null,
          contextId: null,
          waited: { times: 0, since: null },
        };
        await environment.run<[], unknown, () => Promise<unknown>>(() => injectMessage(turn.deps, input));
        const run = await store.runs.get({ ...task, runId: `into-${text}` });
        expect(run?.status).toBe('success');
      }
      expect(await outcome).toMatchObject(ended);
      expect(await executed()).toEqual(['hello', 'louder', 'enough']);
    },
  );
});

describe('an agent that was taken out of the configuration', () => {
  // Promise B9d
  test('an agent that was taken out of the configuration is sent no answer: the turn ends as one without an agent, and the answer is executed once if it is sent after the agent is back', async () => {
    const { turn, answer, executed } = await aConversation('survey', {});
    const asked = asPaused(await turn.attempt(1).outcome);
    const { config } = turn.deps;
    turn.deps.config = { ...config, agents: {} };
    turn.deps.transportOf = () => {
      throw new Error('no agent is to be called');
    };
    const { a2aTaskId } = asked;
    expect(await answer(asked, 'green')).toMatchObject({ kind: 'agent-gone', a2aTaskId });
    const { task } = turn.input;
    const stopped = await stopAgent(
      turn.deps,
      { task, a2aTaskId, reason: 'given up' },
      AbortSignal.timeout(leastBoundMs),
    );
    expect(stopped.state).toBe('unknown');
    turn.deps.config = config;
    turn.deps.transportOf = () => turn.agent.transport;
    expect(asPaused(await answer(asked, 'green')).explanation).toBe('Which size?');
    expect(await executed()).toEqual(['hello', 'green']);
  });
});
