// What an agent attaches to its questions, as a turn keeps it; files that lie at an agent by real requests.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openEgress } from '../rigs/open-egress.ts';
import { fileReader } from '../../src/activities/a2a/a2a-file.ts';
import { attachmentKeeper, maxAttachmentBytes } from '../../src/activities/run-log/attachments.ts';
import type { NeutralPart, TurnEvent, TurnOutcome } from '../../src/contract/tasks/turn.ts';
import type { Store } from '../../src/store/store.ts';
import { openTestStore } from '../rigs/store/test-store.ts';

let store: Store;
let server: Server;
let origin: string;
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

beforeAll(async () => {
  store = await openTestStore();
  server = createServer((request, response) => {
    if (request.url === '/gone') response.writeHead(404).end();
    else if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end();
    else if (request.url === '/big') response.end(Buffer.alloc(maxAttachmentBytes + 1));
    else
      response
        .writeHead(200, { 'content-type': 'text/csv; charset=utf-8' })
        .end(`a,b,${String(request.headers['x-key'])}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await store?.close();
  server?.close();
});

let count = 0;
async function kept(parts: NeutralPart[]) {
  count += 1;
  const taskId = `t-${count}`;
  const readFile = fileReader(
    { allowedOrigins: [origin], egress: openEgress, headers: { 'x-key': 'k' } },
    (send) => send,
  );
  const keeper = attachmentKeeper({ store, log }, { task: { taskId, agent: 'a' } as never, turn: 1 }, { readFile });
  const message = { messageId: 'm', role: 'agent' as const, parts, metadata: {}, extensions: [] };
  const event: TurnEvent = { type: 'status', a2aTaskId: 'x', contextId: 'c', state: 'input-required', message };
  await keeper.keep(event);
  const outcome = {
    kind: 'paused',
    state: 'input-required',
    pauseMessageId: 'm',
    questions: [],
  } as unknown as TurnOutcome;
  const { lost } = await keeper.settle(outcome, new AbortController().signal);
  const [first] = await store.attachments.current(taskId, 'm');
  return { first, lost, bytes: await store.attachments.bytes(taskId, first?.id ?? '') };
}
const at = (uri: string, mediaType = 'text/csv'): NeutralPart => ({
  kind: 'file',
  name: 'f',
  mediaType,
  uri,
  base64: null,
  metadata: {},
});

// Promise B37
test('a screen that an agent draws as it asks lies next to the question, as data under its name', async () => {
  const draws = { createSurface: { surfaceId: 'booking', catalogId: 'https://example.org/catalog' } };
  const { first } = await kept([{ kind: 'data', data: draws, metadata: {} }]);
  expect(first).toMatchObject({ source: 'question', name: 'screen booking', data: draws });
});

describe('a file that lies at its agent', () => {
  // Promise C7
  test('a file that lies at its agent is fetched with the agent’s own headers before the question is asked, and kept', async () => {
    const { first, bytes } = await kept([at(`${origin}/ok`)]);
    expect(first).toMatchObject({
      mediaType: 'text/csv',
      size: 5,
      omitted: null,
      digest: expect.stringMatching(/^sha256:/),
    });
    expect(Buffer.from(bytes ?? []).toString()).toBe('a,b,k');
  });

  // Promise C7
  test.each([
    ['/gone', 'unavailable'],
    ['/away', 'elsewhere'],
    ['/big', 'too_large'],
  ])('a file at %s is not kept: %s', async (path, omitted) => {
    const { first, bytes, lost } = await kept([at(`${origin}${path}`)]);
    expect(lost).toEqual([]);
    expect(first).toMatchObject({ omitted, digest: null, uri: `${origin}${path}` });
    expect(bytes).toBeNull();
  });

  // Promise C7
  test.each([['http://169.254.169.254/latest'], ['https://elsewhere.example/x']])(
    'a file at %s is never asked for',
    async (uri) => {
      expect((await kept([at(uri)])).first).toMatchObject({ omitted: 'elsewhere', digest: null });
    },
  );

  test.each([['file:///etc/passwd'], ['data:text/html,x']])('a file at %s has no address to show', async (uri) => {
    expect((await kept([at(uri)])).first).toMatchObject({ omitted: 'unavailable', uri: null });
  });
});

describe('a file in the message', () => {
  // Promise C8
  test('a file in the message of 20 MB is announced by name and size, and not kept', async () => {
    const base64 = Buffer.alloc(20 * 1024 * 1024).toString('base64');
    const { first, bytes, lost } = await kept([{ ...at(''), uri: null, base64 } as NeutralPart]);
    expect(lost).toEqual(['f']);
    expect(first).toMatchObject({ name: 'f', size: 20 * 1024 * 1024, omitted: 'too_large' });
    expect(bytes).toBeNull();
  });
});

describe('data in the message', () => {
  // Promise Y15d
  test('a message with more files than are kept has one entry for the others, which says that they are not here', async () => {
    const files = Array.from({ length: 60 }, (_, n) => ({
      kind: 'file' as const,
      name: `f-${n}`,
      mediaType: 'text/plain',
      uri: null,
      base64: Buffer.from(`${n}`).toString('base64'),
      metadata: {},
    }));
    expect((await kept(files)).lost).toEqual(['11 more files']);
    const all = await store.attachments.current(`t-${count}`, 'm');
    expect(all).toHaveLength(50);
    expect(all.filter(({ omitted }) => omitted !== null)).toMatchObject([
      { name: '11 more files', omitted: 'too_large' },
    ]);
  });

  test('data in the message is shown as such when it is small, and a file when it is large', async () => {
    const data = (value: object): NeutralPart => ({
      kind: 'data',
      data: { value: JSON.stringify(value) },
      metadata: {},
    });
    expect((await kept([data({ n: 1 })])).first).toMatchObject({ data: { value: '{"n":1}' } });
    const large = (await kept([data({ text: 'x'.repeat(40_000) })])).first;
    expect(large).toMatchObject({ mediaType: 'application/json', omitted: null });
    expect(large).not.toHaveProperty('data');
  });

  test('data in the message that a dialect reads is not shown to people as data', async () => {
    const form: NeutralPart = { kind: 'data', data: { type: 'a2a.hitl.form' }, metadata: {}, isOfDialect: true };
    expect((await kept([form])).first).toBeUndefined();
  });
});
