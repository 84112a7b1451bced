import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import {
  admittedAs,
  aHold,
  aTask,
  eventsOf,
  fakeTasks,
  finished,
  freshThread,
  lastOf,
  openingWorker,
  runBody,
  words,
  writeRun,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { aSuper, messagePlan } from '../../rigs/factories.ts';
import { bindContext, endRun } from '../../rigs/store/store-writes.ts';
import { asKept } from '../../rigs/proofs.ts';

const rig = describeApi();
beforeEach(() => void Object.assign(rig.tasks, fakeTasks()));

const post = (payload: object, agent = 'expenses') =>
  rig.app.inject({ method: 'POST', url: `/agents/${agent}/run`, payload });

describe('a run with a message', () => {
  test('a run with a message opens a task with its ids known before anything starts', async () => {
    const threadId = freshThread();
    const starts: TaskStart[] = [];
    const work = openingWorker(rig.store);
    rig.tasks.open = async (start) => {
      starts.push(start);
      return work(start);
    };
    const response = await post(runBody(threadId, 'r1'));
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(eventsOf(response.body).map((event) => event.type)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
    expect(starts).toHaveLength(1);
    expect(starts[0]).toMatchObject({
      version: 1,
      agent: 'expenses',
      threadId,
      owner: 'local',
      contextId: null,
      opening: { runId: 'r1', kind: 'message', principal: { id: 'local' } },
    });
    expect(starts[0]?.taskId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
    expect((await rig.store.intake.get({ agent: 'expenses', threadId, runId: 'r1' }))?.admittedAt).not.toBeNull();
  });

  test('a run with a message posted again reads the same events without a call to the workflow', async () => {
    const threadId = freshThread();
    rig.tasks.open = openingWorker(rig.store);
    const first = await post(runBody(threadId, 'r1'));
    Object.assign(rig.tasks, fakeTasks());
    const again = await post(runBody(threadId, 'r1'));
    expect(again.body).toBe(first.body);
    expect(rig.tasks.calls).toEqual([]);
  });

  test('a run with a message with another body under the same runId is run_conflict', async () => {
    const threadId = freshThread();
    rig.tasks.open = openingWorker(rig.store);
    await post(runBody(threadId, 'r1'));
    const other = await post(
      runBody(threadId, 'r1', { messages: [{ id: 'x', role: 'user', content: 'Another trip' }] }),
    );
    expect(other.statusCode).toBe(409);
    expect(other.json()).toMatchObject({ code: 'run_conflict', status: 409 });
  });

  test('a run with a message is run_conflict too while the first one has not been taken yet', async () => {
    const threadId = freshThread();
    await rig.store.intake.put(
      asKept({
        agent: 'expenses',
        threadId,
        runId: 'r1',
        fingerprint: 'sha256:other',
        principal: aSuper,
        receivedAt: new Date().toISOString(),
        plan: messagePlan(),
        body: {},
      }),
    );
    expect((await post(runBody(threadId, 'r1'))).json()).toMatchObject({ code: 'run_conflict' });
  });

  // Promise B6
  test('a run with a message takes the context from its options before the one bound to the thread', async () => {
    const threadId = freshThread();
    await rig.store.threads.claim('expenses', threadId, 'local');
    await bindContext(rig.store, 'expenses', threadId, 'bound');
    const contexts: (string | null)[] = [];
    rig.tasks.open = async (start) => {
      contexts.push(start.contextId);
      return { kind: 'refusal', refusal: refuse('busy', 'later') };
    };
    await post(runBody(threadId, 'r1'));
    await post(runBody(threadId, 'r2', { forwardedProps: { a2a: { contextId: 'chosen' } } }));
    expect(contexts).toEqual(['bound', 'chosen']);
  });

  test('a run with a message gets the refusal of the workflow by RUN_ERROR with its code', async () => {
    const threadId = freshThread();
    rig.tasks.open = async () => ({ kind: 'refusal', refusal: refuse('interrupts_pending', 'answer first: hitl-1') });
    const response = await post(runBody(threadId, 'r1'));
    expect(response.statusCode).toBe(200);
    expect(eventsOf(response.body)).toEqual([
      { type: 'RUN_ERROR', code: 'interrupts_pending', message: 'answer first: hitl-1' },
    ]);
    expect((await rig.store.intake.get({ agent: 'expenses', threadId, runId: 'r1' }))?.refusedCode).toBe(
      'interrupts_pending',
    );
  });

  test('a run with a message ends with engine_unavailable when Temporal is away, and stays kept', async () => {
    const threadId = freshThread();
    rig.tasks.open = async () => ({ kind: 'unanswered', by: 'engine' });
    const response = await post(runBody(threadId, 'r1'));
    expect(lastOf(response.body)).toMatchObject({ type: 'RUN_ERROR', code: 'engine_unavailable' });
    const kept = await rig.store.intake.get({ agent: 'expenses', threadId, runId: 'r1' });
    expect(kept).toMatchObject({ admittedAt: null, refusedCode: null });
  });

  test('a run with a message ends with worker_unavailable on this response when no worker lives, and its log is read when it comes', async () => {
    const lonely = await rig.another();
    const threadId = freshThread();
    await rig.store.workers.leave('w1');
    try {
      const response = await lonely.app.inject({
        method: 'POST',
        url: '/agents/expenses/run',
        payload: runBody(threadId, 'r1'),
      });
      expect(eventsOf(response.body)).toMatchObject([{ type: 'RUN_ERROR', code: 'worker_unavailable' }]);
    } finally {
      await rig.store.workers.heartbeat('w1');
    }
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    const kept = await rig.store.intake.get(key);
    await writeRun(rig.store, key, [finished(key)], 'success', { fingerprint: kept?.fingerprint ?? '' });
    expect(lastOf((await post(runBody(threadId, 'r1'))).body)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  test('a run with a message waits for a slow worker as long as one lives', async () => {
    const threadId = freshThread();
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    rig.tasks.open = async (start) => {
      void writeRun(rig.store, key, [finished(key)], 'success', { fingerprint: start.opening.fingerprint });
      return { kind: 'unanswered', by: 'worker' };
    };
    expect(lastOf((await post(runBody(threadId, 'r1'))).body)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  test('a run with a message for a task of another thread is sent to that task, under the ids of the asker', async () => {
    const [owner, asker] = [freshThread(), freshThread()];
    const task = await aTask(rig.store, owner);
    const key = { agent: 'expenses', threadId: owner, runId: 'inject-1' };
    rig.tasks.resume = async (known, source) => {
      expect(known.taskId).toBe(task.taskId);
      expect(source.kind).toBe('message');
      await writeRun(rig.store, key, [finished(key)], 'success', {
        taskId: task.taskId,
        fingerprint: source.fingerprint,
        isControl: true,
      });
      return admittedAs(task.taskId, source.runId, 'injected');
    };
    const response = await post(runBody(asker, 'inject-1', { forwardedProps: { a2a: { taskId: task.a2aTaskId } } }));
    const events = eventsOf(response.body);
    expect(events.at(0)).toMatchObject({ type: 'RUN_STARTED', threadId: asker, runId: 'inject-1' });
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', threadId: asker });
  });
});

describe('a message into a working task', () => {
  /** A working task, and what is answered to a message into it. */
  async function spokenTo() {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId);
    const long = { agent: 'expenses', threadId, runId: 'long' };
    const run = await writeRun(rig.store, long, [], null);
    rig.tasks.open = async ({ opening: { runId, fingerprint } }) => {
      const key = { agent: 'expenses', threadId, runId };
      await writeRun(rig.store, key, [finished(key)], 'success', { taskId: task.taskId, fingerprint, isControl: true });
      return admittedAs(task.taskId, runId, 'injected');
    };
    const say = async () => eventsOf((await post(runBody(threadId, 'short'))).body);
    const end = async () => {
      await rig.store.log.append(run.logId, 1, [...words('a', 'Nearly done.'), finished(long)]);
      await rig.store.tasks.update(task.taskId, { status: 'DONE' });
      await endRun(rig.store, run.logId, 1, 'success');
    };
    return { say, end };
  }

  // Promise B10a
  test('a message into a working task is answered by what the task does next, where its run has no reader', async () => {
    const { say, end } = await spokenTo();
    const answered = say();
    await end();
    const events = await answered;
    expect(events.filter(({ type }) => type.startsWith('RUN_'))).toHaveLength(2);
    expect(JSON.stringify(events)).toContain('Nearly done.');
    expect(events.at(-1)).toMatchObject({ runId: 'short', outcome: { type: 'success' } });
  });

  // Promise B10a
  test('a message into a working task is answered by how the task ended, also when it comes again after that', async () => {
    const { say, end } = await spokenTo();
    await end();
    for (const events of [await say(), await say()]) {
      expect(JSON.stringify(events)).toContain('Nearly done.');
      expect(events.filter(({ type }) => type.startsWith('RUN_'))).toHaveLength(2);
      expect(events.at(-1)).toMatchObject({ runId: 'short', result: { status: 'DONE' } });
    }
  });
});

describe('a run without a message', () => {
  // Promise B5
  test('a run without a message on a thread with an open question restates it, as a page that was reloaded needs it', async () => {
    const threadId = freshThread();
    const hold = await aHold(rig.store, await aTask(rig.store, threadId));
    const response = await post(runBody(threadId, 'r1', { messages: [] }));
    expect(eventsOf(response.body).map(({ type }) => type)).toEqual([
      'RUN_STARTED',
      'STATE_SNAPSHOT',
      'MESSAGES_SNAPSHOT',
      'RUN_FINISHED',
    ]);
    expect(lastOf(response.body)).toMatchObject({
      outcome: { type: 'interrupt', interrupts: [{ id: hold.interruptId }] },
    });
  });

  test('a run without a message is refused by HTTP when nothing is asked either', async () => {
    const response = await post(runBody(freshThread(), 'r1', { messages: [] }));
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'input_invalid', errors: [{ path: 'messages' }] });
  });
});

describe('for each reader', () => {
  const interrupts = (id: string) => [
    { id, reason: 'input_required', metadata: { standfast: { mayDecide: true, url: 'u' } } },
  ];

  test('mayDecide is computed for each reader, since the log is the same for all', async () => {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId);
    const hold = await aHold(rig.store, task, { status: 'open', audience: ['role:finance'] });
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    const body = runBody(threadId, 'r1');
    rig.tasks.open = async (start) => {
      const outcome = { type: 'interrupt', interrupts: interrupts(hold.interruptId) };
      await writeRun(rig.store, key, [finished(key, outcome)], 'interrupt', { fingerprint: start.opening.fingerprint });
      return admittedAs(task.taskId, 'r1', 'opened');
    };
    const last = lastOf((await post(body)).body);
    // `local` owns everything and may always decide.
    expect(last).toMatchObject({
      outcome: { interrupts: [{ metadata: { standfast: { mayDecide: true, url: 'u' } } }] },
    });
  });

  test('an older client gets success where a newer one gets cancelled', async () => {
    const threadId = freshThread();
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    const { protocolVersion: _none, ...body } = runBody(threadId, 'r1');
    rig.tasks.open = async (start) => {
      await writeRun(rig.store, key, [...words('a', 'Stopped.'), finished(key, { type: 'cancelled' })], 'cancelled', {
        fingerprint: start.opening.fingerprint,
      });
      return admittedAs('t', 'r1', 'opened');
    };
    expect(lastOf((await post(body)).body)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } });
  });
});
