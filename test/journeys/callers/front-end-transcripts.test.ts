// Random conversations with the message stores of @ag-ui/client, CopilotKit and assistant-ui, as their packages have them
// (test/rigs/clients/front-ends): whatever becomes of ids and transcripts on the way, the agent gets each new message once.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { isObject, objectsIn, stringOf } from '../../../src/core/base/json.ts';
import { fc, runs } from '../../rigs/properties.ts';
import {
  fresh,
  identified,
  type Ids,
  isPerson,
  reordered,
  type Reply,
  taken,
  type Thread,
} from '../../wire/agui/input/thread-model.ts';

const { STANDFAST_TEST_COPILOTKIT: copilotKit, STANDFAST_TEST_FRONT_ENDS: frontEnds } = process.env;
const hasPackages = copilotKit !== undefined && frontEnds !== undefined;

interface Turn {
  client: 'ag-ui' | 'copilotkit' | 'assistant-ui';
  /** Whether the page is loaded again before it; a page of another client, or of a store without ids, always is. */
  isLoaded: boolean;
  says: string[];
  /** Of what a page has loaded: the thread's, those of a store of its own, or none, which it never sends. */
  ids: Ids;
  /** How many messages of the end of its history are sent; null: all. */
  window: number | null;
  swapped: number | null;
  hasEmpty: boolean;
  reply: Reply;
  /** Whether the run lasts until it restates the thread. */
  isRestated: boolean;
}

const aTurn: fc.Arbitrary<Turn> = fc.record({
  client: fc.constantFrom('ag-ui', 'copilotkit', 'assistant-ui'),
  isLoaded: fc.boolean(),
  says: fc.array(fc.constantFrom('yes', 'continue', 'pay invoice 7', 'stop', 'and the next?'), { maxLength: 2 }),
  ids: fc.constantFrom<Ids>('kept', 'kept', 'empty', 'renamed'),
  window: fc.option(fc.nat(6)),
  swapped: fc.option(fc.nat(8)),
  hasEmpty: fc.boolean(),
  reply: fc.record({
    words: fc.array(fc.constantFrom('Done.', 'I look at it.', 'Paid.', 'Shall I?'), { minLength: 1, maxLength: 3 }),
    callsTool: fc.boolean(),
  }),
  isRestated: fc.boolean(),
});

/** The last words of the agent, and what is shown before them. */
const shownOf = (turn: Turn, history: JsonObject[]): JsonObject[] => {
  const last = history.findLastIndex(({ role }) => role === 'assistant');
  const from = last < 0 ? 0 : Math.min(last, history.length - (turn.window ?? history.length));
  return history.slice(Math.max(0, from));
};

/** What a page has loaded of the thread: cut, in another order, under other ids. */
const loadedOf = (turn: Turn): JsonObject[] =>
  identified(turn.ids === 'renamed' ? turn.ids : 'kept', reordered(shownOf(turn, thread.log), turn.swapped));

/** A transcript on its way: without ids where its front end has none, with an empty message behind it. */
function sentOf({ ids, hasEmpty }: Turn, messages: JsonObject[]): JsonObject[] {
  const empty = hasEmpty ? [{ id: fresh(), role: 'user', content: ' ' }] : [];
  return [...(ids === 'empty' ? identified('empty', messages) : messages), ...empty];
}

/** What the agent says, as a run streams it. */
function eventsOf(message: JsonObject): object[] {
  const messageId = stringOf(message['id']);
  if (message['role'] === 'tool') {
    const { toolCallId, content } = message;
    return [{ type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool' }];
  }
  const calls = objectsIn(message['toolCalls']).flatMap(({ id: toolCallId, function: call }) => [
    {
      type: 'TOOL_CALL_START',
      toolCallId,
      toolCallName: isObject(call) ? call['name'] : '',
      parentMessageId: messageId,
    },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: isObject(call) ? call['arguments'] : '' },
    { type: 'TOOL_CALL_END', toolCallId },
  ]);
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: message['content'] },
    { type: 'TEXT_MESSAGE_END', messageId },
    ...calls,
  ];
}

const BodySchema = z.looseObject({ runId: z.string(), messages: z.array(z.record(z.string(), z.json())) });

let thread: Thread = { log: [], sent: new Set() };
let turn: Turn | null = null;
let got: JsonObject[] = [];

/** Takes a run as Standfast does, but for the agent, whose reply is the turn's. */
const server: Server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.on('end', () => {
    if (turn === null) throw new Error('a run without a turn');
    const { runId, messages } = BodySchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
    const result = taken(thread, sentOf(turn, messages), turn.reply);
    got.push(...result.got);
    const shown = result.thread.log.slice(thread.log.length).filter((message) => !isPerson(message));
    ({ thread } = result);
    // Who drops ids on the way knows no one's.
    const isRestated = turn.ids !== 'empty' && (turn.isRestated || shown.length === 0);
    const restated = isRestated ? [{ type: 'MESSAGES_SNAPSHOT', messages: thread.log }] : [];
    const names = { threadId: 't-1', runId };
    const events = [
      { type: 'RUN_STARTED', ...names },
      ...shown.flatMap(eventsOf),
      ...restated,
      { type: 'RUN_FINISHED', ...names },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  });
});

let clients: ChildProcessByStdio<Writable, Readable, null> | null = null;
let lines: AsyncIterator<string> | null = null;
beforeAll(async () => {
  if (!hasPackages) return;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const program = fileURLToPath(new URL('../../rigs/clients/front-ends/main.js', import.meta.url));
  clients = spawn(process.execPath, [program, url, copilotKit, frontEnds], { stdio: ['pipe', 'pipe', 'inherit'] });
  lines = createInterface({ input: clients.stdout })[Symbol.asyncIterator]();
});
afterAll(async () => {
  clients?.kill();
  await new Promise((done) => server.close(done).closeAllConnections());
});

let count = 0;
/** Has a client play it, to the end of its run. */
async function play(line: { client: string; loaded?: JsonObject[] | null; says?: string[] }): Promise<void> {
  count += 1;
  clients?.stdin.write(`${JSON.stringify({ n: count, ...line })}\n`);
  const { value } = (await lines?.next()) ?? {};
  expect(JSON.parse(String(value))).toEqual({ over: count, fault: null });
}

// Promise G28
(hasPackages ? test : test.skip)(
  'a front end on the packages of AG-UI, CopilotKit or assistant-ui gives the agent each new message once, and nothing old',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aTurn, { minLength: 1, maxLength: 6 }), async (turns) => {
        thread = { log: [], sent: new Set() };
        await play({ client: 'none' });
        let before: Turn | null = null;
        let logged = 0;
        for (const drawn of turns) {
          // assistant-ui starts a run for each message.
          turn = drawn.client === 'assistant-ui' ? { ...drawn, says: drawn.says.slice(0, 1) } : drawn;
          // Its first run has something to say: there is no conversation yet.
          if (before === null && turn.says.length === 0) continue;
          got = [];
          const isOther = before?.client !== turn.client || before.ids === 'empty' || turn.ids === 'empty';
          const loaded = before !== null && (turn.isLoaded || isOther) ? loadedOf(turn) : null;
          await play({ client: turn.client, loaded, says: turn.says });
          expect(got.map(({ content }) => content)).toEqual(turn.says);
          // Nothing of history comes into the log a second time.
          const { words, callsTool } = turn.reply;
          logged += turn.says.length === 0 ? 0 : turn.says.length + words.length + (callsTool ? 1 : 0);
          expect(thread.log).toHaveLength(logged);
          before = turn;
        }
      }),
      { numRuns: runs(300) },
    );
  },
);
