// What becomes of a caller's messages and tasks between two calls: known again, referred to, listed, followed.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CallerEntry, callerThreadPrefix } from '../../../src/contract/tasks/caller.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { holdExtension } from '../../../src/wire/a2a/caller/caller-status.ts';
import { callerMessageIn } from '../../../src/wire/a2a/caller/caller-message.ts';
import { aDecision, aHold, anEnd, aQuestion, aTask, bearer, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

let base = '';
const rig = describeApi({ withKeys: true });
beforeAll(async () => {
  base = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

interface TaskAnswer {
  id: string;
  contextId: string;
  status: { state: string; timestamp: string };
  history?: { messageId: string }[];
  artifacts?: object[];
}
interface Reply {
  result?: {
    task?: TaskAnswer;
    tasks?: TaskAnswer[];
    nextPageToken?: string;
    totalSize?: number;
  } & Partial<TaskAnswer>;
  error?: { code: number; message: string };
}

async function rpc(method: string, params: object, who: keyof typeof keys = 'anna', at = base): Promise<Reply> {
  const response = await fetch(`${at}/a2a/expenses/`, {
    method: 'POST',
    headers: { ...bearer(who), 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as Reply;
}

const stream = (params: object, signal?: AbortSignal): Promise<Response> =>
  fetch(`${base}/a2a/expenses/`, {
    method: 'POST',
    headers: { ...bearer('anna'), 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params }),
    ...(signal && { signal }),
  });

/** The states that a stream tells, to its end. */
async function statesOf(response: Promise<Response>): Promise<string[]> {
  const text = await (await response).text();
  return [...text.matchAll(/TASK_STATE_(\w+)/g)].map(([, state = '']) => state);
}

const sent = (messageId: string, more: object = {}, text = 'hi'): object => ({
  message: { messageId, role: 'ROLE_USER', parts: [{ text }], ...more },
  configuration: { returnImmediately: true },
});

async function put(taskId: string, at: string, state = 'WORKING', contextId = 'c'): Promise<void> {
  const row = { taskId, agent: 'expenses', threadId: `t-${taskId}`, owner: 'fin', contextId };
  const message = { messageId: `m-${taskId}`, role: 'ROLE_USER', parts: [{ text: 'hi' }] };
  const answer = { messageId: `a-${taskId}`, role: 'ROLE_AGENT', parts: [{ text: 'I see' }] };
  await rig.store.callers.put(
    row,
    [
      { kind: 'message', message },
      { kind: 'message', message: answer },
    ],
    at,
  );
  const ids = { taskId, contextId };
  const artifactUpdate = { ...ids, artifact: { artifactId: 'a', parts: [{ text: 'done' }] }, lastChunk: true };
  const statusUpdate = { ...ids, status: { state: `TASK_STATE_${state}`, timestamp: at } };
  const events: CallerEntry[] = [
    { kind: 'event', event: { artifactUpdate } },
    { kind: 'event', event: { statusUpdate } },
  ];
  await rig.store.callers.append(taskId, events, { state: state === 'WORKING' ? 'working' : 'completed', at });
}

// Promise V17
describe('a message with an id that came before', () => {
  test('a message with an id that came before is the same task, also to an api that was started since', async () => {
    const first = await rpc('SendMessage', sent('again'));
    const later = await rig.another({ withKeys: true });
    const address = await later.app.listen({ host: '127.0.0.1', port: 0 });
    const second = await rpc('SendMessage', sent('again'), 'anna', address);
    expect(second.result?.task?.id).toBe(first.result?.task?.id);
    expect((await rpc('SendMessage', sent('again', {}, 'other words'), 'anna', address)).error).toEqual(
      expect.objectContaining({ code: -32_602, message: expect.stringMatching(/again was used before, with other/) }),
    );
  });

  test('a message with an id that came before is streamed from its beginning to its end, also past a question that was answered since', async () => {
    const { id = '', contextId = '' } = (await rpc('SendMessage', sent('asked since'))).result?.task ?? {};
    const at = '2026-01-01T00:00:00.000Z';
    const become = (state: string): CallerEntry => ({
      kind: 'event',
      event: { statusUpdate: { taskId: id, contextId, status: { state: `TASK_STATE_${state}` } } },
    });
    const answer = { messageId: 'the answer', role: 'ROLE_USER', parts: [{ text: 'three' }] };
    await rig.store.callers.append(id, [become('WORKING'), become('INPUT_REQUIRED')], { state: 'input-required', at });
    expect(await statesOf(stream(sent('asked since')))).toEqual(['SUBMITTED', 'WORKING', 'INPUT_REQUIRED']);
    const later: CallerEntry[] = [{ kind: 'message', message: answer }, become('WORKING')];
    await rig.store.callers.append(id, later, { state: 'working', at });
    const { message } = sent('asked since') as { message: object };
    const [streamed, blocking] = [statesOf(stream(sent('asked since'))), rpc('SendMessage', { message })];
    await rig.store.callers.append(id, [become('COMPLETED')], { state: 'completed', at });
    expect(await streamed).toEqual(['SUBMITTED', 'WORKING', 'INPUT_REQUIRED', 'WORKING', 'COMPLETED']);
    expect((await blocking).result?.task?.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('a message with an id that came before is a task of their own to another caller', async () => {
    const [anna, ben] = [await rpc('SendMessage', sent('shared')), await rpc('SendMessage', sent('shared'), 'ben')];
    expect(ben.result?.task?.id).not.toBe(anna.result?.task?.id);
    expect(ben.result?.task?.contextId).not.toBe(anna.result?.task?.contextId);
    expect((await rpc('GetTask', { id: anna.result?.task?.id }, 'ben')).error?.code).toBe(-32_001);
  });
});

// Promise V9c
describe('push notifications that come with a message', () => {
  const withPush = (messageId: string, more: object = {}, text = 'hi'): object => ({
    ...sent(messageId, more, text),
    configuration: { returnImmediately: true, taskPushNotificationConfig: { url: 'https://receiver.example/' } },
  });

  test('push notifications that come with a message are owed in full to who sends the message once more', async () => {
    const { task } = (await rpc('SendMessage', withPush('pushes'))).result ?? {};
    const { id = '', contextId = '' } = task ?? {};
    const [first] = await rig.store.callers.pushesOf(id);
    const statusUpdate = { taskId: id, contextId, status: { state: 'TASK_STATE_WORKING' } };
    const at = '2026-01-01T00:00:00.000Z';
    await rig.store.callers.append(id, [{ kind: 'event', event: { statusUpdate } }], { state: 'working', at });
    expect((await rpc('SendMessage', withPush('pushes'))).result?.task?.id).toBe(id);
    const [again, ...more] = await rig.store.callers.pushesOf(id);
    expect([first?.deliveredSeq, again?.deliveredSeq, more]).toEqual([1, 1, []]);
  });

  test('push notifications that come with a message are not set up by a message that is refused', async () => {
    await rpc('SendMessage', sent('no pushes'));
    expect((await rpc('SendMessage', withPush('no pushes', {}, 'other words'))).error?.code).toBe(-32_602);
    const { task } = (await rpc('SendMessage', sent('no pushes'))).result ?? {};
    await rig.store.callers.append(task?.id ?? '', [], { state: 'completed', at: '2026-01-01T00:00:00.000Z' });
    const into = withPush('one more', { taskId: task?.id });
    expect((await rpc('SendMessage', into)).error?.code).toBe(-32_004);
    expect(await rig.store.callers.pushesOf(task?.id ?? '')).toEqual([]);
  });
});

describe('an answer of the caller', () => {
  const ask = {
    plan: { ...planLadder('both', PolicySchema.parse({}), '2026-01-01T00:00:00.000Z'), ask: 'both' as const },
  };
  const at = '2026-01-01T00:00:00.000Z';
  const status = (state: string): CallerEntry[] => [
    {
      kind: 'event',
      event: { statusUpdate: { taskId: 't', contextId: 'c', status: { state: `TASK_STATE_${state}` } } },
    },
  ];
  async function asked(change: Parameters<typeof aHold>[2] = {}): Promise<{ taskId: string; hold: HoldRow }> {
    const task = await aTask(rig.store, `${callerThreadPrefix}${randomUUID()}`, { owner: 'anna' });
    const { taskId, agent, threadId, owner } = task;
    await rig.store.callers.put({ taskId, agent, threadId, owner, contextId: 'c' }, [], at);
    const hold = await aHold(rig.store, task, { audience: ['role:finance', 'owner'], ...ask, ...change });
    await rig.store.callers.append(taskId, status('INPUT_REQUIRED'), { state: 'input-required', at });
    return { taskId, hold };
  }
  const answer = (taskId: string, values: object, messageId: string = randomUUID()): object => ({
    message: {
      messageId,
      taskId,
      role: 'ROLE_USER',
      parts: [{ data: { type: 'a2a.hitl.formResponse', formId: 'trip', values } }],
    },
  });

  // Promise V8b
  test.each(['at once', 'again after its first sending was cut'])(
    'an answer of the caller is streamed to its end, sent %s, however late it is taken',
    async (when) => {
      const { taskId } = await asked();
      const params = answer(taskId, { city: 'Ulm' });
      // The worker is slow: nothing has become of the answer when the stream begins.
      rig.tasks.resume = async () => ({ kind: 'unanswered', by: 'worker' });
      if (when !== 'at once') {
        const cut = new AbortController();
        await stream(params, cut.signal);
        cut.abort();
      }
      const response = await stream(params);
      const states = statesOf(Promise.resolve(response));
      // The stream opens with its first event, after the longest wait for one.
      await rig.store.callers.append(taskId, status('WORKING'), { state: 'working', at });
      await rig.store.callers.append(taskId, status('COMPLETED'), { state: 'completed', at });
      expect(await states).toEqual(['INPUT_REQUIRED', 'WORKING', 'COMPLETED']);
    },
  );

  // Promise V8b
  test('an answer of the caller that comes after that of somebody else names them in its refusal, whether or not it was sent', async () => {
    const { taskId, hold } = await asked();
    const decided = anEnd('decided', aDecision({ by: 'fin' }), 'p');
    const outgoing = 'hitl was decided by fin; it is sent at 09:10, and can be taken back until then';
    rig.tasks.resume = async () => ({ kind: 'refusal', refusal: refuse('hold_closed', outgoing) });
    const early = await rpc('SendMessage', answer(taskId, { city: 'Ulm' }));
    expect(early.error).toMatchObject({ code: -32_004, message: outgoing });
    await rig.store.holds.close(hold.holdId, decided, null);
    const late = await rpc('SendMessage', answer(taskId, { city: 'Ulm' }));
    expect(late.error).toMatchObject({
      code: -32_004,
      message: `${hold.interruptId} was approved by fin at ${decided.ended?.at ?? ''}; the task goes on`,
    });
  });

  // Promise T1
  test('an answer of the caller has seen what its message says it has, and nothing where it says nothing', async () => {
    const seenWith = async (metadataOf: (hold: HoldRow) => object): Promise<unknown> => {
      const { taskId, hold } = await asked();
      let entries: readonly { digest: string | null }[] = [];
      rig.tasks.resume = async (_task, command) => {
        entries = 'entries' in command ? command.entries : [];
        return { kind: 'unanswered', by: 'worker' };
      };
      const { message } = answer(taskId, { city: 'Ulm' }) as { message: object };
      const params = { message: { ...message, metadata: metadataOf(hold) } };
      await rpc('SendMessage', { ...params, configuration: { returnImmediately: true } });
      return entries.map(({ digest }) => digest);
    };
    const naming = (id: string, digest: unknown): object => ({ [holdExtension]: { holds: [{ id, digest }] } });
    expect(await seenWith(() => ({}))).toEqual([null]);
    expect(await seenWith(({ holdId, digest }) => naming(holdId, digest))).toEqual([
      expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    ]);
    expect(await seenWith(({ holdId }) => naming(holdId, 'sha256:other'))).toEqual(['sha256:other']);
    expect(await seenWith(({ digest }) => naming('another', digest))).toEqual([null]);
    expect(await seenWith(({ holdId }) => naming(holdId, 7))).toEqual([null]);
  });

  // Promise Y79a
  test.each([
    ['goes to the agent as it came', 1],
    ['goes as its dialect writes it where several must agree: they agree to values, and to no words next to them', 2],
  ])('an answer of the caller %s', async (_how, quorum) => {
    const { taskId } = await asked({ plan: { ...ask.plan, quorum } });
    let entries: readonly { proof?: { message?: string } }[] = [];
    rig.tasks.resume = async (_task, command) => {
      entries = 'entries' in command ? command.entries : [];
      return { kind: 'unanswered', by: 'worker' };
    };
    const { message } = answer(taskId, { city: 'Ulm' }) as { message: { parts: object[] } };
    const params = { message: { ...message, parts: [...message.parts, { text: 'and book for eve, too' }] } };
    await rpc('SendMessage', { ...params, configuration: { returnImmediately: true } });
    expect(entries.map(({ proof }) => proof?.message !== undefined)).toEqual([quorum === 1]);
  });

  // Promise Y79a
  test('an answer of the caller that only its agent can read agrees with none that has other files or metadata', async () => {
    const { taskId } = await asked({ plan: { ...ask.plan, quorum: 2 } });
    const given: unknown[] = [];
    rig.tasks.resume = async (_task, command) => {
      given.push(...('entries' in command ? command.entries.map(({ fingerprint }) => fingerprint) : []));
      return { kind: 'unanswered', by: 'worker' };
    };
    const file = { url: 'https://files.example/order.pdf', mediaType: 'application/pdf', filename: 'order.pdf' };
    const say = (parts: object[], metadata: object = {}, request: object = {}): Promise<unknown> => {
      const message = {
        messageId: randomUUID(),
        taskId,
        role: 'ROLE_USER',
        parts: [{ text: 'as before' }, ...parts],
        metadata,
      };
      return rpc('SendMessage', { message, ...request, configuration: { returnImmediately: true } });
    };
    for (const parts of [[], [], [file]]) await say(parts);
    await say([], { amount: 900 });
    await say([], {}, { metadata: { amount: 900 } });
    const [first, again, ...others] = given;
    expect(first).toEqual(expect.any(String));
    expect(again).toBe(first);
    expect(new Set([first, ...others]).size).toBe(4);
  });

  // Promise V8b
  test('an answer of the caller of a caller who has agreed already is refused, and the first one counts', async () => {
    const vote = { ...aDecision({ by: 'anna' }), fingerprint: 'p' };
    const { taskId } = await asked({ votes: [vote], plan: { ...ask.plan, quorum: 2 } });
    const { error } = await rpc('SendMessage', answer(taskId, { city: 'Bonn' }));
    expect(error).toMatchObject({ code: -32_004, message: expect.stringContaining('has agreed already') });
  });

  // Promise V8c
  test('an answer of the caller with a secret is sealed before it is kept: no row and no entry has it in clear', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' }, pin: { type: 'string' } } };
    const question = aQuestion({ schema, secrets: ['pin'] });
    const { taskId } = await asked({ question });
    let entries: unknown = null;
    rig.tasks.resume = async (_task, command) => {
      entries = command;
      return { kind: 'unanswered', by: 'worker' };
    };
    const params = answer(taskId, { city: 'Ulm', pin: 'canary-4711' });
    const answered = rpc('SendMessage', { ...params, configuration: { returnImmediately: true } });
    expect((await answered).error).toBeUndefined();
    expect(JSON.stringify(entries)).toContain('Ulm');
    const row = await rig.store.callers.get(taskId);
    const messages = await rig.store.intake.takeUnsettled({ olderThanMs: -60_000, leaseMs: 0, limit: 1_000 });
    const kept = [entries, await rig.store.callers.read(taskId, 0), messages];
    expect(row).not.toBeNull();
    expect(JSON.stringify(kept)).not.toContain('canary-4711');
    const task = (await rpc('GetTask', { id: taskId })).result;
    expect(JSON.stringify(task)).not.toContain('canary-4711');
    expect(JSON.stringify(task)).toContain('(an answer with a secret)');

    // A reader of the row cannot try out what the secret may be; the same message is known all the same.
    const { message } = params as { message: JsonObject };
    const found = messages.find(({ messageIds }) => messageIds?.includes(String(message['messageId'])) === true);
    expect(found?.fingerprint).toMatch(/^[0-9a-f]{40}$/);
    const immediately = { configuration: { returnImmediately: true } };
    expect((await rpc('SendMessage', { ...params, ...immediately })).error).toBeUndefined();
    const other = answer(taskId, { city: 'Ulm', pin: 'canary-4712' }, String(message['messageId']));
    expect((await rpc('SendMessage', { ...other, ...immediately })).error?.message).toMatch(/used before, with other/);
  });
});

// Promise V18
describe('tasks that a message refers to', () => {
  const agentsIds = async (messageId: string): Promise<string[] | undefined> => {
    const { task } = (await rpc('SendMessage', sent(messageId, { referenceTaskIds: [await referred()] }))).result ?? {};
    const threadId = (await rig.store.callers.get(task?.id ?? ''))?.threadId ?? '';
    const runId = threadId.slice(callerThreadPrefix.length);
    const intake = await rig.store.intake.get({ agent: 'expenses', threadId, runId });
    return intake === null ? undefined : callerMessageIn(intake.body)?.references;
  };
  async function referred(): Promise<string> {
    const { task } = (await rpc('SendMessage', sent('the one referred to'))).result ?? {};
    const { id = '' } = task ?? {};
    const row = await rig.store.callers.get(id);
    const names = { workflowId: `a2a/expenses/${row?.threadId ?? ''}`, firstExecutionRunId: 'first' };
    await rig.store.tasks.put(
      { taskId: id, agent: 'expenses', threadId: row?.threadId ?? '', owner: 'anna', ...names },
      '2026-01-01T00:00:00.000Z',
    );
    await rig.store.tasks.update(id, { a2aTaskId: 'the-agents-own' });
    return id;
  }

  test('tasks that a message refers to are those of the agent when it receives them', async () => {
    expect(await agentsIds('refers')).toEqual(['the-agents-own']);
  });

  test('tasks that a message refers to that are not the caller’s own are not found', async () => {
    const id = await referred();
    const { error } = await rpc('SendMessage', sent('refers too', { referenceTaskIds: [id] }), 'ben');
    expect([error?.code, error?.message]).toEqual([-32_001, `task ${id} not found`]);
    const many = Array.from({ length: 21 }, (_one, index) => `t${index}`);
    expect((await rpc('SendMessage', sent('refers much', { referenceTaskIds: many }))).error?.code).toBe(-32_602);
  });
});

describe('a list of tasks', () => {
  beforeAll(async () => {
    await put('old', '2026-01-01T00:00:00.000Z', 'COMPLETED');
    await put('middle', '2026-02-01T00:00:00.000Z');
    await put('new', '2026-03-01T00:00:00.000Z', 'COMPLETED', 'd');
  });
  const list = async (filter: object): Promise<string[]> =>
    ((await rpc('ListTasks', filter, 'fin')).result?.tasks ?? []).map(({ id }) => id);

  // Promise V19
  test('a list of tasks has what changed last first, and is filtered by context, state and time', async () => {
    expect(await list({})).toEqual(['new', 'middle', 'old']);
    expect(await list({ contextId: 'c' })).toEqual(['middle', 'old']);
    expect(await list({ status: 'TASK_STATE_COMPLETED' })).toEqual(['new', 'old']);
    expect(await list({ statusTimestampAfter: '2026-01-15T01:00:00+01:00' })).toEqual(['new', 'middle']);
    expect(await list({ contextId: 'c', status: 'TASK_STATE_COMPLETED' })).toEqual(['old']);
    expect(await list({ contextId: 'nobody’s' })).toEqual([]);
  });

  // Promise V19
  test('a list of tasks comes page by page, each task once', async () => {
    const first = (await rpc('ListTasks', { pageSize: 2 }, 'fin')).result;
    const rest = (await rpc('ListTasks', { pageSize: 2, pageToken: first?.nextPageToken }, 'fin')).result;
    expect([...(first?.tasks ?? []), ...(rest?.tasks ?? [])].map(({ id }) => id)).toEqual(['new', 'middle', 'old']);
    expect([first?.totalSize, rest?.totalSize, rest?.nextPageToken ?? '']).toEqual([3, 3, '']);
  });

  // Promise V19
  test('a list of tasks brings as much of each as was asked for', async () => {
    const whole = (await rpc('ListTasks', { includeArtifacts: true, pageSize: 1 }, 'fin')).result?.tasks?.[0];
    expect([whole?.history?.length, whole?.artifacts?.length]).toEqual([2, 1]);
    expect(whole?.status.timestamp).toBe('2026-03-01T00:00:00.000Z');
    const bare = (await rpc('ListTasks', { historyLength: 0, pageSize: 1 }, 'fin')).result?.tasks?.[0];
    expect([bare?.history, bare?.artifacts]).toEqual([undefined, undefined]);
    const last = (await rpc('GetTask', { id: 'new', historyLength: 1 }, 'fin')).result;
    expect(last?.history?.map(({ messageId }) => messageId)).toEqual(['a-new']);
  });

  test.each([
    ['a state that is none', { status: 'TASK_STATE_TIRED' }],
    ['a time that is none', { statusTimestampAfter: 'yesterday' }],
    ['no tasks a page', { pageSize: -1 }],
    ['a negative history', { historyLength: -1 }],
  ])('a list of tasks is refused for %s', async (_what, filter) => {
    expect((await rpc('ListTasks', filter, 'fin')).error?.code).toBe(-32_602);
  });
});

// Promise V20
test('a subscriber receives each event once, from the very next one on', async () => {
  await put('followed', '2026-01-01T00:00:00.000Z');
  const ids = { taskId: 'followed', contextId: 'c' };
  const say = (text: string, state = 'WORKING'): JsonObject => ({
    statusUpdate: {
      ...ids,
      status: { state: `TASK_STATE_${state}`, message: { messageId: text, role: 'ROLE_AGENT', parts: [{ text }] } },
    },
  });
  const texts = Array.from({ length: 30 }, (_one, index) => `word ${index}`);
  const at = '2026-01-01T00:00:01.000Z';
  const tell = async (batch: string[], state: 'working' | 'completed' = 'working'): Promise<void> => {
    const wire = state === 'working' ? 'WORKING' : 'COMPLETED';
    for (const text of batch)
      await rig.store.callers.append('followed', [{ kind: 'event', event: say(text, wire) }], { state, at });
  };
  const subscribed = fetch(`${base}/a2a/expenses/tasks/followed:subscribe`, { headers: bearer('fin') });
  await tell(texts.slice(0, 15));
  const response = await subscribed;
  await tell(texts.slice(15));
  await tell(['end'], 'completed');
  // In the task with which it begins, as its past or its present, or as an event.
  const received = [...(await response.text()).matchAll(/"messageId":"(word \d+|end)"/g)].map(([, text]) => text);
  expect([received.length, new Set(received)]).toEqual([31, new Set([...texts, 'end'])]);
});
