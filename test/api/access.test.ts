// Each route of the people's side and who may call it: a table, so that a new route cannot be forgotten quietly.
import { aPushSubscription } from '../rigs/surfaces/fake-push.ts';
import { softPasskey } from '../rigs/surfaces/soft-passkey.ts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { InjectOptions } from 'fastify';
import type { HoldRow, TaskRow } from '../../src/store/store.ts';
import { aHold, aTask, bearer, freshThread, runBody, takeEverything, type keys } from './rig.ts';
import { describeApi } from './describe-api.ts';
import { keepSnapshot } from '../rigs/store/store-writes.ts';

const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const callers = ['nobody', 'stranger', 'requester', 'audience', 'operator'] as const;
type Caller = (typeof callers)[number];
const keyOf: Record<Exclude<Caller, 'nobody'>, keyof typeof keys> = {
  stranger: 'ben',
  requester: 'anna',
  audience: 'fin',
  operator: 'op',
};

const rig = describeApi({ withKeys: true });
beforeAll(() => {
  takeEverything(rig);
});

interface Place {
  task: TaskRow;
  hold: HoldRow;
}
const states = { view: { artifacts: { a1: { total: 7 } } } };

/** A question of anna's task that finance is asked. */
async function place(): Promise<Place> {
  const threadId = freshThread();
  const task = await aTask(rig.store, threadId, { owner: 'anna' });
  await keepSnapshot(rig.store, 'expenses', threadId, states, []);
  return { task, hold: await aHold(rig.store, task, { audience: ['role:finance'] }) };
}

type Row = [string, number[], (target: Place) => InjectOptions];
const values = { city: 'Rome' };
const reading = { messages: [], forwardedProps: { a2a: { subscribeOnly: true } } };
const aRegistration = { name: 'A phone', registration: softPasskey('https://a.example').create({ challenge: 'none' }) };
const table: Row[] = [
  ['GET /agents', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/agents' })],
  [
    'GET /agents/:agent/capabilities',
    [401, 200, 200, 200, 200],
    () => ({ method: 'GET', url: '/agents/expenses/capabilities' }),
  ],
  [
    'POST /agents/:agent/run',
    [401, 200, 200, 200, 200],
    ({ task }) => ({ method: 'POST', url: '/agents/expenses/run', payload: runBody(task.threadId, 'r9', reading) }),
  ],
  [
    'GET /agents/:agent/run',
    [401, 200, 200, 200, 200],
    ({ task }) => ({ method: 'GET', url: `/agents/expenses/run?threadId=${task.threadId}` }),
  ],
  [
    'GET /agents/:agent/threads/:threadId/events',
    [401, 404, 200, 404, 200],
    ({ task }) => ({ method: 'GET', url: `/agents/expenses/threads/${task.threadId}/events?follow=false` }),
  ],
  // Known by the agent's token alone.
  [
    'POST /agents/:agent/push',
    [401, 401, 401, 401, 401],
    ({ task }) => ({ method: 'POST', url: '/agents/expenses/push', payload: { taskId: task.a2aTaskId } }),
  ],
  ['GET /metrics', [401, 403, 403, 403, 200], () => ({ method: 'GET', url: '/metrics' })],
  ['GET /api/me', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/me' })],
  ['GET /api/me/preferences', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/me/preferences' })],
  [
    'PUT /api/me/preferences',
    [401, 200, 200, 200, 200],
    () => ({ method: 'PUT', url: '/api/me/preferences', payload: {} }),
  ],
  ['GET /api/me/passkeys', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/me/passkeys' })],
  // After signing in alone: never with a key.
  [
    'POST /api/me/passkeys/options',
    [401, 403, 403, 403, 403],
    () => ({ method: 'POST', url: '/api/me/passkeys/options' }),
  ],
  [
    'POST /api/me/passkeys',
    [401, 403, 403, 403, 403],
    () => ({ method: 'POST', url: '/api/me/passkeys', payload: aRegistration }),
  ],
  [
    'POST /api/me/passkeys/names',
    [401, 403, 403, 403, 403],
    () => ({ method: 'POST', url: '/api/me/passkeys/names', payload: { id: 'none', name: 'x' } }),
  ],
  [
    'POST /api/me/passkeys/removals/options',
    [401, 403, 403, 403, 403],
    () => ({ method: 'POST', url: '/api/me/passkeys/removals/options', payload: { id: 'none' } }),
  ],
  [
    'POST /api/me/passkeys/removals',
    [401, 403, 403, 403, 403],
    () => ({ method: 'POST', url: '/api/me/passkeys/removals', payload: { id: 'none' } }),
  ],
  ['GET /api/passkeys', [401, 403, 403, 403, 200], () => ({ method: 'GET', url: '/api/passkeys' })],
  [
    'POST /api/passkeys/revocations',
    [401, 403, 403, 403, 404],
    () => ({ method: 'POST', url: '/api/passkeys/revocations', payload: { user: 'fin', id: 'none' } }),
  ],
  [
    'POST /api/holds/:id/signing',
    [401, 404, 400, 400, 400],
    ({ hold }) => ({
      method: 'POST',
      url: `/api/holds/${hold.holdId}/signing`,
      payload: { status: 'resolved', values },
    }),
  ],
  ['GET /api/push', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/push' })],
  [
    'POST /api/push/devices',
    [401, 404, 404, 404, 404],
    () => ({ method: 'POST', url: '/api/push/devices', payload: { subscription: aPushSubscription } }),
  ],
  [
    'DELETE /api/push/devices/:id',
    [401, 404, 404, 404, 404],
    () => ({ method: 'DELETE', url: '/api/push/devices/none' }),
  ],
  [
    'POST /api/push/holds/:id/decision',
    [401, 404, 403, 403, 403],
    ({ hold }) => ({
      method: 'POST',
      url: `/api/push/holds/${hold.holdId}/decision`,
      payload: { choice: 'yes', digest: hold.digest },
    }),
  ],
  ['GET /api/ask', [401, 404, 404, 404, 404], () => ({ method: 'GET', url: '/api/ask?id=never' })],
  ['DELETE /api/ask', [401, 404, 404, 404, 404], () => ({ method: 'DELETE', url: '/api/ask?id=never' })],
  ['GET /api/tasks', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/tasks' })],
  ['GET /api/holds', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/holds' })],
  ['GET /api/holds.csv', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/holds.csv' })],
  ['GET /api/inbox/count', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/inbox/count' })],
  ['GET /api/inbox/rows', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/inbox/rows' })],
  [
    'GET /api/holds/:id',
    [401, 404, 200, 200, 200],
    ({ hold }) => ({ method: 'GET', url: `/api/holds/${hold.holdId}` }),
  ],
  [
    'POST /api/holds/:id/claim',
    [401, 404, 403, 200, 403],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/claim` }),
  ],
  [
    'POST /api/holds/:id/release',
    [401, 404, 200, 200, 200],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/release` }),
  ],
  [
    'GET /api/holds/:id/precedents',
    [401, 404, 200, 200, 200],
    ({ hold }) => ({ method: 'GET', url: `/api/holds/${hold.holdId}/precedents` }),
  ],
  [
    'GET /api/holds/:id/reassign',
    [401, 404, 403, 200, 200],
    ({ hold }) => ({ method: 'GET', url: `/api/holds/${hold.holdId}/reassign` }),
  ],
  [
    'POST /api/holds/:id/reassign',
    [401, 404, 403, 200, 200],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/reassign`, payload: { to: ['user:ben'] } }),
  ],
  [
    'POST /api/holds/:id/extend',
    [401, 404, 403, 403, 200],
    ({ hold }) => ({
      method: 'POST',
      url: `/api/holds/${hold.holdId}/extend`,
      payload: { until: '2040-01-01T00:00:00Z' },
    }),
  ],
  [
    'POST /api/holds/:id/reassign-ask',
    [401, 404, 200, 403, 403],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/reassign-ask` }),
  ],
  [
    'POST /api/holds/:id/nudge',
    [401, 404, 200, 403, 200],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/nudge` }),
  ],
  [
    'GET /api/holds/:id/comments',
    [401, 404, 403, 200, 200],
    ({ hold }) => ({ method: 'GET', url: `/api/holds/${hold.holdId}/comments` }),
  ],
  [
    'POST /api/holds/:id/comments',
    [401, 404, 403, 200, 200],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/comments`, payload: { text: 'hello' } }),
  ],
  [
    'PUT /api/holds/:id/snooze',
    [401, 404, 200, 200, 200],
    ({ hold }) => ({ method: 'PUT', url: `/api/holds/${hold.holdId}/snooze`, payload: { until: inAnHour } }),
  ],
  [
    'DELETE /api/holds/:id/snooze',
    [401, 404, 200, 200, 200],
    ({ hold }) => ({ method: 'DELETE', url: `/api/holds/${hold.holdId}/snooze` }),
  ],
  [
    'POST /api/holds/:id/undo',
    [401, 404, 200, 200, 200],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/undo` }),
  ],
  [
    'DELETE /api/holds/:id/vote',
    [401, 404, 200, 200, 200],
    ({ hold }) => ({ method: 'DELETE', url: `/api/holds/${hold.holdId}/vote` }),
  ],
  [
    'DELETE /api/holds/:id/links',
    [401, 403, 403, 403, 200],
    ({ hold }) => ({ method: 'DELETE', url: `/api/holds/${hold.holdId}/links` }),
  ],
  [
    'PUT /api/holds/:id/draft',
    [401, 404, 200, 200, 200],
    ({ hold }) => ({ method: 'PUT', url: `/api/holds/${hold.holdId}/draft`, payload: { values } }),
  ],
  [
    'POST /api/holds/:id/decision',
    // The workflow decides who may see it, and here always allows it.
    [401, 404, 200, 200, 200],
    ({ hold }) => ({
      method: 'POST',
      url: `/api/holds/${hold.holdId}/decision`,
      payload: { status: 'resolved', values },
    }),
  ],
  [
    'POST /api/holds/amend',
    [401, 403, 403, 403, 200],
    () => ({ method: 'POST', url: '/api/holds/amend', payload: { do: 'cancel' } }),
  ],
  [
    'POST /api/holds/decisions',
    [401, 200, 200, 200, 200],
    ({ hold }) => ({
      method: 'POST',
      url: '/api/holds/decisions',
      payload: { decisions: [{ id: hold.holdId, status: 'cancelled', digest: 'd', planDigest: 'p' }] },
    }),
  ],
  [
    'GET /api/holds/:id/artifacts/:artifactId',
    [401, 404, 404, 404, 404],
    ({ hold }) => ({ method: 'GET', url: `/api/holds/${hold.holdId}/artifacts/a1` }),
  ],
  [
    'GET /api/holds/:id/content/:digest',
    [401, 404, 404, 404, 404],
    ({ hold }) => ({ method: 'GET', url: `/api/holds/${hold.holdId}/content/sha256:${'a'.repeat(64)}` }),
  ],
  [
    'GET /api/holds/:id/files/:fileId',
    [401, 404, 404, 404, 404],
    ({ hold }) => ({ method: 'GET', url: `/api/holds/${hold.holdId}/files/f1` }),
  ],
  ...['agents', 'policies', 'overview', 'rules'].map((name): Row => [
    `GET /api/${name}`,
    [401, 403, 403, 403, 200],
    () => ({ method: 'GET', url: `/api/${name}` }),
  ]),
  [
    'GET /api/tasks/:id',
    [401, 404, 200, 200, 200],
    ({ task }) => ({ method: 'GET', url: `/api/tasks/${task.taskId}` }),
  ],
  [
    'GET /api/tasks/:id/timeline',
    [401, 404, 200, 200, 200],
    ({ task }) => ({ method: 'GET', url: `/api/tasks/${task.taskId}/timeline` }),
  ],
  [
    'GET /api/tasks/:id/artifacts/:artifactId',
    [401, 404, 200, 200, 200],
    ({ task }) => ({ method: 'GET', url: `/api/tasks/${task.taskId}/artifacts/a1` }),
  ],
  [
    'GET /api/tasks/:id/chat',
    [401, 404, 200, 200, 200],
    ({ task }) => ({ method: 'GET', url: `/api/tasks/${task.taskId}/chat` }),
  ],
  [
    'POST /api/tasks/:id/chat/message',
    [401, 404, 200, 200, 200],
    ({ task }) => ({ method: 'POST', url: `/api/tasks/${task.taskId}/chat/message`, payload: { text: 'Why?' } }),
  ],
  [
    'POST /api/tasks/:id/restart',
    // It is not over yet: only who may ask learns so.
    [401, 403, 403, 403, 409],
    ({ task }) => ({ method: 'POST', url: `/api/tasks/${task.taskId}/restart` }),
  ],
  [
    'POST /api/tasks/:id/cancel',
    [401, 404, 503, 403, 503],
    ({ task }) => ({ method: 'POST', url: `/api/tasks/${task.taskId}/cancel` }),
  ],
];

describe('who may call', () => {
  // Promise PE3
  test.each(table)(
    'a caller of %s gets the status that is due (no key, a stranger, the requester, who is asked, an operator): %j',
    async (_route, expected, ask) => {
      const statuses: number[] = [];
      for (const caller of callers) {
        const headers = caller === 'nobody' ? {} : bearer(keyOf[caller]);
        const { statusCode, headers: sentBack } = await rig.app.inject({ ...ask(await place()), headers });
        statuses.push(statusCode);
        if (statusCode >= 400) expect(sentBack['content-type']).toMatch(/^application\/problem\+json/);
      }
      expect(statuses).toEqual(expected);
    },
  );

  // Promise Q50
  test('who may call is in this table for each route that is not open to all, or is tested below', async () => {
    const document = (await rig.app.inject({ method: 'GET', url: '/docs/json' })).json<{ paths: object }>();
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const open = [
      'GET /.well-known/jwks.json',
      'GET /healthz',
      'GET /readyz',
      'GET /readyz/reads',
      'GET /readyz/writes',
      'GET /readyz/runs',
      'POST /api/login',
      'POST /api/logout',
      'GET /api/login/methods',
    ];
    const elsewhere = new Set([
      ...open,
      ...table.map(([route]) => route),
      'GET /api/inbox/events',
      'POST /mcp',
      'POST /api/ask',
      // By a key of their own, or as an operator: codec.test.ts.
      'POST /codec/encode',
      'POST /codec/decode',
    ]);
    expect(routes.filter((route) => !elsewhere.has(route))).toEqual([]);
  });

  test.each([
    ['GET', '/api/inbox/events'],
    ['POST', '/mcp'],
    ['POST', '/api/ask'],
  ] as const)('a caller of %s %s without a key is refused before any stream', async (method, url) => {
    expect((await rig.app.inject({ method, url })).statusCode).toBe(401);
  });

  // Promise Q72
  test('a task names its execution in Temporal’s pages to those who may see it, whose key opens nothing there', async () => {
    const { task } = await place();
    for (const who of ['anna', 'fin', 'op'] as const) {
      const response = await rig.app.inject({ url: `/api/tasks/${task.taskId}`, headers: bearer(who) });
      expect(response.json()).toMatchObject({ temporalUrl: expect.stringContaining(`first-${task.taskId}`) });
    }
  });

  test('what is not there is not_found at each route', async () => {
    for (const [, , ask] of table) {
      const { task, hold } = await place();
      const none = { task: { ...task, taskId: 'none' }, hold: { ...hold, holdId: 'none' } };
      const asked = ask(none);
      if (!String(asked.url).includes('/none')) continue;
      expect((await rig.app.inject({ ...asked, headers: bearer('op') })).statusCode).toBe(404);
    }
  });
});
