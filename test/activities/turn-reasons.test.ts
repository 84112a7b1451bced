// An agent's reason for a failure reaches whoever has to do with it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { text } from 'node:stream/consumers';
import type { TurnOutcome } from '../../src/contract/tasks/turn.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createScriptedAgent } from '../rigs/agents/scripted-agent.ts';
import { type AgentOptions, cardOf, listen, stopServers, transportTo } from './a2a-agents.ts';
import { aTurn } from './turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());
afterEach(stopServers);

const task = (id: string, state: string): object => ({ id, contextId: 'c', status: { state } });
const failed = { statusUpdate: { taskId: 'silent', contextId: 'c', status: { state: 'TASK_STATE_FAILED' } } };
const boom = { error: { code: -32603, message: 'the till is empty' } };

/** The first turn with an agent that streams this to it, and whose task then stands as failed. */
async function turnWith(streamed: object[], card: AgentOptions = {}): Promise<TurnOutcome> {
  const url = await listen((address) => async (request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify(cardOf(address, card)));
    const { id, method } = JSON.parse(await text(request)) as { id: number; method: string };
    const answer = (result: object): string => JSON.stringify({ jsonrpc: '2.0', id, ...result });
    if (!/stream/i.test(method)) return response.end(answer({ result: task('broken', 'TASK_STATE_FAILED') }));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(streamed.map((result) => `data: ${answer(result)}\n\n`).join(''));
  });
  const turn = await aTurn(store, createScriptedAgent('reasons'));
  turn.deps.transportOf = () => transportTo(url);
  // Enough for a busy machine to be answered in.
  turn.deps.timing = { ...turn.deps.timing, sendForMs: 8_000 };
  return turn.attempt(1).outcome;
}

describe('a task that fails without a word', () => {
  const ended = { kind: 'ended', state: 'failed' };

  test('is reported with the error that its stream broke off with', async () => {
    const outcome = await turnWith([{ result: { task: task('broken', 'TASK_STATE_SUBMITTED') } }, boom]);
    expect(outcome).toMatchObject({ ...ended, message: 'the agent answered: the till is empty' });
  });

  test('is reported as one whose agent gave no reason', async () => {
    const outcome = await turnWith([{ result: { task: task('silent', 'TASK_STATE_SUBMITTED') } }, { result: failed }]);
    expect(outcome).toMatchObject({ ...ended, message: 'the agent did not say why' });
  });
});

test('an unconfirmed message comes with what the agent answered to it', async () => {
  const outcome = await turnWith([boom], { version: '0.3' });
  expect(outcome).toMatchObject({
    kind: 'delivery-unknown',
    what: 'the agent answered: the till is empty; this agent cannot list its tasks',
  });
});
