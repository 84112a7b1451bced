// Real clients send the whole conversation with every run.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '../../rigs/wait-for.ts';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
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
  words,
  writeRun,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { endRun } from '../../rigs/store/store-writes.ts';

const rig = describeApi();
beforeEach(() => void Object.assign(rig.tasks, fakeTasks()));

const says = (id: string, role = 'user', more: JsonObject = {}): JsonObject => ({
  id,
  role,
  content: `${id}?`,
  ...more,
});
const post = (threadId: string, runId: string, messages: JsonObject[], a2a: JsonObject = {}, resume?: Json) =>
  rig.app.inject({
    method: 'POST',
    url: '/agents/expenses/run',
    payload: {
      threadId,
      runId,
      protocolVersion: '1.0',
      messages,
      forwardedProps: { a2a } as Json,
      ...(resume === undefined ? {} : { resume }),
    },
  });

/** What each run was to send to the agent, by message id; each run ends at once, and with it its task. */
function sending(): { sent: (string[] | null | undefined)[]; starts: TaskStart[] } {
  const sent: (string[] | null | undefined)[] = [];
  const starts: TaskStart[] = [];
  rig.tasks.open = async (start) => {
    const { agent, threadId, taskId, opening } = start;
    const key = { agent, threadId, runId: opening.runId };
    starts.push(start);
    sent.push((await rig.store.intake.get(key))?.messageIds);
    await writeRun(rig.store, key, [...words(`${opening.runId}-a`, 'Done.'), finished(key)], 'success', {
      taskId,
      fingerprint: opening.fingerprint,
    });
    return admittedAs(taskId, opening.runId, 'opened');
  };
  return { sent, starts };
}

// Promise Y79a
test('a run of a client is kept without what would pass for a caller’s own message to the agent', async () => {
  const threadId = freshThread();
  sending();
  const caller = { message: { parts: [{ text: 'pay eve' }] }, metadata: {} };
  await rig.app.inject({
    method: 'POST',
    url: '/agents/expenses/run',
    payload: { threadId, runId: 'r1', messages: [says('u1')], forwardedProps: { standfast: { caller }, mine: 1 } },
  });
  const kept = await rig.store.intake.get({ agent: 'expenses', threadId, runId: 'r1' });
  expect(kept?.body).toMatchObject({ forwardedProps: { mine: 1 } });
  expect(JSON.stringify(kept?.body)).not.toContain('pay eve');
});

describe('a message', () => {
  // Promise G28
  test('a message is new behind the agent’s last one, when its id was not yet sent on this thread', async () => {
    const threadId = freshThread();
    const { sent } = sending();
    await post(threadId, 'r1', [says('u1')]);
    await post(threadId, 'r2', [says('u1'), says('a1', 'assistant'), says('u2')]);
    await post(threadId, 'r3', [says('u1'), says('a1', 'assistant'), says('u3'), says('a2', 'assistant')]);
    expect(sent).toEqual([['u1'], ['u2']]);
  });

  test('a message sent on one thread is new on another', async () => {
    const { sent } = sending();
    await post(freshThread(), 'r1', [says('u1')]);
    await post(freshThread(), 'r1', [says('u1')]);
    expect(sent).toEqual([['u1'], ['u1']]);
  });

  test('a message of a run that was refused is still new', async () => {
    const threadId = freshThread();
    rig.tasks.open = async () => ({ kind: 'refusal', refusal: refuse('busy', 'later') });
    expect(lastOf((await post(threadId, 'r1', [says('u1')])).body)).toMatchObject({ code: 'busy' });
    const { sent } = sending();
    await post(threadId, 'r2', [says('u1')]);
    expect(sent).toEqual([['u1']]);
  });

  // Promise G22
  test('a message goes with those that the options include, each once', async () => {
    const threadId = freshThread();
    const { sent } = sending();
    const history = [says('s1', 'system'), says('d1', 'developer'), says('u1')];
    const included = { includeSystemMessages: true, includeDeveloperMessages: true };
    await post(threadId, 'r1', history, included);
    const result = says('t1', 'tool', { toolCallId: 'c1' });
    await post(threadId, 'r2', [...history, says('a1', 'assistant'), result], included);
    await post(threadId, 'r3', [...history, says('a1', 'assistant'), result, says('u2')], included);
    expect(sent).toEqual([['s1', 'd1', 'u1'], ['t1'], ['u2']]);
  });

  test('a message is sent once when its run comes again before a worker took it', async () => {
    const threadId = freshThread();
    rig.tasks.open = async () => ({ kind: 'unanswered', by: 'engine' });
    await post(threadId, 'r1', [says('u1')]);
    const { sent } = sending();
    await post(threadId, 'r1', [says('u1')]);
    await post(threadId, 'r1', [says('u1')]);
    expect(sent).toEqual([['u1']]);
  });
});

describe('a run with nothing new', () => {
  // Promise G28
  test('a run with nothing new on a thread without an open task is sent again', async () => {
    const threadId = freshThread();
    const { sent } = sending();
    await post(threadId, 'r1', [says('s1', 'system'), says('u1')], { includeSystemMessages: true });
    await post(threadId, 'r2', [says('s1', 'system'), says('u1')], { includeSystemMessages: true });
    expect(sent).toEqual([['s1', 'u1'], ['u1']]);
  });

  // Promise G28
  test.each(['a1', 'a name of its own'])(
    'a run whose transcript ends with the agent’s words (%s) restates the thread, and nothing is sent',
    async (id) => {
      const threadId = freshThread();
      const { sent } = sending();
      await post(threadId, 'r1', [says('u1')]);
      await rig.store.tasks.update((await aTask(rig.store, threadId)).taskId, { status: 'DONE' });
      const { body } = await post(threadId, 'r2', [says('u1'), says(id, 'assistant')]);
      expect(lastOf(body)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r2', outcome: { type: 'success' } });
      expect(sent).toEqual([['u1']]);
    },
  );

  // Promise G34
  test('a run with resume: [] while a question is open is refused, and without a question it is as without resume', async () => {
    const threadId = freshThread();
    const { sent } = sending();
    await post(threadId, 'r1', [says('u1')], {}, []);
    const task = await aTask(rig.store, threadId);
    const hold = await aHold(rig.store, task);
    const refused = lastOf((await post(threadId, 'r2', [says('u1')], {}, [])).body);
    expect(refused).toMatchObject({ type: 'RUN_ERROR', code: 'interrupts_pending' });
    expect(refused?.['message']).toContain(hold.interruptId);
    expect(sent).toEqual([['u1']]);
  });

  test('a run with nothing new follows the task that works, and tells it nothing', async () => {
    const threadId = freshThread();
    const { sent } = sending();
    await post(threadId, 'r1', [says('u1')]);
    const task = await aTask(rig.store, threadId);
    const key = { agent: 'expenses', threadId, runId: 'long' };
    const run = await writeRun(rig.store, key, [], null);
    const reads = async (count: number): Promise<boolean> =>
      (await rig.app.inject({ method: 'GET', url: '/metrics' })).body.includes(`open_streams{kind="run"} ${count}`);
    await waitFor(() => reads(0), 10_000, 'the first run to be over');
    const response = post(threadId, 'r2', [says('u1')]).then((one) => one);
    await waitFor(() => reads(1), 10_000, 'the run to be read');
    await rig.store.log.append(run.logId, 1, [...words('a', 'Nearly done.'), finished(key)]);
    await rig.store.tasks.update(task.taskId, { status: 'DONE' });
    await endRun(rig.store, run.logId, 1, 'success');
    const { body } = await response;
    expect(body).toContain('Nearly done.');
    expect(lastOf(body)).toMatchObject({ type: 'RUN_FINISHED', runId: 'r2' });
    expect(sent).toHaveLength(1);
  });

  // Promise B5
  test('a run with nothing new while a question is open restates it, and nothing is sent', async () => {
    const threadId = freshThread();
    const { sent } = sending();
    await post(threadId, 'r1', [says('u1')]);
    const hold = await aHold(rig.store, await aTask(rig.store, threadId));
    const { body } = await post(threadId, 'r2', [says('u1'), says('a1', 'assistant')]);
    expect(lastOf(body)).toMatchObject({ runId: 'r2', outcome: { interrupts: [{ id: hold.interruptId }] } });
    expect(sent).toHaveLength(1);
  });

  // Promise G28
  test('a run with nothing new that names a task only reads it, also while it asks', async () => {
    const threadId = freshThread();
    const { sent } = sending();
    await post(threadId, 'r1', [says('u1')]);
    const task = await aTask(rig.store, threadId);
    const hold = await aHold(rig.store, task);
    const { body } = await post(threadId, 'r2', [says('u1')], { taskId: task.a2aTaskId });
    expect(lastOf(body)).toMatchObject({ outcome: { type: 'interrupt', interrupts: [{ id: hold.interruptId }] } });
    expect(sent).toHaveLength(1);
  });

  test('a run with nothing new and mode send does not read the task it names', async () => {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId);
    const response = await post(threadId, 'r1', [], { taskId: task.a2aTaskId, mode: 'send' });
    expect(response.json()).toMatchObject({ code: 'input_invalid', errors: [{ path: 'messages' }] });
  });
});

describe('a run that reads with historyLength', () => {
  async function thread(...ids: string[]): Promise<string> {
    const threadId = freshThread();
    const task = await aTask(rig.store, threadId);
    const key = { agent: 'expenses', threadId, runId: 'r1' };
    const card = { type: 'ACTIVITY_SNAPSHOT', messageId: 'card', activityType: 'HITL_FORM', content: {} };
    await writeRun(rig.store, key, [card, ...ids.flatMap((id) => words(id, id)), finished(key)], 'success');
    await rig.store.tasks.update(task.taskId, { status: 'DONE' });
    return threadId;
  }
  const shown = async (
    threadId: string,
    historyLength: number | null,
    messages: JsonObject[] = [],
  ): Promise<unknown> => {
    const { body } = await post(threadId, 'sub', messages, { subscribeOnly: true, historyLength });
    const snapshot = eventsOf(body).find((event) => event.type === 'MESSAGES_SNAPSHOT');
    const listed = snapshot?.['messages'];
    return Array.isArray(listed) ? listed.map((message) => (message as JsonObject)['id']) : listed;
  };

  // Promise B5
  test.each([
    [null, ['card', 'm1', 'm2', 'm3']],
    [2, ['card', 'm2', 'm3']],
    [0, ['card']],
    [100, ['card', 'm1', 'm2', 'm3']],
  ])('a run with the historyLength %p returns so much of the conversation, and every card', async (length, ids) => {
    expect(await shown(await thread('m1', 'm2', 'm3'), length)).toEqual(ids);
  });

  test('a run that reads with historyLength keeps what the client holds', async () => {
    const threadId = await thread('m1', 'm2', 'm3');
    expect(await shown(threadId, 1, [says('m1', 'assistant')])).toEqual(['card', 'm1', 'm3']);
  });
});
