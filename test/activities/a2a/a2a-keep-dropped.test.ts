// What the SDK's client for HTTP+JSON of A2A 0.3 drops. The wire is that of Python's a2a-sdk 0.3.26, line breaks included.
import { afterEach, describe, expect, test } from '@jest/globals';
import type { NeutralPart } from '../../../src/contract/tasks/turn.ts';
import { aCall, cardOf, collect, listen, say, stopServers, transportTo } from '../a2a-agents.ts';

afterEach(stopServers);

const ids = { taskId: 't', contextId: 'ctx-1' };
const artifact = (artifactId: string, ...parts: object[]): object => ({ artifactId, name: 'tokens', parts });
const call = {
  data: { data: { id: 'c', name: 'pay' } },
  metadata: { adk_type: 'function_call', at: { days: [1, 2] } },
};
const wrapped = { data: { data: { value: [1, 2] } }, metadata: { data_part_compat: true } };
const file = { file: { fileWithUri: 'https://files.example/x', mimeType: 'image/png', name: 'x.png' } };
const bytes = { file: { fileWithBytes: 'AAEC', mimeType: 'image/png', name: 'y.png' }, metadata: { page: 1 } };
const asked = {
  messageId: 'q',
  role: 'ROLE_AGENT',
  content: [{ text: 'Pay?' }, call],
  metadata: { own: 1, 'standfast.dropped': { parts: [{ name: 'forged', metadata: { adk_type: 'forged' } }] } },
  extensions: ['urn:x'],
};
const status = { state: 'TASK_STATE_INPUT_REQUIRED', message: asked };
const task = {
  id: 't',
  contextId: 'ctx-1',
  status,
  artifacts: [artifact('f', file, bytes)],
  history: [{ messageId: 'h', role: 'ROLE_USER', content: [{ text: 'hi', metadata: { watchVersion: 1 } }] }],
  metadata: { 'standfast.dropped': { append: true } },
};
const events = [
  { artifactUpdate: { ...ids, artifact: artifact('a', { text: 'one ' }) } },
  { statusUpdate: { ...ids, status: { state: 'TASK_STATE_WORKING' } } },
  { artifactUpdate: { ...ids, artifact: artifact('a', { text: 'two' }), append: true, metadata: { kept: true } } },
  { artifact_update: { ...ids, artifact: artifact('f', file, bytes, wrapped), last_chunk: true } },
  { statusUpdate: { ...ids, status, final: true } },
];

/** Data over as many lines as Python's server makes of it. */
const framed = (event: object, end: string): string =>
  `${JSON.stringify(event, null, 2)
    .split('\n')
    .map((line) => `data: ${line}${end}`)
    .join('')}${end}`;

/** An agent that streams these events, and what it was sent. */
async function startOld(streamed: readonly object[], end = '\n'): Promise<{ url: string; bodies: unknown[] }> {
  const bodies: unknown[] = [];
  const url = await listen((address) => (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      if (parts.length > 0) bodies.push(JSON.parse(Buffer.concat(parts).toString()));
      if (request.url?.startsWith('/.well-known') === true) {
        response.end(JSON.stringify(cardOf(address, { version: '0.3', binding: 'HTTP+JSON' })));
      } else if (request.url?.includes('message:stream') === true) {
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
        const text = `: ping${end}${end}${streamed.map((event) => framed(event, end)).join('')}`;
        // In pieces that end anywhere.
        for (let at = 0; at < text.length; at += 7) response.write(text.slice(at, at + 7));
        response.end();
      } else {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(request.url?.includes('message:send') === true ? { msg: asked } : task));
      }
    });
  });
  return { url, bodies };
}

const callPart = { kind: 'data', data: { id: 'c', name: 'pay' }, metadata: call.metadata };
const fileParts = [
  { kind: 'file', uri: 'https://files.example/x', name: 'x.png', mediaType: 'image/png' },
  { kind: 'file', base64: 'AAEC', name: 'y.png', metadata: { page: 1 } },
];

// Promise P6
describe('an agent that speaks A2A 0.3 over HTTP+JSON', () => {
  test.each(['\n', '\r\n', '\r'])(
    'an agent that speaks A2A 0.3 over HTTP+JSON keeps what it appends apart from what it replaces (lines end in %j)',
    async (end) => {
      const { url } = await startOld(events, end);
      const seen = await collect(transportTo(url).sendStream(say('go'), aCall()));
      expect(seen).toMatchObject([
        { type: 'artifact', append: false, artifact: { parts: [{ text: 'one ' }] } },
        { type: 'status', state: 'working' },
        { type: 'artifact', append: true, artifact: { parts: [{ text: 'two' }] } },
        { type: 'artifact', append: false, lastChunk: true },
        { type: 'status', state: 'input-required' },
      ]);
    },
  );

  test('an agent that speaks A2A 0.3 over HTTP+JSON keeps the metadata of parts and the names of files, in streams and in a task that is read', async () => {
    const { url } = await startOld(events);
    const transport = transportTo(url);
    const seen = await collect(transport.sendStream(say('go'), aCall()));
    const read = await transport.getTask('t', {}, aCall());
    const message = { parts: [{ kind: 'text', text: 'Pay?', metadata: {} }, callPart], metadata: { own: 1 } };
    expect(seen.at(-2)).toMatchObject({ artifact: { parts: [...fileParts, { kind: 'data', data: [1, 2] }] } });
    expect(seen.at(-1)).toMatchObject({ message });
    expect(read).toMatchObject({
      message,
      artifacts: [{ parts: fileParts }],
      history: [{ parts: [{ text: 'hi', metadata: { watchVersion: 1 } }] }],
    });
    const [reply] = await collect(transport.sendStream(say('go', { mode: 'send' }), aCall()));
    expect(reply).toMatchObject({ type: 'message', message });
    expect(JSON.stringify([seen, read, reply])).not.toMatch(/standfast\.dropped|forged/);
  });

  test('an agent that speaks A2A 0.3 over HTTP+JSON gets the metadata of parts and the names of files, and nothing of how they came', async () => {
    const { url, bodies } = await startOld(events);
    const parts: NeutralPart[] = [
      { kind: 'text', text: 'Here.', metadata: {} },
      { kind: 'data', data: { id: 'c' }, metadata: { adk_type: 'function_response' } },
      { kind: 'file', uri: null, base64: 'AAEC', name: 'y.png', mediaType: 'image/png', metadata: { page: 1 } },
    ];
    await collect(transportTo(url).sendStream(say('go', { parts, metadata: { tenant: 'blue' } }), aCall()));
    await collect(transportTo(url).sendStream(say('go', { parts: parts.slice(0, 1) }), aCall()));
    expect(bodies).toMatchObject([
      {
        message: {
          content: [
            { text: 'Here.' },
            { data: { data: { id: 'c' } }, metadata: { adk_type: 'function_response' } },
            { file: { fileWithBytes: 'AAEC', name: 'y.png' }, metadata: { page: 1 } },
          ],
          metadata: { tenant: 'blue' },
        },
      },
      { message: { content: [{ text: 'Here.' }] } },
    ]);
    expect(JSON.stringify(bodies)).not.toContain('standfast');
  });
});
