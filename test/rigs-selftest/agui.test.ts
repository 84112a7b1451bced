import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createRealClient, endOf, follow, interruptsOf, openRun, runAgent, textsOf } from '../rigs/streams/agui.ts';
import { checkIds, checkRun, runProblems } from '../rigs/streams/check-run.ts';
import type { WireEvent } from '../rigs/streams/sse-stream.ts';

const started: WireEvent = { type: 'RUN_STARTED', threadId: 't-1', runId: 'r-1', protocolVersion: '1.0' };
const interrupt = { id: 'hitl-x-1', reason: 'input_required', message: 'Which?', responseSchema: { type: 'object' } };
const asked: WireEvent[] = [
  started,
  { type: 'STATE_SNAPSHOT', snapshot: {} },
  { type: 'TEXT_MESSAGE_START', messageId: 'm-1', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm-1', delta: 'Wh' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm-1', delta: 'ich?' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm-1' },
  { type: 'RUN_FINISHED', threadId: 't-1', runId: 'r-1', outcome: { type: 'interrupt', interrupts: [interrupt] } },
];
const success: WireEvent[] = [started, { type: 'RUN_FINISHED', threadId: 't-1', runId: 'r-1' }];

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((req, res) => serve(req.url ?? '', req.headers['last-event-id'], res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function serve(path: string, lastId: string | string[] | undefined, res: ServerResponse): void {
  if (path === '/problem') {
    res.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"code":"not_found"}');
    return;
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.write(': hello\n\n');
  const events = path === '/success' ? success : asked;
  for (const [index, event] of events.entries()) {
    if (index >= Number(lastId ?? '0')) res.write(`id: ${index + 1}\ndata: ${JSON.stringify(event)}\n\n`);
    if (path === '/cut' && index === 2) return void setTimeout(() => res.destroy(), 20);
  }
  if (path === '/open') return;
  res.end();
}

describe('the raw client', () => {
  test('the raw client reads a run to its end', async () => {
    const run = await runAgent({ url: `${url}/asked`, threadId: 't-1', runId: 'r-1', text: 'hi' });
    expect(run.status).toBe(200);
    expect(run.error).toBeNull();
    checkRun(run.events);
    expect(endOf(run.events)).toBe('interrupt');
    expect(interruptsOf(run.events)).toEqual([interrupt]);
    expect(textsOf(run.events).get('m-1')).toBe('Which?');
  });

  test('the raw client shows a refusal as a problem, and a cut as an error', async () => {
    const refused = await runAgent({ url: `${url}/problem`, threadId: 't-1' });
    expect([refused.status, refused.problem, refused.events]).toEqual([404, { code: 'not_found' }, []]);
    const cut = await runAgent({ url: `${url}/cut`, threadId: 't-1' });
    expect(cut.error?.message).toBe('terminated');
    expect(cut.events.length).toBe(3);
  });

  test('the raw client waits for one event of an open stream', async () => {
    const stream = await openRun({ url: `${url}/open`, threadId: 't-1' });
    await stream.until((event) => event.type === 'RUN_FINISHED', 'the end of the run');
    expect(stream.isOver()).toBe(false);
    stream.close();
    await stream.over(2_000);
    expect(stream.error()).toBeNull();
  });

  test('the raw client follows a thread from the last id it saw', async () => {
    const all = await follow(`${url}/asked`);
    await all.over();
    checkIds(all.frames);
    const rest = await follow(`${url}/asked`, '5');
    await rest.over();
    expect(rest.frames).toEqual(all.frames.slice(5));
  });
});

describe('the real client', () => {
  test('the real client collects every event and keeps the open interrupts', async () => {
    const client = createRealClient(`${url}/asked`, 't-1');
    const run = await client.say('hi', { runId: 'r-1' });
    expect(run.failure).toBeNull();
    expect(run.events.map((event) => event.type)).toEqual(asked.map((event) => event.type));
    expect(client.agent.pendingInterrupts.map((entry) => entry.id)).toEqual(['hitl-x-1']);
    client.agent.url = `${url}/success`;
    await client.resume([{ interruptId: 'hitl-x-1', status: 'resolved', payload: { a: 1 } }]);
    expect(client.agent.pendingInterrupts).toEqual([]);
  });
});

describe('checkRun', () => {
  test.each<[string, WireEvent[], RegExp]>([
    ['no start', asked.slice(1), /first event is not RUN_STARTED/],
    ['no end', asked.slice(0, -1), /0 terminal events/],
    ['an end twice', [...success, ...success.slice(1)], /2 terminal events/],
    ['an open message', [...asked.slice(0, 5), ...asked.slice(6)], /RUN_FINISHED with open text m-1/],
    ['content of nothing', [started, ...asked.slice(3, 4), ...success.slice(1)], /of a text m-1 not open/],
    [
      'a malformed event',
      [started, { type: 'STATE_DELTA', delta: 'x' }, ...success.slice(1)],
      /does not fit its schema/,
    ],
    ['an unknown event', [started, { type: 'BOGUS' }, ...success.slice(1)], /does not fit its schema/],
  ])('checkRun refuses %s', (_what, events, problem) => {
    expect(runProblems(events).join('\n')).toMatch(problem);
  });

  test('checkRun refuses ids with a gap', () => {
    const frames = success.map((event, index) => ({ id: `t:${index * 2 + 1}`, event }));
    expect(() => checkIds(frames)).toThrow('expected …:2');
  });
});
