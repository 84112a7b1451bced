import { beforeEach, describe, expect, test } from '@jest/globals';
import type { MessageInput } from '../../../src/contract/holds/decision.ts';
import type { Chat } from '../../../src/contract/views/inbox.ts';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import { refuse } from '../../../src/core/base/errors.ts';
import { taskIdOf } from '../../../src/core/base/ids.ts';
import { sha1Hex } from '../../../src/host/secrets/hash.ts';
import type { TaskRow } from '../../../src/store/store.ts';
import {
  aDecision,
  admittedAs,
  aHold,
  anEnd,
  aQuestion,
  aTask,
  bearer,
  fakeTasks,
  finished,
  freshThread,
  runBody,
  words,
  writeRun,
  type keys,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { aPrincipal, messagePlan } from '../../rigs/factories.ts';
import { keepSnapshot } from '../../rigs/store/store-writes.ts';
import { asKept } from '../../rigs/proofs.ts';

const rig = describeApi({ withKeys: true });
beforeEach(() => {
  Object.assign(rig.tasks, fakeTasks());
  rig.setNow(null);
});

const agent = 'expenses';
const chatOf = async (task: TaskRow, who: keyof typeof keys = 'anna') =>
  (await rig.app.inject({ method: 'GET', url: `/api/tasks/${task.taskId}/chat`, headers: bearer(who) })).json<Chat>();
const say = (task: TaskRow, payload: object, who: keyof typeof keys = 'anna') =>
  rig.app.inject({
    method: 'POST',
    url: `/api/tasks/${task.taskId}/chat/message`,
    headers: bearer(who),
    payload,
  });

/** A run of a client's: its message is kept, the agent's words are in its log and in the thread. */
async function aRun(task: TaskRow, runId: string, asked: string, answer: string): Promise<void> {
  const { threadId, taskId } = task;
  const key = { agent, threadId, runId };
  const message = { id: `${runId}-m`, role: 'user', content: asked };
  await rig.store.intake.put(
    asKept({
      ...key,
      fingerprint: 'print',
      principal: aPrincipal('anna'),
      receivedAt: new Date().toISOString(),
      plan: messagePlan(),
      body: runBody(threadId, runId, { messages: [message] }),
      messageIds: [message.id],
    }),
  );
  await writeRun(rig.store, key, [...words(`${runId}-a`, answer), finished(key)], 'success', { taskId });
  const kept = (await rig.store.threads.get(agent, threadId))?.messages ?? [];
  const reply = { id: `${runId}-a`, role: 'assistant', content: answer };
  await keepSnapshot(rig.store, agent, threadId, {}, [...kept, message, reply]);
}

describe('a task’s conversation', () => {
  test('a task’s conversation has the messages, questions and answers, oldest first', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    await aRun(task, 'r1', 'File my trip', 'I need to know more');
    const hold = await aHold(rig.store, task, { audience: ['role:finance'] });
    const decision = aDecision({ at: new Date().toISOString(), values: { city: 'Rome' } });
    await rig.store.holds.close(hold.holdId, anEnd('decided', decision, 'p'));
    await aRun(task, 'r2', 'And quickly', 'Filed');
    const { items, source } = await chatOf(task);
    expect(source).toBe('stored');
    expect(items.map(({ role, by, text, holdId }) => [role, by, text, holdId])).toEqual([
      ['user', 'anna', 'File my trip', null],
      ['agent', null, 'I need to know more', null],
      ['agent', null, 'Your trip', hold.holdId],
      ['person', 'fin', '', hold.holdId],
      ['user', 'anna', 'And quickly', null],
      ['agent', null, 'Filed', null],
    ]);
    expect(items.every(({ at }) => at !== null)).toBe(true);
  });

  // Promise Q16
  test('a task’s conversation is that of this task, not of others on its thread', async () => {
    const threadId = freshThread();
    const first = await aTask(rig.store, threadId, { owner: 'anna', status: 'DONE' });
    await aRun(first, 'r1', 'First', 'One');
    const second = await aTask(rig.store, threadId, { owner: 'anna', n: 2 });
    await aRun(second, 'r2', 'Second', 'Two');
    expect((await chatOf(first)).items.map(({ text }) => text)).toEqual(['First', 'One']);
    expect((await chatOf(second)).items.map(({ text }) => text)).toEqual(['Second', 'Two']);
  });

  test('a task’s conversation grows while the agent speaks', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const key = { agent, threadId: task.threadId, runId: 'r1' };
    await writeRun(rig.store, key, words('a1', 'So far').slice(0, 2), null, { taskId: task.taskId });
    expect((await chatOf(task)).items).toMatchObject([{ role: 'agent', text: 'So far' }]);
  });

  test('a task’s conversation has what a person asked back, before the question that was asked again for it', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const openedAt = new Date(Date.now() - 60_000).toISOString();
    const first = await aHold(rig.store, task, { openedAt });
    const key = { agent, threadId: task.threadId, runId: `standfast-${task.taskId}-talk-1` };
    const asked = [
      { type: 'TEXT_MESSAGE_START', messageId: 'back', role: 'user', name: 'fin' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'back', delta: 'Why so much?' },
      { type: 'TEXT_MESSAGE_END', messageId: 'back' },
    ];
    const spoken = [...asked, ...words('a1', 'It was late'), finished(key)];
    await writeRun(rig.store, key, spoken, 'interrupt', { taskId: task.taskId });
    const message = { id: 'back', role: 'user', name: 'fin', content: 'Why so much?' };
    const answer = { id: 'a1', role: 'assistant', content: 'It was late' };
    await keepSnapshot(rig.store, agent, task.threadId, {}, [message, answer]);
    const ended = { by: 'agent:expenses', at: new Date(Date.now() + 1).toISOString(), why: 'superseded' as const };
    const second = await aHold(rig.store, task, { n: 2, openedAt, supersedes: first.holdId });
    await rig.store.holds.close(first.holdId, { ...anEnd('withdrawn'), ended, supersededBy: second.holdId });
    const { items } = await chatOf(task);
    expect(items.map(({ role, by, text, holdId }) => [role, by, text, holdId])).toEqual([
      ['agent', null, 'Your trip', first.holdId],
      ['person', 'fin', 'Why so much?', null],
      ['agent', null, 'It was late', null],
      ['system', 'agent:expenses', '', first.holdId],
      ['agent', null, 'Your trip', second.holdId],
    ]);
  });

  test('a task’s conversation is there after its logs were thinned out', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', status: 'DONE' });
    await aRun(task, 'r1', 'File my trip', 'Filed');
    const run = await rig.store.runs.get({ agent, threadId: task.threadId, runId: 'r1' });
    expect(run).not.toBeNull();
    const messages = (await rig.store.threads.get(agent, task.threadId))?.messages ?? [];
    const thin = await aTask(rig.store, freshThread(), { owner: 'anna', status: 'DONE' });
    const key = { agent, threadId: thin.threadId, runId: 'r1' };
    await rig.store.intake.put(
      asKept({
        ...key,
        fingerprint: 'print',
        principal: aPrincipal('anna'),
        receivedAt: new Date().toISOString(),
        plan: messagePlan(),
        body: runBody(thin.threadId, 'r1', { messages: [{ id: 'r1-m', role: 'user', content: 'File my trip' }] }),
        messageIds: ['r1-m'],
      }),
    );
    await writeRun(rig.store, key, [finished(key)], 'success', { taskId: thin.taskId });
    await keepSnapshot(rig.store, agent, thin.threadId, {}, messages);
    expect((await chatOf(thin)).items.map(({ text }) => text)).toEqual(['File my trip', 'Filed']);
  });

  test('a task’s conversation shows the words that answered a text, what the clock decided, and files by name', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const text = await aHold(rig.store, task, { question: aQuestion({ kind: 'text', title: 'Which city?' }) });
    await rig.store.holds.close(text.holdId, anEnd('decided', aDecision({ values: { text: 'Rome' } }), 'p'));
    const late = await aHold(rig.store, task, { n: 2 });
    await rig.store.holds.close(late.holdId, anEnd('expired'));
    const key = { agent, threadId: task.threadId, runId: 'r1' };
    const file = {
      type: 'document',
      source: { type: 'url', value: 'https://files.example/r.pdf', mimeType: 'application/pdf' },
      metadata: { filename: 'r.pdf' },
    };
    await rig.store.intake.put(
      asKept({
        ...key,
        fingerprint: 'print',
        principal: aPrincipal('anna'),
        receivedAt: '2026-01-01T00:00:00.000Z',
        plan: messagePlan(),
        body: runBody(task.threadId, 'r1', {
          messages: [{ id: 'm', role: 'user', content: [{ type: 'text', text: 'Look' }, file] }],
        }),
        messageIds: ['m'],
      }),
    );
    await writeRun(rig.store, key, [finished(key)], 'success', { taskId: task.taskId });
    const { items } = await chatOf(task);
    expect(items[0]).toMatchObject({
      text: 'Look',
      files: [{ name: 'r.pdf', mediaType: 'application/pdf', url: 'https://files.example/r.pdf' }],
    });
    expect(items.find(({ id }) => id === `end:${text.holdId}`)).toMatchObject({ role: 'person', text: 'Rome' });
    expect(items.find(({ id }) => id === `end:${late.holdId}`)).toMatchObject({ role: 'system', by: 'policy:default' });
  });
});

describe('a person’s word to a task', () => {
  const messageId = '0f0e7c3e-8a5d-4c7c-9a53-2f1f6f1f0b11';

  // Promise CO15
  test.each(['decided', 'asked', 'injected'] as const)(
    'a person’s word to a task is %s as the workflow says',
    async (as) => {
      const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
      const commands: MessageInput[] = [];
      rig.tasks.message = async (_task, source) => {
        commands.push(source);
        return { kind: 'answer', value: { messageId: source.messageId ?? '', kind: as, taskStatus: 'IN_PROGRESS' } };
      };
      const response = await say(task, { text: 'Hurry', messageId });
      expect(response.json()).toEqual({ messageId, as, taskId: task.taskId });
      const textFingerprint = expect.stringMatching(/^sha256:/);
      expect(commands).toMatchObject([
        { text: 'Hurry', messageId, principal: { id: 'anna' }, receivedAt: expect.any(String), textFingerprint },
      ]);
    },
  );

  test.each([
    ['busy', 429],
    ['hold_closed', 409],
    ['interrupt_expired', 409],
    ['delivery_unknown', 409],
    ['run_conflict', 409],
    ['forbidden', 403],
  ] as const)('a person’s word to a task is refused with %s (%i) when the workflow says so', async (code, status) => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    rig.tasks.message = async () => ({ kind: 'refusal', refusal: refuse(code, 'no') });
    const response = await say(task, { text: 'Hurry' });
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ code, detail: 'no' });
  });

  test('a person’s word to a task that answers a question in text is checked before the workflow gets it, and carries the stamp', async () => {
    const stamps: MessageInput['checked'][] = [];
    rig.tasks.message = async (_task, { checked }) => {
      stamps.push(checked);
      return { kind: 'answer', value: { messageId, kind: 'decided', taskStatus: 'USER_INPUT_RECEIVED' } };
    };
    const asked = async (change: Parameters<typeof aQuestion>[0], audience = ['owner']): Promise<TaskRow> => {
      const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
      await aHold(rig.store, task, { audience, question: aQuestion(change) });
      return task;
    };
    const schema = { type: 'object', required: ['text'] };
    expect((await say(await asked({ kind: 'text', schema }), { text: 'Rome' })).statusCode).toBe(200);
    expect(stamps).toEqual([
      { digest: expect.stringMatching(/^sha256:/), fingerprint: expect.stringMatching(/^sha256:/) },
    ]);

    const unfit = await say(await asked({ kind: 'text', schema: { required: ['when'] } }), { text: 'Rome' });
    expect(unfit.statusCode).toBe(422);
    expect(unfit.json()).toMatchObject({ code: 'payload_invalid' });
    expect(stamps.length).toBe(1);

    // A form can be discussed, and who may not decide is refused by the workflow.
    await say(await asked({ schema }), { text: 'Rome' });
    await say(await asked({ kind: 'text', schema }, ['role:finance']), { text: 'Rome' });
    expect(stamps.slice(1)).toEqual([undefined, undefined]);
  });

  test('a person’s word to a task may be called text or message, and is refused when it is called neither or both', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const result: string[] = [];
    rig.tasks.message = async (_task, { text }) => {
      result.push(text);
      return { kind: 'answer', value: { messageId, kind: 'asked', taskStatus: 'NEEDS_REVIEW' } };
    };
    expect((await say(task, { message: 'Hurry' })).statusCode).toBe(200);
    expect(result).toEqual(['Hurry']);
    for (const payload of [{}, { text: 'a', message: 'b' }]) {
      expect((await say(task, payload)).json()).toMatchObject({ code: 'input_invalid' });
    }
  });

  test('a person’s word to a task that no worker takes is worker_unavailable: the same again is safe', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const response = await say(task, { text: 'Hurry' });
    expect(response.json()).toMatchObject({ code: 'worker_unavailable', status: 503 });
    expect(response.headers['retry-after']).toBeDefined();
  });

  test('a person’s word to a task may come from who is asked now, and no longer once that is over', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const hold = await aHold(rig.store, task, { audience: ['role:finance'] });
    rig.tasks.message = async () => ({
      kind: 'answer',
      value: { messageId, kind: 'asked', taskStatus: 'NEEDS_REVIEW' },
    });
    expect((await say(task, { text: 'Why?' }, 'fin')).json()).toMatchObject({ as: 'asked' });
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision(), 'p'));
    expect((await say(task, { text: 'Why?' }, 'fin')).statusCode).toBe(403);
  });

  test.each<[string, object]>([
    ['without text', {}],
    ['with an empty text', { text: '' }],
    ['with a number', { text: 7 }],
    ['with 16,001 characters', { text: 'x'.repeat(16_001) }],
    ['with an id of its own making', { text: 'a', messageId: 'x' }],
    ['as a list', []],
  ])('a person’s word to a task is input_invalid %s', async (_what, payload) => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    expect((await say(task, payload)).statusCode).toBe(400);
  });
});

describe('a word to a task that has ended', () => {
  const messageId = '6b1f5a36-54e4-4b12-8a43-6a2a0b1a9d01';
  const opening = (starts: TaskStart[]) => async (start: TaskStart) => {
    starts.push(start);
    // As a worker, which writes the row after the workflow has admitted the run.
    const { taskId, agent: of, threadId, owner } = start;
    const row = { taskId, agent: of, threadId, owner, workflowId: `w-${taskId}`, firstExecutionRunId: `f-${taskId}` };
    setImmediate(() => void rig.store.tasks.put(row, new Date().toISOString()));
    return admittedAs(start.taskId, start.opening.runId, 'opened');
  };

  // Promise Q17
  test('a word to a task that has ended begins the next one on its thread, once', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', status: 'DONE' });
    const state = { theme: 'dark', view: { tasks: {} } };
    await keepSnapshot(rig.store, agent, task.threadId, state, [{ id: 'm0', role: 'user', content: 'x' }]);
    const starts: TaskStart[] = [];
    rig.tasks.open = opening(starts);
    const first = await say(task, { text: 'One more thing', messageId });
    const runId = `chat-${messageId}`;
    const taskId = taskIdOf(sha1Hex, agent, task.threadId, runId);
    expect(first.json()).toEqual({ messageId, as: 'follow-up', taskId });
    // Who opens it next finds it.
    expect((await rig.store.tasks.get(taskId))?.taskId).toBe(taskId);
    expect(starts[0]).toMatchObject({ taskId, owner: 'anna', restartOf: null, opening: { runId } });
    const kept = await rig.store.intake.get({ agent, threadId: task.threadId, runId });
    expect(kept).toMatchObject({
      messageIds: [messageId],
      body: { state: { theme: 'dark' }, messages: [{ id: messageId, role: 'user', content: 'One more thing' }] },
    });
    expect(kept?.body['state']).not.toHaveProperty('view');
    await keepSnapshot(rig.store, agent, task.threadId, { theme: 'light' }, []);
    expect((await say(task, { text: 'One more thing', messageId })).json()).toEqual(first.json());
    expect((await say(task, { text: 'Another thing', messageId })).json()).toMatchObject({ code: 'run_conflict' });
  });

  // Promise Q66
  test('a word to a task that has ended begins nothing where it answered a question of that task', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const { taskId } = task;
    rig.tasks.message = async () => ({
      kind: 'answer',
      value: { messageId, kind: 'decided', taskStatus: 'USER_INPUT_RECEIVED' },
    });
    await say(task, { text: 'Rome', messageId });
    const hold = await aHold(rig.store, task, { question: aQuestion({ kind: 'text', title: 'Which city?' }) });
    const decision = aDecision({ values: { text: 'Rome' }, source: 'chat' });
    await rig.store.holds.close(hold.holdId, anEnd('decided', decision, 'p'));
    await rig.store.tasks.update(taskId, { status: 'DONE' });
    expect((await say(task, { text: 'Rome', messageId })).json()).toEqual({ messageId, as: 'decided', taskId });
    expect((await say(task, { text: 'Paris', messageId })).json()).toMatchObject({ code: 'run_conflict' });
    expect(rig.tasks.calls).toEqual([]);
  });

  // Promise Q66
  test('a word to a task that has ended is not a message to the task that it has begun when it is repeated while that one works', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', status: 'DONE' });
    rig.tasks.open = opening([]);
    const first = await say(task, { text: 'One more thing', messageId });
    const next = await aTask(rig.store, task.threadId, { owner: 'anna', n: 2 });
    for (const target of [task, next]) {
      expect((await say(target, { text: 'One more thing', messageId })).json()).toEqual(first.json());
      expect((await say(target, { text: 'Other', messageId })).json()).toMatchObject({ code: 'run_conflict' });
    }
    expect(rig.tasks.calls).toEqual([]);
  });

  // Promise Q66
  test('a word to a task that has ended begins nothing where that task took it before it ended, and is run_conflict with other words', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', status: 'DONE' });
    const { threadId, taskId } = task;
    const message = { id: messageId, role: 'user', content: 'Hurry' };
    await keepSnapshot(rig.store, agent, threadId, {}, [message]);
    expect((await say(task, { text: 'Hurry', messageId })).json()).toEqual({ messageId, as: 'asked', taskId });
    const key = { agent, threadId, runId: `standfast-${taskId}-message-${messageId}` };
    await writeRun(rig.store, key, [finished(key)], 'success', { taskId });
    expect((await say(task, { text: 'Hurry', messageId })).json()).toEqual({ messageId, as: 'injected', taskId });
    expect((await say(task, { text: 'Slower', messageId })).json()).toMatchObject({
      status: 409,
      code: 'run_conflict',
    });
    expect(rig.tasks.calls).toEqual([]);
  });

  test('a word to a task that has ended names an operator who is not its owner, and is refused to others', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', status: 'FAILED' });
    await aHold(rig.store, task, { audience: ['role:finance'], status: 'expired' });
    const starts: TaskStart[] = [];
    rig.tasks.open = opening(starts);
    expect((await say(task, { text: 'Again' }, 'fin')).json()).toMatchObject({ code: 'forbidden' });
    expect((await say(task, { text: 'Again', messageId }, 'op')).json()).toMatchObject({ as: 'follow-up' });
    const kept = await rig.store.intake.get({ agent, threadId: task.threadId, runId: `chat-${messageId}` });
    expect(kept?.body['messages']).toMatchObject([{ name: 'op' }]);
    expect(starts[0]).toMatchObject({ owner: 'anna', opening: { principal: { id: 'op' } } });
  });

  test('a word to a task that has ended goes to the task that is at work on its thread by now', async () => {
    const threadId = freshThread();
    const old = await aTask(rig.store, threadId, { owner: 'anna', status: 'DONE' });
    const next = await aTask(rig.store, threadId, { owner: 'anna', n: 2 });
    rig.tasks.message = async () => ({
      kind: 'answer',
      value: { messageId, kind: 'injected', taskStatus: 'IN_PROGRESS' },
    });
    expect((await say(old, { text: 'Hurry', messageId })).json()).toEqual({
      messageId,
      as: 'injected',
      taskId: next.taskId,
    });
  });

  test('a word to a task that has ended just now is a follow-up once its row says so', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    rig.tasks.open = opening([]);
    rig.tasks.message = async () => {
      await rig.store.tasks.update(task.taskId, { status: 'DONE' });
      return { kind: 'closed' };
    };
    expect((await say(task, { text: 'Hurry' })).json()).toMatchObject({ as: 'follow-up' });
  });

  test('a word to a task that has ended is kept and posted later when no worker is there', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', status: 'DONE' });
    expect((await say(task, { text: 'Later', messageId })).json()).toMatchObject({ code: 'worker_unavailable' });
    const kept = await rig.store.intake.get({ agent, threadId: task.threadId, runId: `chat-${messageId}` });
    expect(kept).toMatchObject({ admittedAt: null, refusedCode: null });
  });
});
