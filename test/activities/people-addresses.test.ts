// Every way of asking, with addresses in all its parts, before an agent that counts the requests it gets.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Message } from '@a2a-js/sdk';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fileReader } from '../../src/activities/a2a/a2a-file.ts';
import { attachmentKeeper } from '../../src/activities/run-log/attachments.ts';
import type { AgentMessage, NeutralPart } from '../../src/contract/tasks/turn.ts';
import type { Store } from '../../src/store/store.ts';
import { decodeMessage } from '../../src/wire/a2a/codec/task-update.ts';
import { readPause } from '../../src/wire/a2a/dialects/registry.ts';
import { openEgress } from '../rigs/open-egress.ts';
import { openTestStore } from '../rigs/store/test-store.ts';

const quiet = (): void => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
let store: Store;
let agent: Server;
let origin: string;
let requested: string[] = [];

beforeAll(async () => {
  store = await openTestStore();
  agent = createServer((request, response) => {
    requested.push(request.url ?? '');
    response.end('granted');
  });
  await new Promise<void>((resolve) => agent.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await store?.close();
  agent?.close();
});

const folder = new URL('../wire/fixtures/', import.meta.url);
const states = ['input-required', 'auth-required'] as const;
const cases = readdirSync(folder).flatMap((dialect) =>
  readdirSync(new URL(`${dialect}/`, folder)).flatMap((file) =>
    states.map((state) => [state, `${dialect}/${file}`] as const),
  ),
);

const file = (uri: string, mediaType: string): NeutralPart => ({
  kind: 'file',
  name: '',
  mediaType,
  uri,
  base64: null,
  metadata: {},
});
const unsaid = [
  '',
  'text/html',
  'Text/HTML; charset=utf-8',
  'application/xhtml+xml',
  'text/uri-list',
  '*/*',
  'image/*',
];

/** The recorded message with all its addresses at the counting agent, and parts that name more of them. */
function messageOf(name: string): AgentMessage {
  const recorded = readFileSync(new URL(name, folder), 'utf8').replaceAll(/https?:\/\/[^/"\s]+/g, origin);
  const wire = (JSON.parse(recorded) as { message?: unknown }).message;
  const event = decodeMessage(Message.fromJSON(wire ?? { messageId: 'm-1', role: 'ROLE_AGENT', parts: [] }));
  if (event.type !== 'message') throw new Error('the fixture is not a message');
  const asked: NeutralPart = {
    kind: 'data',
    data: { url: `${origin}/named-by-data`, title: 'Allow' },
    metadata: {},
  };
  const pages = unsaid.map((mediaType, index) => file(`${origin}/page-${index}`, mediaType));
  const real = file(`${origin}/report.pdf`, 'application/pdf');
  return { ...event.message, messageId: 'm-1', parts: [...event.message.parts, asked, ...pages, real] };
}

let count = 0;
async function requestsOf(state: (typeof states)[number], message: AgentMessage): Promise<string[]> {
  count += 1;
  requested = [];
  const ids = { a2aTaskId: 'x', contextId: 'c' };
  const { questions, explanation } = readPause({ state, message, a2aTaskId: 'x' });
  const linked = questions.flatMap(({ links }) => links.map(({ url }) => file(`${url}#part`, 'application/pdf')));
  const readFrom = fileReader({ allowedOrigins: [origin], egress: openEgress, headers: {} }, (send) => send);
  const task = { taskId: `people-${count}`, agent: 'a' } as never;
  const keeper = attachmentKeeper({ store, log }, { task, turn: 1 }, { readFile: readFrom });
  const parts = [...linked, ...message.parts.filter(({ kind }) => kind === 'file')];
  const artifact = { artifactId: 'art', name: '', description: '', parts, metadata: {} };
  await keeper.keep({ type: 'artifact', ...ids, artifact, append: false, lastChunk: true });
  await keeper.keep({ type: 'status', ...ids, state, message: { ...message, parts: [...message.parts, ...linked] } });
  const paused = { kind: 'paused', ...ids, state, pauseMessageId: 'm-1', explanation, questions } as const;
  await keeper.settle(paused, new AbortController().signal);
  const kept = await store.attachments.current(`people-${count}`, 'm-1');
  expect(kept.filter(({ uri, digest, omitted }) => uri !== null && digest === null && omitted === null)).toEqual([]);
  return [...new Set(requested)];
}

describe('an address that an agent sends with a question', () => {
  test.each(cases)(
    'an address that an agent sends with a question is requested only as a file that the agent names as one, never in auth-required: %s, %s',
    async (state, name) => {
      const files = state === 'auth-required' ? [] : ['/report.pdf'];
      expect(await requestsOf(state, messageOf(name))).toEqual(files);
    },
  );
});
