// Every route of the published description × ten principals, over real HTTP: a route without a row fails this file.
import { aPushSubscription } from '../rigs/surfaces/fake-push.ts';
import { softPasskey } from '../rigs/surfaces/soft-passkey.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigSchema } from '../../src/contract/configuration/config.ts';
import { artifactDigest } from '../../src/core/consent/question-digest.ts';
import { createCodecKeys } from '../../src/host/secrets/codec-keys.ts';
import { fingerprintOf, sha256Of, sha256OfText } from '../../src/host/secrets/hash.ts';
import type { HoldRow, TaskRow } from '../../src/store/store.ts';
import { aHold, aQuestion, aTask, finished, freshThread, keyConfig, keys, runBody, takeEverything } from './rig.ts';
import { describeApi } from './describe-api.ts';
import { endRun, keepSnapshot } from '../rigs/store/store-writes.ts';

const more = {
  old: 'a-key-that-has-expired-long-ago-0001',
  bot: 'the-bot-has-a-key-of-its-own-00001',
  shop: 'the-shop-has-a-key-of-its-own-0001',
};
const key = (value: string): Record<string, string> => ({ authorization: `Bearer ${value}` });

/** In the order of the letters below. */
const principals: [string, Record<string, string>][] = [
  ['nobody', {}],
  ['a wrong key', key('nobody-has-this-key-0123456789abcdef')],
  ['a key that has expired', key(more.old)],
  ['a stranger', key(keys.ben)],
  ['the requester', key(keys.anna)],
  ['who is asked', key(keys.fin)],
  ['an operator', key(keys.op)],
  ['an agent whose role is asked', key(more.bot)],
  ['a back end alone', key(more.shop)],
  ['a back end for the requester', { ...key(more.shop), 'holdpoint-on-behalf-of': 'anna' }],
];

interface Place {
  task: TaskRow;
  hold: HoldRow;
}
interface Row {
  route: string;
  /** Whether one question of anna's does for all principals: what is asked names none. */
  isAboutNone?: boolean;
  /** A letter each: `-` not known (401), `x` kept out (403, or 404 where nothing is to be seen), `o` let in. */
  who: string;
  path: (at: Place) => string;
  body?: (at: Place) => unknown;
}

const hold = (rest: string, who: string, body?: Row['body']): Row => {
  const [method = '', below = ''] = rest.split(' ');
  return {
    route: `${method} /api/holds/{id}${below}`,
    who,
    path: (at) => `/api/holds/${at.hold.holdId}${below.replaceAll(/\{\w+\}/g, 'a1')}`,
    ...(body && { body }),
  };
};
const task = (rest: string, who: string, body?: Row['body']): Row => {
  const [method = '', below = ''] = rest.split(' ');
  return {
    route: `${method} /api/tasks/{id}${below}`,
    who,
    path: (at) => `/api/tasks/${at.task.taskId}${below.replaceAll(/\{\w+\}/g, 'a1')}`,
    ...(body && { body }),
  };
};
const plain = (route: string, who: string, body?: Row['body']): Row => ({
  route,
  who,
  isAboutNone: true,
  path: () => route.split(' ')[1] ?? '',
  ...(body && { body }),
});
const agent = (route: string, who: string, body?: Row['body']): Row => ({
  route,
  who,
  path: (at) =>
    (route.split(' ')[1] ?? '')
      .replace('{agent}', 'expenses')
      .replace('{threadId}', at.task.threadId)
      .replace(/\/events$/, '/events?follow=false'),
  ...(body && { body }),
});

const values = { city: 'Rome' };
const answer = { status: 'resolved', values };
const read = { messages: [], forwardedProps: { a2a: { subscribeOnly: true } } };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const [everybody, known, operators] = ['oooooooooo', '---ooooooo', '---xxxoxxx'];
/** Of a task's question: who opened the thread, who is asked, and operators. Of the thread: not those who are asked. */
/** Who may see it; an agent sees what its role is asked, and takes back what it never gave. */
const seers = '---xooooxo';
const [involved, owners, movers, deciders] = ['---xoooxxo', '---xoxoxxo', '---xxooxxx', '---xxooxxx'];
const aRegistration = { name: 'A phone', registration: softPasskey('https://a.example').create({ challenge: 'none' }) };
const longMessage = {
  digest: sha256OfText('to the end'),
  bytes: 10,
  mediaType: 'text/plain',
  text: 'to the end',
} as const;
const table: Row[] = [
  plain('GET /healthz', everybody),
  plain('GET /.well-known/jwks.json', everybody),
  plain('GET /readyz', everybody),
  plain('GET /readyz/reads', everybody),
  plain('GET /readyz/runs', everybody),
  plain('GET /readyz/writes', everybody),
  plain('POST /api/login', everybody, () => ({ key: keys.anna })),
  plain('POST /api/logout', everybody),
  plain('GET /agents', known),
  agent('GET /agents/{agent}/capabilities', known),
  // Thread ids are a space of each caller's own: to others it is a new thread.
  agent('POST /agents/{agent}/run', known, ({ task: { threadId } }) => runBody(threadId, 'r9', read)),
  {
    route: 'GET /agents/{agent}/run',
    who: known,
    path: ({ task: { threadId } }) => `/agents/expenses/run?threadId=${threadId}`,
  },
  agent('GET /agents/{agent}/threads/{threadId}/events', owners),
  // Known by the agent's own token alone.
  agent('POST /agents/{agent}/push', '----------', ({ task: { a2aTaskId } }) => ({ taskId: a2aTaskId })),
  plain('POST /mcp', known, () => initialize),
  // Ids are a space of each caller's own: to others nothing was asked.
  ...['POST', 'GET', 'DELETE'].map((method) => plain(`${method} /api/ask`, known)),
  plain('GET /api/me/preferences', known),
  plain('GET /api/me/passkeys', known),
  plain('POST /api/me/passkeys/options', '---xxxxxxx'),
  plain('POST /api/me/passkeys', '---xxxxxxx', () => aRegistration),
  plain('POST /api/me/passkeys/names', '---xxxxxxx', () => ({ id: 'none', name: 'x' })),
  plain('POST /api/me/passkeys/removals/options', '---xxxxxxx', () => ({ id: 'none' })),
  plain('POST /api/me/passkeys/removals', '---xxxxxxx', () => ({ id: 'none' })),
  plain('GET /api/passkeys', operators),
  plain('POST /api/passkeys/revocations', operators, () => ({ user: 'fin', id: 'none' })),
  plain('PUT /api/me/preferences', '---ooooxxx', () => ({})),
  plain('GET /api/push', known),
  // Without a channel of type push there is nothing to subscribe to, and nothing is decided there.
  plain('POST /api/push/devices', '---xxxxxxx', () => ({ subscription: aPushSubscription })),
  { ...plain('DELETE /api/push/devices/{id}', '---xxxxxxx'), path: () => '/api/push/devices/none' },
  {
    route: 'POST /api/push/holds/{id}/decision',
    who: '---xxxxxxx',
    path: (at) => `/api/push/holds/${at.hold.holdId}/decision`,
    body: ({ hold: { digest } }) => ({ choice: 'yes', digest }),
  },
  plain('GET /metrics', operators),
  plain('POST /codec/decode', operators, () => ({ payloads: [] })),
  plain('POST /codec/encode', operators, () => ({ payloads: [] })),
  plain('GET /api/me', known),
  plain('GET /api/tasks', known),
  plain('GET /api/holds', known),
  plain('GET /api/holds.csv', known),
  plain('GET /api/inbox/count', known),
  plain('GET /api/inbox/events', known),
  plain('GET /api/inbox/rows', known),
  plain('GET /api/login/methods', everybody),
  ...['agents', 'policies', 'overview', 'rules'].map((name) => plain(`GET /api/${name}`, operators)),
  hold('GET ', seers),
  hold('GET /artifacts/{artifactId}', seers),
  {
    route: 'GET /api/holds/{id}/content/{digest}',
    who: seers,
    path: ({ hold: { holdId } }) => `/api/holds/${holdId}/content/${longMessage.digest}`,
  },
  hold('GET /files/{fileId}', seers),
  hold('POST /claim', '---xxoxxxx'),
  hold('POST /release', seers),
  hold('GET /precedents', seers),
  hold('GET /reassign', movers),
  hold('POST /reassign', movers, () => ({ to: ['user:ben'] })),
  hold('POST /extend', operators, () => ({ until: '2040-01-01T00:00:00Z' })),
  hold('POST /reassign-ask', '---xoxxxxo'),
  hold('POST /nudge', '---xoxoxxo'),
  hold('DELETE /vote', seers),
  hold('POST /signing', seers, () => answer),
  hold('DELETE /links', operators),
  hold('PUT /draft', involved, () => ({ values })),
  hold('GET /comments', deciders),
  hold('POST /comments', deciders, () => ({ text: 'Who knows more?' })),
  hold('PUT /snooze', involved, () => ({ until: '2026-12-31T00:00:00.000Z' })),
  hold('DELETE /snooze', involved),
  hold('POST /undo', seers),
  // The workflow decides who may see it, and here always allows it.
  hold('POST /decision', involved, () => answer),
  // Each answer in it is judged alone.
  {
    ...plain('POST /api/holds/decisions', known, (at) => ({
      decisions: [{ id: at.hold.holdId, status: 'cancelled', digest: at.hold.digest }],
    })),
    isAboutNone: false,
  },
  plain('POST /api/holds/amend', operators, () => ({ do: 'cancel' })),
  task('GET ', seers),
  task('GET /timeline', seers),
  task('GET /chat', seers),
  task('GET /artifacts/{artifactId}', seers),
  task('POST /chat/message', involved, () => ({ text: 'Why?' })),
  task('POST /restart', operators),
  task('POST /cancel', owners),
];

const rig = describeApi(() => {
  const further = [
    { user: 'anna', key: more.old, expires: '2020-01-01' },
    { user: 'bot', kind: 'agent' as const, roles: ['finance'], key: more.bot },
    { user: 'shop', kind: 'backend' as const, key: more.shop },
  ];
  const auth = ConfigSchema.parse({ auth: { keys: [...keyConfig, ...further] } }).auth;
  return { config: { auth }, codec: createCodecKeys('ab'.repeat(32)) };
});
let url: string;
let rows = 0;
beforeAll(async () => {
  const value = { name: 'A phone', cose: 'AA', publicKey: 'AA', counter: 0, transports: [], lastUsedAt: null };
  await rig.store.personal.put({ user: 'fin', kind: 'passkey', name: 'none', value });
  takeEverything(rig);
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

/** A question of anna's task that finance is asked, with all that may belong to one. */
async function place(): Promise<Place> {
  const threadId = freshThread();
  const ofAnna = await aTask(rig.store, threadId, { owner: 'anna' });
  const snapshot = { view: { artifacts: { a1: { total: 7 } } } };
  await keepSnapshot(rig.store, 'expenses', threadId, snapshot, []);
  const run = { agent: 'expenses', threadId, runId: 'r1' };
  const claimed = await rig.store.runs.claim(run, {
    taskId: ofAnna.taskId,
    fence: 1,
    opener: 'client',
    fingerprint: 'print',
    isControl: false,
  });
  if (claimed.result !== 'claimed') throw new Error('the run could not be claimed');
  await rig.store.log.append(claimed.run.logId, 1, [{ type: 'STATE_SNAPSHOT', snapshot }, finished(run)]);
  await endRun(rig.store, claimed.run.logId, 1, 'interrupt');
  const png = Buffer.from('png');
  const file = {
    id: 'a1',
    source: 'question' as const,
    name: 'a.png',
    mediaType: 'image/png',
    size: png.byteLength,
    uri: null,
    digest: sha256Of(png),
    omitted: null,
  };
  await rig.store.attachments.putContents(ofAnna.taskId, [longMessage]);
  await rig.store.attachments.put(ofAnna.taskId, 'm-1', [{ ...file, bytes: png }], true);
  const digest = artifactDigest(fingerprintOf, { name: 'a1', content: { total: 7 } });
  const asked = await aHold(rig.store, ofAnna, {
    audience: ['role:finance'],
    question: aQuestion({
      whole: [{ at: '/message', digest: longMessage.digest, bytes: longMessage.bytes, mediaType: 'text/plain' }],
    }),
    attachments: [file],
    artifacts: [{ id: 'a1', name: 'a1', digest }],
  });
  return { task: ofAnna, hold: asked };
}

async function answerOf({ route, path, body }: Row, at: Place, headers: Record<string, string>): Promise<Response> {
  const payload = body?.(at);
  const response = await fetch(`${url}${path(at)}`, {
    method: route.split(' ')[0] ?? 'GET',
    headers: {
      accept: 'application/json, text/event-stream',
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { body: JSON.stringify(payload) }),
  });
  // Streams need not end for this.
  await response.body?.cancel();
  return response;
}

function letterOf(status: number): string {
  if (status === 401) return '-';
  if (status === 403 || status === 404) return 'x';
  // An answer that it cannot be done now proves that the caller may.
  return status < 400 || [400, 409, 503].includes(status) ? 'o' : String(status);
}

describe('ten principals', () => {
  // Promise U9
  test.each(table)('ten principals at $route are known, kept out and let in: $who', async (row) => {
    // Past the minute in which keys that are not known are counted.
    rows += 1;
    rig.setNow(new Date(Date.now() + rows * 61_000).toISOString());
    const found: string[] = [];
    const shared = row.isAboutNone === true ? await place() : null;
    for (const [, headers] of principals)
      found.push(letterOf((await answerOf(row, shared ?? (await place()), headers)).status));
    const name = (letters: string[]): string[] =>
      letters.map((letter, at) => `${principals[at]?.[0] ?? ''}: ${letter}`);
    expect(name(found)).toEqual(name(row.who.split('')));
  });

  // There is no question here; the answer's header is seen where there is one.
  const isRead = ({ route, who }: Row): boolean =>
    route.startsWith('GET ') && who.startsWith('-') && route !== 'GET /api/ask';
  // Promise U11
  test.each(table.filter(isRead))('ten principals get from $route what no cache may keep for another', async (row) => {
    const { headers, status } = await answerOf(row, await place(), key(keys.op));
    expect(`${status} ${headers.get('cache-control')}`).toMatch(/^200 (private, no-store|no-cache, no-transform)$/);
  });

  // Promise U9
  test('ten principals have a letter for each route of the published description', async () => {
    const document: { paths: object } = JSON.parse(await (await fetch(`${url}/docs/json`)).text());
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.length).toBeGreaterThan(40);
    expect(table.map(({ route }) => route).toSorted((a, b) => a.localeCompare(b))).toEqual(
      routes.toSorted((a, b) => a.localeCompare(b)),
    );
    expect(table.filter(({ who }) => who.length !== principals.length)).toEqual([]);
  });
});
