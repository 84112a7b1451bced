// A client that only wants to see what a thread has open, or to follow what works.
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { pauseEvents } from '../../../src/wire/agui/project/pause.ts';
import { emptyProjection, reduceEvents } from '../../../src/wire/agui/model/projection.ts';
import { endRun } from '../../rigs/store/store-writes.ts';
import {
  aDecision,
  aHold,
  anEnd,
  aTask,
  eventsOf,
  fakeTasks,
  finished,
  freshThread,
  lastOf,
  runBody,
  words,
  writeRun,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { asked } from './asked-tasks.ts';

const rig = describeApi();
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
  rig.setNow(null);
});

const post = (payload: object) => rig.app.inject({ method: 'POST', url: '/agents/expenses/run', payload });
describe('subscribeOnly', () => {
  const subscribe = (threadId: string, more: JsonObject = {}) =>
    post(runBody(threadId, 'sub', { messages: [], forwardedProps: { a2a: { subscribeOnly: true, ...more } } }));

  // Promise B5
  test('subscribeOnly restates the open questions of a thread for a client that forgot them', async () => {
    const { threadId, hold } = await asked(rig);
    const last = lastOf((await subscribe(threadId)).body);
    expect(last).toMatchObject({
      type: 'RUN_FINISHED',
      runId: 'sub',
      outcome: {
        type: 'interrupt',
        interrupts: [{ id: hold.interruptId, metadata: { standfast: { holdId: hold.holdId, mayDecide: true } } }],
      },
    });
  });

  // Promise G32
  test('subscribeOnly offers of a pause only what was not answered in the inbox', async () => {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId);
    const holds = [await aHold(rig.store, task, { n: 1 }), await aHold(rig.store, task, { n: 2 })];
    const [first, second] = holds;
    const { taskId, a2aTaskId } = task;
    const asking = pauseEvents(
      emptyProjection(threadId, 'r1'),
      {
        explanation: 'Two things.',
        explanationMessageId: 'm-ask',
        holds,
        a2aTaskId: a2aTaskId ?? '',
        contextId: 'c-1',
        publicUrl: 'http://x',
        mayDecide: () => true,
      },
      { taskId, agent: 'expenses', now: new Date().toISOString() },
    );
    await writeRun(rig.store, { agent: 'expenses', threadId, runId: 'r1' }, asking, 'interrupt');
    const decision = aDecision({ values: { city: 'Rome' } });
    await rig.store.holds.close(first?.holdId ?? '', anEnd('decided', decision, 'p'));
    const events = eventsOf((await subscribe(threadId)).body);
    const left = [second?.interruptId];
    expect(events.at(-1)).toMatchObject({ outcome: { interrupts: left.map((id) => ({ id })) } });
    const shown = reduceEvents(emptyProjection(threadId, 'sub'), events);
    expect(shown.state).toMatchObject({ view: { pendingInterrupts: expect.any(Object) } });
    expect(Object.keys((shown.state['view'] as { pendingInterrupts: object }).pendingInterrupts)).toEqual(left);
    expect(shown.messages.filter(({ role }) => role === 'activity')).toMatchObject([
      { id: first?.interruptId, content: { stage: 'working', decision: 'answered', values: { city: 'Rome' } } },
      { id: second?.interruptId, content: { stage: 'awaiting_input' } },
    ]);
  });

  test('subscribeOnly on a thread without a task ends in success at once', async () => {
    expect(lastOf((await subscribe(freshThread())).body)).toMatchObject({ outcome: { type: 'success' } });
  });

  test('subscribeOnly follows a working task to its end', async () => {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId);
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    const run = await writeRun(rig.store, key, [], null);
    const response = subscribe(threadId).then((one) => one);
    await rig.store.log.append(run.logId, 1, [...words('a', 'Nearly done.'), finished(key)]);
    await rig.store.tasks.update(task.taskId, { status: 'DONE' });
    await endRun(rig.store, run.logId, 1, 'success');
    const { body } = await response;
    expect(body).toContain('Nearly done.');
    expect(lastOf(body)).toMatchObject({ type: 'RUN_FINISHED', runId: 'sub' });
  });

  test('subscribeOnly parks of the cards while only an operator is asked', async () => {
    const threadId = freshThread();
    await aHold(rig.store, await aTask(rig.store, threadId), { kind: 'operator', audience: ['role:operator'] });
    expect(lastOf((await subscribe(threadId)).body)).toMatchObject({
      outcome: { type: 'success' },
      result: { status: 'NEEDS_REVIEW', error: { code: 'delivery_unknown' } },
    });
  });
});

describe('a reload as TanStack AI asks for it', () => {
  const get = (query: Record<string, string>) => rig.app.inject({ method: 'GET', url: '/agents/expenses/run', query });

  // Promise B5
  test('a reload as TanStack AI asks for it is given a run to join, which restates the open questions', async () => {
    const { threadId, hold } = await asked(rig);
    const known = (await get({ threadId, limit: '20' })).json<{ activeRun: { runId: string } }>();
    expect(known).toEqual({ messages: [], activeRun: { runId: expect.any(String) }, interrupts: null });
    const events = eventsOf((await get({ runId: known.activeRun.runId, offset: '-1' })).body);
    expect(events[0]).toMatchObject({ type: 'RUN_STARTED', threadId });
    expect(events.at(-1)).toMatchObject({ outcome: { type: 'interrupt', interrupts: [{ id: hold.interruptId }] } });
  });

  test('a reload as TanStack AI asks for it has nothing to join on a thread that is not there', async () => {
    expect((await get({ threadId: freshThread() })).json()).toEqual({
      messages: [],
      activeRun: null,
      interrupts: null,
    });
  });

  test.each([{}, { runId: 'r1' }, { runId: `${'a'.repeat(36)}:` }])(
    'a reload as TanStack AI asks for it is refused where no thread is meant: %j',
    async (query) => {
      const response = await get(query);
      expect([response.statusCode, response.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
    },
  );
});
