// Agents whose questions all have one message id: what is asked again, and what is only seen again.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { A2aTransport } from '../../src/activities/a2a/a2a-transport.ts';
import type { TaskSnapshot } from '../../src/activities/a2a/a2a-find.ts';
import type { A2aState, TurnEvent, TurnOutcome } from '../../src/contract/tasks/turn.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createScriptedAgent } from '../rigs/agents/scripted-agent.ts';
import { aTurn } from './turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const stalePauseMs = 300;
let tasks = 0;

interface Scene {
  asked: TaskSnapshot;
  status(state: A2aState, isAsked?: boolean): TurnEvent;
}

/** What the turn that answers "Which one?" comes to, with an agent that speaks like this, and after how long. */
async function answered(
  play: (scene: Scene) => Partial<A2aTransport>,
): Promise<{ outcome: TurnOutcome; afterMs: number }> {
  tasks += 1;
  const agent = createScriptedAgent(`again-${tasks}`);
  agent.state('input-required', 'Which one?');
  const asked = agent.task();
  const { a2aTaskId, contextId, message } = asked;
  const turn = await aTurn(store, agent);
  turn.deps.timing = { ...turn.deps.timing, stalePauseMs, parkAfterMs: 2_000 };
  const transport: A2aTransport = {
    ...agent.transport,
    getTask: () => Promise.resolve(asked),
    ...play({
      asked,
      status: (state, isAsked = false) => ({
        type: 'status',
        a2aTaskId,
        contextId,
        state,
        message: isAsked ? message : null,
      }),
    }),
  };
  turn.deps.transportOf = () => transport;
  const send = { kind: 'talk' as const, messageId: 'talk-1', text: 'This one.', by: 'user:ana' };
  const startedMs = performance.now();
  const outcome = await turn.attempt(1, {
    turn: 2,
    a2aTaskId,
    contextId,
    pauseMessageId: message?.messageId ?? null,
    send,
  }).outcome;
  return { outcome, afterMs: performance.now() - startedMs };
}

const streaming = (events: TurnEvent[]): Pick<A2aTransport, 'sendStream'> => ({
  async *sendStream() {
    yield* events;
  },
});

describe('a question under the id of the one that was answered', () => {
  // Promise P7
  test('a question under the id of the one that was answered is a new one when the agent says it after something else', async () => {
    const { outcome } = await answered(({ status }) => streaming([status('working'), status('input-required', true)]));
    expect(outcome).toMatchObject({ kind: 'paused', explanation: 'Which one?' });
  });

  // Promise P7
  test('a question under the id of the one that was answered is a new one when it is open for a while after all that the agent had to say to the answer', async () => {
    const { outcome, afterMs } = await answered(({ status }) => streaming([status('input-required', true)]));
    expect(outcome).toMatchObject({ kind: 'paused', explanation: 'Which one?' });
    expect(afterMs).toBeGreaterThanOrEqual(stalePauseMs);
  });

  test('a question under the id of the one that was answered is a new one when it is open for a while after the agent was seen at work', async () => {
    const { outcome, afterMs } = await answered(({ asked }) => {
      const working: TaskSnapshot = { ...asked, state: 'working', message: null };
      let probes = 0;
      return {
        ...streaming([asked]),
        supportsStreaming: () => Promise.resolve(false),
        getTask: () => Promise.resolve((probes += 1) < 3 ? working : asked),
      };
    });
    expect(outcome).toMatchObject({ kind: 'paused', explanation: 'Which one?' });
    expect(afterMs).toBeGreaterThanOrEqual(stalePauseMs);
  });

  // Promise P7
  test('a question under the id of the one that was answered is the old one while the answer is still to be taken up', async () => {
    const { outcome } = await answered(({ asked }) => ({
      ...streaming([asked]),
      supportsStreaming: () => Promise.resolve(false),
    }));
    expect(outcome).toMatchObject({ kind: 'waiting' });
  });

  test('a question under the id of the one that was answered is the old one when a task lags behind its stream for a moment', async () => {
    const { outcome } = await answered(({ asked, status }) => {
      let probes = 0;
      const done: TaskSnapshot = { ...asked, state: 'completed', message: null };
      return {
        ...streaming([asked, status('working')]),
        getTask: () => Promise.resolve((probes += 1) < 2 ? asked : done),
      };
    });
    expect(outcome).toMatchObject({ kind: 'ended', state: 'completed' });
  });
});
