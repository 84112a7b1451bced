// Every route of the published description × ten principals, over real HTTP: a route without a row fails this file.
import { describe, expect, test } from '@jest/globals';
import { actList } from '../../src/contract/acts/act-names.ts';
import { aPushSubscription } from '../rigs/surfaces/fake-push.ts';
import { softPasskey } from '../rigs/surfaces/soft-passkey.ts';
import { bearer, keys, runBody } from './rig.ts';
import { describeTen, key, longMessage, named, type Place, principals } from './ten-principals.ts';

interface Row {
  route: string;
  /** Whether one question of anna's does for all principals: what is asked names none. */
  isAboutNone?: boolean;
  /** A letter each: `-` not known (401), `n` nothing is there for them (404), `x` kept out (403), `o` let in. */
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
const seers = '---noooono';
const [involved, owners, movers] = ['---noooxno', '---nononno', '---nxooxnx'];
const aRegistration = { name: 'A phone', registration: softPasskey('https://a.example').create({ challenge: 'none' }) };
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
  agent('POST /agents/{agent}/push-notifications', '----------', ({ task: { a2aTaskId } }) => ({ taskId: a2aTaskId })),
  plain('POST /mcp', known, () => initialize),
  // There is none: to who may not use one it is not there.
  plain('POST /gates/{gate}/mcp', '---nnnnnnn', () => initialize),
  plain('GET /api/gates', operators),
  plain('POST /api/gates/{gate}/approve', '---xxxnxxx', () => ({ tool: 'a', digest: 'b' })),
  // Ids are a space of each caller's own: to others nothing was asked.
  ...['POST', 'GET', 'DELETE'].map((method) => plain(`${method} /api/ask`, known)),
  plain('POST /api/ask/replies', known, () => ({ ids: ['nothing'] })),
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
  plain('GET /api/web-push', known),
  // Without a channel of type push there is nothing to subscribe to, and nothing is decided there.
  plain('POST /api/web-push/devices', '---nnnnnnn', () => ({ subscription: aPushSubscription })),
  { ...plain('DELETE /api/web-push/devices/{id}', '---nnnnnnn'), path: () => '/api/web-push/devices/none' },
  {
    route: 'POST /api/web-push/holds/{id}/decision',
    who: '---nxxxxnx',
    path: (at) => `/api/web-push/holds/${at.hold.holdId}/decision`,
    body: ({ hold: { digest } }) => ({ choice: 'yes', digest }),
  },
  plain('GET /metrics', operators),
  plain('POST /codec/decode', operators, () => ({ payloads: [] })),
  plain('POST /codec/encode', operators, () => ({ payloads: [] })),
  plain('GET /api/me', known),
  plain('GET /api/tasks', known),
  plain('GET /api/holds', known),
  plain('GET /api/holds.csv', known),
  plain('GET /api/inbox/alike', known),
  plain('GET /api/inbox/count', known),
  plain('GET /api/inbox/days', known),
  plain('GET /api/inbox/events', known),
  plain('GET /api/inbox/rows', known),
  plain('GET /api/login/methods', everybody),
  ...['agents', 'operations', 'policies', 'overview', 'rule-suggestions'].map((name) =>
    plain(`GET /api/${name}`, operators),
  ),
  hold('GET ', seers),
  hold('GET /artifacts/{artifactId}', seers),
  {
    route: 'GET /api/holds/{id}/content/{digest}',
    who: seers,
    path: ({ hold: { holdId } }) => `/api/holds/${holdId}/content/${longMessage.digest}`,
  },
  hold('GET /files/{fileId}', seers),
  hold('GET /precedents', seers),
  plain('GET /api/grants', known),
  // Its policy allows none.
  {
    route: 'POST /api/grants',
    who: seers.replaceAll('o', 'x'),
    path: () => '/api/grants',
    body: ({ hold: { holdId } }) => ({ hold: holdId }),
  },
  ...['POST /api/grants/{id}/give', 'DELETE /api/grants/{id}'].map((name) => ({
    ...plain(name, known.replaceAll('o', 'n')),
    path: () => (name.split(' ')[1] ?? '').replace('{id}', 'none'),
  })),
  hold('GET /reassign', movers),
  hold('POST /signing', seers, () => answer),
  hold('DELETE /links', operators),
  hold('PUT /draft', involved, () => ({ values })),
  hold('GET /comments', movers),
  // Each answer in it is judged alone.
  {
    ...plain('POST /api/holds/decisions', known, (at) => ({
      decisions: [{ id: at.hold.holdId, status: 'cancelled', digest: at.hold.digest }],
    })),
    isAboutNone: false,
  },
  task('GET ', seers),
  task('GET /timeline', seers),
  task('GET /chat', seers),
  task('GET /artifacts/{artifactId}', seers),
  task('POST /chat/message', involved, () => ({ text: 'Why?' })),
  task('POST /restart', operators),
];

const actRoutes = [
  ...actList.flatMap(({ one }) => (one === null ? [] : [`${one.method} ${one.path.replace(':id', '{id}')}`])),
  'POST /api/holds/amend',
];

const { rig, place, answerOf, lettersOf } = describeTen();
const requestOf = ({ route, path, body }: Row) => ({ method: route.split(' ')[0] ?? 'GET', path, body });

describe('ten principals', () => {
  // Promise U9, PE3
  test.each(table)('ten principals at $route are known, kept out and let in: $who', async (row) => {
    const shared = row.isAboutNone === true ? await place() : undefined;
    expect(await lettersOf(requestOf(row), shared)).toEqual(named(row.who));
  });

  // There is no question here; the answer's header is seen where there is one.
  const isRead = ({ route, who }: Row): boolean =>
    route.startsWith('GET ') && who.startsWith('-') && route !== 'GET /api/ask';
  // Promise U11
  test.each(table.filter(isRead))('ten principals get from $route what no cache may keep for another', async (row) => {
    const { headers, status } = await answerOf(requestOf(row), await place(), key(keys.op));
    expect(`${status} ${headers.get('cache-control')}`).toMatch(/^200 (private, no-store|no-cache, no-transform)$/);
  });

  // Promise U9, Q50
  test('ten principals have a letter for each route of the published description', async () => {
    const document: { paths: object } = (await rig.app.inject({ url: '/docs/json' })).json();
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.length).toBeGreaterThan(40);
    // The routes of acts have theirs in acts.test.ts.
    expect([...table.map(({ route }) => route), ...actRoutes].toSorted((a, b) => a.localeCompare(b))).toEqual(
      routes.toSorted((a, b) => a.localeCompare(b)),
    );
    expect(table.filter(({ who }) => who.length !== principals.length)).toEqual([]);
  });

  // Promise Q72
  test('ten principals: those who may see a task learn its execution in Temporal’s pages, where their key opens nothing', async () => {
    const { task: seen } = await place();
    for (const who of ['anna', 'fin', 'op'] as const) {
      const response = await rig.app.inject({ url: `/api/tasks/${seen.taskId}`, headers: bearer(who) });
      expect(response.json()).toMatchObject({ temporalUrl: expect.stringContaining(`first-${seen.taskId}`) });
    }
  });

  const ofOne = table.filter(
    ({ route }) => /^\w+ \/api\/(holds|tasks)\/\{id\}/u.test(route) && !route.endsWith('/links'),
  );
  test.each(ofOne)('ten principals find nothing at $route where nothing is', async (row) => {
    const at = await place();
    const none = { task: { ...at.task, taskId: 'none' }, hold: { ...at.hold, holdId: 'none' } };
    expect((await answerOf(requestOf(row), none, key(keys.op))).status).toBe(404);
  });
});
