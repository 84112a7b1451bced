import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createA2aTransport } from '../../../src/activities/a2a/a2a-transport.ts';
import { createHistoryReader, maxHistoryBytes } from '../../../src/activities/a2a/read-history.ts';
import { openEgress } from '../../rigs/open-egress.ts';
import { leastBoundMs } from '../../rigs/wait-for.ts';
import { AgentConfigSchema } from '../../../src/contract/configuration/agent-config.ts';
import type { AgentHistoryResult } from '../../../src/contract/tasks/turn.ts';
import {
  type AgentOptions,
  aCall,
  collect,
  idOf,
  say,
  startAgent,
  startBroken,
  stopServer,
  stopServers,
  transportTo,
} from '../a2a-agents.ts';

// The SDK's server writes every refusal to the console.
beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(stopServers);

const readAt = (url: string, a2aTaskId: string, withinMs = leastBoundMs): Promise<AgentHistoryResult> => {
  const config = AgentConfigSchema.parse({ url });
  const transport = createA2aTransport({ agent: 'test', config, egress: openEgress, maxBytes: maxHistoryBytes });
  return createHistoryReader(() => transport)('test', a2aTaskId, AbortSignal.timeout(withinMs));
};

const everyWire: AgentOptions[] = [
  { version: '1.0', binding: 'JSONRPC' },
  { version: '1.0', binding: 'HTTP+JSON' },
  { version: '0.3', binding: 'JSONRPC' },
  { version: '0.3', binding: 'HTTP+JSON' },
];

test.each(everyWire)(
  'an agent speaking A2A $version over $binding returns the messages of its task',
  async (options) => {
    const url = await startAgent(options);
    const asked = await collect(transportTo(url).sendStream(say('ask'), aCall()));
    const a2aTaskId = idOf(asked[0]);
    expect(await readAt(url, a2aTaskId)).toEqual({
      result: 'read',
      messages: [
        { messageId: 'mine-ask', role: 'user', text: 'ask', files: [], hasData: false },
        { messageId: `${a2aTaskId}-q`, role: 'agent', text: '', files: [], hasData: true },
      ],
    });
  },
);

test('an agent that has forgotten its task, or is not configured any more, does not tell', async () => {
  expect(await readAt(await startAgent(), 'no-such-task')).toMatchObject({ result: 'not-shared' });
  const gone = createHistoryReader(() => {
    throw new Error('not in the configuration');
  });
  expect(await gone('gone', 't', AbortSignal.timeout(leastBoundMs))).toMatchObject({ result: 'not-shared' });
});

test('an agent that cannot be reached is away', async () => {
  const url = await startAgent();
  await stopServer(url);
  expect(await readAt(url, 't')).toMatchObject({ result: 'away' });
});

/** An agent that answers every request for a task with this. */
const answering = (answer: object | string, status = 200): Promise<string> =>
  startBroken((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify({ jsonrpc: '2.0', id: 1, result: answer }));
  });
const taskWith = (history: unknown, more: object = {}): object => ({
  id: 't',
  contextId: 'c',
  status: { state: 'TASK_STATE_WORKING' },
  history,
  ...more,
});
const message = (
  messageId: string,
  parts: object[] = [{ text: `said ${messageId}` }],
  role = 'ROLE_AGENT',
): object => ({
  messageId,
  role,
  parts,
});

describe('of what an agent sends', () => {
  // Promise Q46
  test('the newest two hundred messages are read, though it was asked for no more', async () => {
    const many = Array.from({ length: 30_000 }, (_, index) => message(`m${index}`));
    const history = await readAt(await answering(taskWith(many)), 't');
    const messages = history.result === 'read' ? history.messages : [];
    expect(messages).toHaveLength(200);
    expect(messages.at(-1)?.text).toBe('said m29999');
  });

  test('words beyond a quarter of a million letters are left out, oldest first', async () => {
    const long = Array.from({ length: 10 }, (_, index) => message(`m${index}`, [{ text: `${index}`.repeat(60_000) }]));
    const history = await readAt(await answering(taskWith(long)), 't');
    const messages = history.result === 'read' ? history.messages : [];
    expect(messages.map(({ messageId, text }) => [messageId, text.length])).toEqual(
      [5, 6, 7, 8, 9].map((n) => [`m${n}`, 50_000]),
    );
  });

  test('reasoning and data stay out of the text, and files get addresses that people can open', async () => {
    const parts = [
      { text: 'thinking', metadata: { adk_thought: true } },
      { text: 'Here it is' },
      { data: { password: 'canary' } },
      { url: 'https://files.example/a.pdf', filename: 'a.pdf', mediaType: 'application/pdf' },
      { url: 'file:///etc/passwd', filename: 'b' },
      { raw: 'AAAA', filename: 'c', mediaType: 'image/png' },
    ];
    const history = await readAt(await answering(taskWith([message('m', parts)])), 't');
    expect(history).toEqual({
      result: 'read',
      messages: [
        {
          messageId: 'm',
          role: 'agent',
          text: 'Here it is',
          files: [
            { name: 'a.pdf', mediaType: 'application/pdf', url: 'https://files.example/a.pdf' },
            { name: 'b', mediaType: '', url: null },
            { name: 'c', mediaType: 'image/png', url: null },
          ],
          hasData: true,
        },
      ],
    });
  });

  test('messages that are none are left out, and the task’s last word is there once', async () => {
    const last = message('last');
    const odd = [7, 'x', {}, { messageId: 'x'.repeat(500), parts: [{ text: 'y' }] }, message('good'), { parts: 3 }];
    const withWord = (history: unknown[]): object =>
      taskWith(history, { status: { state: 'TASK_STATE_INPUT_REQUIRED', message: last } });
    for (const history of [odd, [...odd, last]]) {
      const read = await readAt(await answering(withWord(history)), 't');
      const texts = read.result === 'read' ? read.messages.map(({ text }) => text).filter((text) => text !== '') : [];
      // One whose id cannot be used is returned without it.
      expect(texts).toEqual(['y', 'said good', 'said last']);
    }
  });

  test.each<[string, object | string]>([
    ['another task', taskWith([message('m')], { id: 'other' })],
    ['no history', taskWith([])],
    ['a history that is not a list', taskWith('x')],
    ['nothing', {}],
    ['a history with a hole in it', taskWith([message('m'), null])],
    ['no JSON', 'hello'],
    ['a list', '[]'],
    ['30 MiB', taskWith([message('m', [{ text: 'x'.repeat(30 * 1024 * 1024) }])])],
    ['100,000 messages', taskWith(Array.from({ length: 100_000 }, (_, index) => message(`m${index}`)))],
  ])('an answer with %s is not returned', async (_what, answer) => {
    expect((await readAt(await answering(answer), 't')).result).toBe('not-shared');
  });

  test.each([500, 503, 429, 401])('a status %i is a fault of the moment', async (status) => {
    expect(await readAt(await answering('no', status), 't')).toMatchObject({ result: 'away' });
  });

  test('an answer that never comes, or never ends, is given up in time', async () => {
    const open: ServerResponse[] = [];
    const silent = await startBroken((_request, response) => void open.push(response));
    const endless = await startBroken((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    for (const url of [silent, endless]) {
      expect(await readAt(url, 't', 300)).toMatchObject({ result: 'away' });
    }
    for (const response of open) response.destroy();
  });
});
