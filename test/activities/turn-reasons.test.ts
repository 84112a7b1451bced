// An agent's reason for a failure reaches those who need it.
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
interface SentMessage {
  id: number;
  method: string;
  params: { message: { taskId: string } };
}
const boom = { error: { code: -32603, message: 'the till is empty' } };

/** The first turn with an agent that streams this to it, and whose task is failed then. */
async function turnWith(
  streamed: object[],
  card: AgentOptions = {},
  state = 'TASK_STATE_FAILED',
): Promise<TurnOutcome> {
  const url = await listen((address) => async (request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify(cardOf(address, card)));
    const { id, method } = JSON.parse(await text(request)) as { id: number; method: string };
    const answer = (result: object): string => JSON.stringify({ jsonrpc: '2.0', id, ...result });
    const read = state === 'TASK_STATE_FAILED' ? task('broken', state) : task('begun', state);
    if (!/stream/i.test(method)) return response.end(answer({ result: read }));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(streamed.map((result) => `data: ${answer(result)}\n\n`).join(''));
  });
  const turn = await aTurn(store, createScriptedAgent('reasons'));
  turn.deps.transportOf = () => transportTo(url);
  // Enough for a busy machine to be answered in.
  turn.deps.timing = { ...turn.deps.timing, sendForMs: 8_000, reportedErrorMs: 300 };
  return turn.attempt(1).outcome;
}

describe('a task that fails without a word', () => {
  const ended = { kind: 'ended', state: 'failed' };

  // Promise P8
  test('a task that fails without a word is reported with the error that its stream broke off with', async () => {
    const outcome = await turnWith([{ result: { task: task('broken', 'TASK_STATE_SUBMITTED') } }, boom]);
    expect(outcome).toMatchObject({ ...ended, message: 'the agent answered: the till is empty' });
  });

  test('a task that fails without a word is reported as one whose agent gave no reason', async () => {
    const outcome = await turnWith([{ result: { task: task('silent', 'TASK_STATE_SUBMITTED') } }, { result: failed }]);
    expect(outcome).toMatchObject({ ...ended, message: 'the agent did not say why' });
  });
});

// Promise P8
test.each(['1.0', '0.3'] as const)(
  'a first message that its agent answers by an error of its own ends with its words (%s)',
  async (version) => {
    const outcome = await turnWith([boom], { version });
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'agent_failed',
      message: 'the agent answered: the till is empty',
    });
  },
);

test('a task that its agent began and then failed by an error ends with its words, though it is read as begun', async () => {
  const outcome = await turnWith(
    [{ result: { task: task('begun', 'TASK_STATE_SUBMITTED') } }, boom],
    {},
    'TASK_STATE_SUBMITTED',
  );
  expect(outcome).toMatchObject({
    kind: 'failed',
    code: 'agent_failed',
    a2aTaskId: 'begun',
    message: 'the agent answered: the till is empty',
  });
});

test.each([400, 404, 410])(
  'an address that never had a card ends the first message with the agent’s own status: %s',
  async (status) => {
    const url = await listen(() => (_request, response) => response.writeHead(status).end('no card here'));
    const turn = await aTurn(store, createScriptedAgent('reasons'));
    turn.deps.transportOf = () => transportTo(url);
    const outcome = await turn.attempt(1).outcome;
    expect(outcome).toMatchObject({
      kind: 'failed',
      message: `the agent card cannot be read: the agent answered HTTP ${status}`,
    });
  },
);

test.each([400, 404, 410])(
  'an answer reaches its task though the agent’s card is answered with %s at first, as by a proxy that starts',
  async (status) => {
    let away = 3;
    const a2aTaskId = `asked-${status}`;
    const sent: string[] = [];
    const url = await listen((address) => async (request, response) => {
      if (request.method === 'GET' && away > 0) {
        away -= 1;
        return response.writeHead(status).end('no card here');
      }
      if (request.method === 'GET') return response.end(JSON.stringify(cardOf(address)));
      const { id, method, params } = JSON.parse(await text(request)) as SentMessage;
      const done = task(a2aTaskId, 'TASK_STATE_COMPLETED');
      if (method !== 'SendStreamingMessage') return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: done }));
      sent.push(params.message.taskId);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { task: done } })}\n\n`);
    });
    const turn = await aTurn(store, createScriptedAgent('reasons'));
    // Of a process that has just started, and has read no card.
    turn.deps.transportOf = () => transportTo(url);
    const answer = { kind: 'talk' as const, messageId: 'talk-1', text: 'Green.', by: 'user:ana' };
    const { outcome } = turn.attempt(1, {
      turn: 2,
      a2aTaskId,
      contextId: 'c',
      pauseMessageId: 'p',
      send: answer,
    });
    expect(await outcome).toMatchObject({ kind: 'ended', state: 'completed', a2aTaskId });
    expect(sent).toEqual([a2aTaskId]);
  },
);
