// Each route of the people's side and who may call it: a table, so that a new route cannot be forgotten quietly.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { InjectOptions } from 'fastify';
import type { HoldRow, TaskRow } from '../../src/store/store.ts';
import { aDecision, aHold, aTask, bearer, freshThread, startRig, type keys, type Rig } from './rig.ts';

const callers = ['nobody', 'stranger', 'requester', 'audience', 'operator'] as const;
type Caller = (typeof callers)[number];
const keyOf: Record<Exclude<Caller, 'nobody'>, keyof typeof keys> = {
  stranger: 'ben',
  requester: 'anna',
  audience: 'fin',
  operator: 'op',
};

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ withKeys: true });
  await rig.store.workers.beat('w1');
  rig.tasks.decide = async (_task, { entry, principal }) => ({
    heard: 'answer',
    value: {
      holdId: entry.hold,
      decision: aDecision({ by: principal.id, values: entry.values }),
      votes: { have: 1, need: 1 },
      isRepeat: false,
      taskStatus: 'USER_INPUT_RECEIVED',
    },
  });
  rig.tasks.amend = async (_task, door) => {
    if (door.what === 'reassign') await rig.store.holds.amend(door.hold, { audience: door.to });
    return { heard: 'answer', value: { holdId: door.hold, audience: [], votes: { have: 0, need: 1 } } };
  };
  rig.tasks.message = async () => ({
    heard: 'answer',
    value: { messageId: 'm', as: 'asked', taskStatus: 'NEEDS_REVIEW' },
  });
});
afterAll(() => rig.close());

interface Place {
  task: TaskRow;
  hold: HoldRow;
}
const states = { view: { artifacts: { a1: { total: 7 } } } };

/** A question of anna's task that finance is asked. */
async function place(): Promise<Place> {
  const threadId = freshThread();
  const task = await aTask(rig.store, threadId, { owner: 'anna' });
  await rig.store.threads.saveSnapshot('expenses', threadId, states, []);
  return { task, hold: await aHold(rig.store, task, { audience: ['role:finance'] }) };
}

type Row = [string, number[], (place: Place) => InjectOptions];
const values = { city: 'Rome' };
const table: Row[] = [
  ['GET /api/me', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/me' })],
  ['GET /api/holds', [401, 200, 200, 200, 200], () => ({ method: 'GET', url: '/api/holds' })],
  [
    'GET /api/holds/:id',
    [401, 403, 200, 200, 200],
    ({ hold }) => ({ method: 'GET', url: `/api/holds/${hold.holdId}` }),
  ],
  [
    'POST /api/holds/:id/claim',
    [401, 403, 403, 200, 403],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/claim` }),
  ],
  [
    'POST /api/holds/:id/release',
    [401, 403, 200, 200, 200],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/release` }),
  ],
  [
    'POST /api/holds/:id/reassign',
    [401, 403, 403, 200, 200],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/reassign`, payload: { to: ['user:ben'] } }),
  ],
  [
    'POST /api/holds/:id/reassign-ask',
    [401, 403, 200, 403, 403],
    ({ hold }) => ({ method: 'POST', url: `/api/holds/${hold.holdId}/reassign-ask` }),
  ],
  [
    'DELETE /api/holds/:id/vote',
    [401, 403, 200, 200, 200],
    ({ hold }) => ({ method: 'DELETE', url: `/api/holds/${hold.holdId}/vote` }),
  ],
  [
    'PUT /api/holds/:id/draft',
    [401, 403, 200, 200, 200],
    ({ hold }) => ({ method: 'PUT', url: `/api/holds/${hold.holdId}/draft`, payload: { values } }),
  ],
  [
    'POST /api/holds/:id/decision',
    // Who may see it is heard by the workflow, whose word here is always yes.
    [401, 403, 200, 200, 200],
    ({ hold }) => ({
      method: 'POST',
      url: `/api/holds/${hold.holdId}/decision`,
      payload: { status: 'resolved', values },
    }),
  ],
  [
    'POST /api/holds/decisions',
    [401, 200, 200, 200, 200],
    ({ hold }) => ({
      method: 'POST',
      url: '/api/holds/decisions',
      payload: { decisions: [{ id: hold.holdId, status: 'cancelled', digest: 'd' }] },
    }),
  ],
  ['GET /api/figures', [401, 403, 403, 403, 200], () => ({ method: 'GET', url: '/api/figures' })],
  [
    'GET /api/tasks/:id',
    [401, 403, 200, 200, 200],
    ({ task }) => ({ method: 'GET', url: `/api/tasks/${task.taskId}` }),
  ],
  [
    'GET /api/tasks/:id/timeline',
    [401, 403, 200, 200, 200],
    ({ task }) => ({ method: 'GET', url: `/api/tasks/${task.taskId}/timeline` }),
  ],
  [
    'GET /api/tasks/:id/artifacts/:artifactId',
    [401, 403, 200, 200, 200],
    ({ task }) => ({ method: 'GET', url: `/api/tasks/${task.taskId}/artifacts/a1` }),
  ],
  [
    'GET /api/tasks/:id/chat',
    [401, 403, 200, 200, 200],
    ({ task }) => ({ method: 'GET', url: `/api/tasks/${task.taskId}/chat` }),
  ],
  [
    'POST /api/tasks/:id/chat/message',
    [401, 403, 200, 200, 200],
    ({ task }) => ({ method: 'POST', url: `/api/tasks/${task.taskId}/chat/message`, payload: { text: 'Why?' } }),
  ],
  [
    'POST /api/tasks/:id/restart',
    // It is not over yet: only who may ask is told so.
    [401, 403, 403, 403, 409],
    ({ task }) => ({ method: 'POST', url: `/api/tasks/${task.taskId}/restart` }),
  ],
  [
    'POST /api/tasks/:id/cancel',
    [401, 403, 503, 403, 503],
    ({ task }) => ({ method: 'POST', url: `/api/tasks/${task.taskId}/cancel` }),
  ],
];

describe('who may call', () => {
  test.each(table)(
    '%s: nobody, a stranger, the requester, who is asked, an operator: %j',
    async (_route, expected, ask) => {
      const statuses: number[] = [];
      for (const caller of callers) {
        const headers = caller === 'nobody' ? {} : bearer(keyOf[caller]);
        const { statusCode, headers: said } = await rig.app.inject({ ...ask(await place()), headers });
        statuses.push(statusCode);
        if (statusCode >= 400) expect(said['content-type']).toMatch(/^application\/problem\+json/);
      }
      expect(statuses).toEqual(expected);
    },
  );

  test('GET /api/inbox/events: nobody is refused before any stream', async () => {
    const response = await rig.app.inject({ method: 'GET', url: '/api/inbox/events' });
    expect(response.statusCode).toBe(401);
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
