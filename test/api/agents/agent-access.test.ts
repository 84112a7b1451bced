// Who may know of an agent at all: to everybody else it is not there, by any way.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { aHold, aTask, bearer, eventsOf, freshThread, openingWorker, runBody, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const url = 'http://127.0.0.1:8701/';
const rig = describeApi({
  withKeys: true,
  config: {
    agents: {
      open: { url },
      finances: { url, access: ['role:finance'] },
      annas: { url, access: ['user:anna'], adopt: 'all' },
      nobodys: { url, adopt: 'none' },
      records: { url, access: ['user:anna', 'role:finance'], engram: true },
    },
  },
});
beforeAll(() => {
  rig.tasks.open = openingWorker(rig.store);
});

type Who = keyof typeof keys;
const get = (path: string, who: Who) => rig.app.inject({ url: path, headers: bearer(who) });
const run = (agent: string, body: object, who: Who) =>
  rig.app.inject({ method: 'POST', url: `/agents/${agent}/run`, headers: bearer(who), payload: body });
const notThere = { status: 404, code: 'not_found' };

// Promise T10
describe('an agent with access for some', () => {
  test('an agent with access for some is listed for them and for operators alone', async () => {
    const names = async (who: Who) => {
      const { items } = (await get('/agents', who)).json<{ items: { name: string }[] }>();
      const { agents } = (await get('/api/me', who)).json<{ agents: { name: string }[] }>();
      expect(agents.map(({ name }) => name)).toEqual(items.map(({ name }) => name));
      return items.map(({ name }) => name);
    };
    expect(await names('ben')).toEqual(['open', 'nobodys']);
    expect(await names('fin')).toEqual(['open', 'finances', 'nobodys', 'records']);
    expect(await names('anna')).toEqual(['open', 'annas', 'nobodys', 'records']);
    expect(await names('op')).toEqual(['open', 'finances', 'annas', 'nobodys', 'records']);
  });

  test('an agent with access for some is for others as if it were not there: its capabilities, runs and threads', async () => {
    const threadId = freshThread();
    expect((await run('finances', runBody(threadId, 'r1'), 'fin')).statusCode).toBe(200);
    const hidden = async (agent: string, who: Who) => [
      (await get(`/agents/${agent}/capabilities`, who)).json(),
      (await run(agent, runBody(threadId, 'r2'), who)).json(),
      (await get(`/agents/${agent}/threads/${threadId}/events?follow=false`, who)).json(),
    ];
    for (const [index, problem] of (await hidden('finances', 'ben')).entries()) {
      const other = (await hidden('not-there', 'ben'))[index] as { detail: string };
      expect(problem).toMatchObject(notThere);
      expect((problem as { detail: string }).detail).toBe(other.detail.replace('not-there', 'finances'));
    }
  });

  test('an agent with access for some shows its card to A2A clients that have access, and to no others', async () => {
    const card = async (agent: string, headers: Record<string, string>) =>
      (await rig.app.inject({ url: `/a2a/${agent}/.well-known/agent-card.json`, headers })).statusCode;
    expect(await card('open', {})).toBe(200);
    expect([await card('finances', {}), await card('finances', bearer('ben'))]).toEqual([404, 404]);
    expect(await card('finances', bearer('fin'))).toBe(200);
  });

  test('an agent with access for some is talked to by who is asked by it, and no more by an owner whom it was closed to', async () => {
    rig.tasks.message = async () => ({
      kind: 'answer',
      value: { messageId: 'm', kind: 'asked', taskStatus: 'NEEDS_REVIEW' },
    });
    const task = await aTask(rig.store, freshThread(), { owner: 'ben', agent: 'annas' });
    await aHold(rig.store, task, { audience: ['role:finance'] });
    const say = (who: Who) =>
      rig.app.inject({
        method: 'POST',
        url: `/api/tasks/${task.taskId}/chat/message`,
        headers: bearer(who),
        payload: { text: 'Why?' },
      });
    expect((await say('fin')).statusCode).toBe(200);
    expect((await say('ben')).json()).toMatchObject(notThere);
  });
});

describe('an open task of somebody else’s', () => {
  test.each([{}, { mode: 'stream', subscribeOnly: true }])(
    'an open task of somebody else’s is for who names it as if it were not there: %j',
    async (how) => {
      const task = await aTask(rig.store, freshThread(), { owner: 'ben', agent: 'open' });
      for (const taskId of [task.taskId, task.a2aTaskId ?? '']) {
        const body = runBody(freshThread(), 'r1', { forwardedProps: { a2a: { taskId, ...how } } });
        expect((await run('open', body, 'anna')).json()).toMatchObject({
          ...notThere,
          detail: `there is no task ${taskId}`,
        });
      }
    },
  );
});

// Promise T10
describe('the records of an agent', () => {
  const withProps = (forwardedProps: JsonObject) => runBody(freshThread(), 'r1', { forwardedProps });

  test('the records of an agent are not there for who has no access to it, whatever is done with them', async () => {
    const details: string[] = [];
    for (const agent of ['records', 'unknown'])
      for (const mode of ['hydrate_once', 'hydrate_stream', 'sync']) {
        const body = { ...withProps({ engram: { mode, filter: { key: 'config/limits' } } }), messages: [] };
        const problem = (await run(agent, body, 'ben')).json<{ detail: string }>();
        expect(problem).toMatchObject(notThere);
        details.push(problem.detail.replace(agent, 'it'));
      }
    expect(new Set(details)).toEqual(new Set(['there is no agent it']));
  });

  test('the records of an agent come to their reader by a subscription whose id is one of no task for others', async () => {
    const [threadId, taskId] = [freshThread(), freshThread()];
    const key = { agent: 'records', threadId, runId: 'r1' };
    const subscription = { ...key, mode: 'hydrate_stream' as const, filter: {}, fingerprint: 'p', principal: 'anna' };
    await rig.store.engramRuns.begin(subscription);
    await rig.store.engramRuns.savePosition(key, { a2aTaskId: taskId, floor: null, records: [] });
    for (const id of [taskId, 'invented'])
      for (const how of [{}, { mode: 'send' }, { mode: 'stream', subscribeOnly: true }])
        expect((await run('records', withProps({ a2a: { taskId: id, ...how } }), 'fin')).json()).toMatchObject({
          ...notThere,
          detail: `there is no task ${id}`,
        });
    expect((await run('records', withProps({ a2a: { taskId } }), 'anna')).json()).toMatchObject({
      ...notThere,
      detail: expect.stringContaining('only feeds a subscription'),
    });
  });
});

describe('a thread of a caller over A2A', () => {
  test('a thread of a caller over A2A cannot be begun by another who works its id out', async () => {
    const body = runBody('standfast-a2a-4e6f1c52-0b1c-5d2e-9a55-6b1f1f4f7a21', 'r1');
    expect((await run('open', body, 'ben')).json()).toMatchObject({ status: 400, code: 'input_invalid' });
  });
});

describe('a task of an agent without an owner here', () => {
  const adopt = (agent: string, who: Who) =>
    run(agent, runBody(freshThread(), 'r1', { forwardedProps: { a2a: { taskId: `foreign-${agent}` } } }), who);

  // Promise T11
  test('a task of an agent without an owner here is taken over by operators, by all, or by none, as its agent says; for others it is not there', async () => {
    expect((await adopt('open', 'anna')).json()).toMatchObject({
      ...notThere,
      detail: 'there is no task foreign-open',
    });
    expect((await adopt('open', 'op')).statusCode).toBe(200);
    expect((await adopt('annas', 'anna')).statusCode).toBe(200);
    expect((await adopt('nobodys', 'op')).json()).toMatchObject(notThere);
  });
});

// Promise T12
describe('a thread id', () => {
  test('a thread id names a thread of its caller’s own: what another has under it is neither taken nor shown', async () => {
    const threadId = freshThread();
    await run('open', runBody(threadId, 'r1'), 'anna');
    for (const who of ['ben', 'fin'] as const) {
      expect((await get(`/agents/open/threads/${threadId}/events?follow=false`, who)).json()).toMatchObject({
        ...notThere,
        detail: `there is no thread ${threadId}`,
      });
      const { body } = await run('open', runBody(threadId, 'r1'), who);
      expect(eventsOf(body).at(-1)).toMatchObject({ type: 'RUN_FINISHED', threadId });
      const read = await get(`/agents/open/threads/${threadId}/events?follow=false`, who);
      expect(eventsOf(read.body)[0]).toMatchObject({ type: 'RUN_STARTED', threadId, runId: 'r1' });
    }
    const again = await run('open', runBody(threadId, 'r1'), 'ben');
    expect(eventsOf(again.body)[0]).toMatchObject({ type: 'RUN_STARTED', threadId });
    const tasks = (await rig.store.tasks.list({ owner: null })).items.filter((task) =>
      task.threadId.startsWith(threadId),
    );
    expect(new Set(tasks.map(({ owner }) => owner))).toEqual(new Set(['anna', 'ben', 'fin']));
    expect(new Set(tasks.map((task) => task.threadId)).size).toBe(3);
  });

  test('a thread id with a mark like Standfast’s is still its caller’s own', async () => {
    const threadId = `${freshThread()}~0123456789ab`;
    const { body } = await run('open', runBody(threadId, 'r1'), 'anna');
    expect(eventsOf(body)[0]).toMatchObject({ type: 'RUN_STARTED', threadId });
  });
});
