// A cancellation while the first message is still on its way to the agent.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FoundMessage } from '../../../src/activities/a2a/a2a-find.ts';
import { stopAgent } from '../../../src/activities/tasks/stop-agent.ts';
import type { StopAgentResult } from '../../../src/contract/tasks/activity.ts';
import { messageIdOf } from '../../../src/core/base/ids.ts';
import { sha1Hex } from '../../../src/host/secrets/hash.ts';
import type { Store } from '../../../src/store/store.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { leastBoundMs } from '../../rigs/wait-for.ts';
import { depsOf } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const extendedForMs = 400;

/** An agent whose answers show the message from the one with this number on; null: never. */
async function stop(
  name: string,
  shownFrom: number | null,
  isExtended = false,
): Promise<{ result: StopAgentResult; cancelled: string[]; probes: number; msLeft: number[] }> {
  const taskId = `stop-${name}`;
  const messageId = messageIdOf(sha1Hex, taskId, 1);
  const intent = { messageId, taskId, attempt: 1 };
  await store.intents.put({ ...intent, sendForMs: isExtended ? extendedForMs : 1 });
  const agent = createScriptedAgent(`a2a-${taskId}`);
  const msLeft: number[] = [];
  const findByMessageId = async (): Promise<FoundMessage> => {
    msLeft.push((await store.intents.get(messageId))?.msLeft ?? -1);
    return shownFrom !== null && msLeft.length >= shownFrom ? { found: agent.task() } : { absent: true };
  };
  let isRead = false;
  // Its sender is given more time just after the cancellation has read how much there is.
  const get: Store['intents']['get'] = async (id) => {
    const read = await store.intents.get(id);
    if (isExtended && !isRead) await store.intents.extend({ ...intent, sendForMs: 3 * extendedForMs });
    isRead = true;
    return read;
  };
  const ofStore = { ...store, intents: { ...store.intents, get } };
  const deps = depsOf(ofStore, () => ({ ...agent.transport, findByMessageId }));
  const task = { taskId, agent: 'fake', threadId: taskId, workflowId: 'w', firstExecutionRunId: 'x', owner: 'olga' };
  const result = await stopAgent(deps, { task, a2aTaskId: null, reason: 'enough' }, AbortSignal.timeout(leastBoundMs));
  return { result, cancelled: agent.cancelled, probes: msLeft.length, msLeft };
}

// Promise O3a
test('an agent that never showed the id of a message is not taken to have no task, whatever its list shows', async () => {
  const { result, cancelled } = await stop('mute', null);
  const message = 'it cannot tell which task our message made';
  expect([result, cancelled]).toEqual([{ state: 'unknown', message }, []]);
});

// Promise O3a
test('an agent that shows our message only at a second probe is asked to cancel its task', async () => {
  const { result, cancelled } = await stop('frozen', 2);
  expect([result.state, cancelled]).toEqual(['canceled', ['a2a-stop-frozen']]);
});

test('an agent that has shown ids of messages has no task to cancel once two probes did not show the message', async () => {
  await store.agents.markShowsMessageIds('fake');
  const { result, cancelled, probes } = await stop('absent', null);
  expect([result, cancelled, probes]).toEqual([{ state: 'canceled', message: 'the agent had no task yet' }, [], 2]);
});

// Promise O3a
test('a message whose sender was given more time is probed for when that is over', async () => {
  const { result, cancelled, msLeft } = await stop('extended', 1, true);
  expect([result.state, cancelled]).toEqual(['canceled', ['a2a-stop-extended']]);
  expect(msLeft.every((left) => left <= 0)).toBe(true);
});

test('an agent that cannot be reached takes no slot between two attempts to stop its task', async () => {
  const agent = createScriptedAgent('a2a-stop-gone');
  let asked = 0;
  const cancel = (): Promise<never> => {
    asked += 1;
    return Promise.reject(Object.assign(new Error('fetch failed'), { cause: { code: 'ECONNREFUSED' } }));
  };
  const deps = depsOf(store, () => ({ ...agent.transport, cancel }));
  const task = {
    taskId: 'stop-gone',
    agent: 'fake',
    threadId: 'stop-gone',
    workflowId: 'w',
    firstExecutionRunId: 'x',
    owner: 'olga',
  };
  const stopping = stopAgent(
    deps,
    { task, a2aTaskId: 'a2a-stop-gone', reason: 'enough' },
    AbortSignal.timeout(leastBoundMs),
  );
  await expect(stopping).rejects.toThrow('ECONNREFUSED');
  expect(asked).toBe(1);
});
