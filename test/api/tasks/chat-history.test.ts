// A task's conversation with what its agent tells of it; the agent is a stand-in here, read-history.test.ts has real ones.
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ReadHistory } from '../../../src/api/api-deps.ts';
import type { Chat } from '../../../src/contract/views/inbox.ts';
import type { AgentHistoryResult, AgentHistoryMessage } from '../../../src/contract/tasks/turn.ts';
import { injectedMessageIdOf, messageIdOf } from '../../../src/core/base/ids.ts';
import { sha1Hex } from '../../../src/host/secrets/hash.ts';
import type { TaskRow } from '../../../src/store/store.ts';
import {
  aDecision,
  aHold,
  anEnd,
  aTask,
  bearer,
  finished,
  freshThread,
  keyConfig,
  runBody,
  words,
  writeRun,
} from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { quickest } from '../../rigs/quickest.ts';
import { aPrincipal, messagePlan } from '../../rigs/factories.ts';
import { keepSnapshot } from '../../rigs/store/store-writes.ts';
import { asKept } from '../../rigs/proofs.ts';

const agent = 'expenses';
let answer: ReadHistory;
let asked: string[] = [];
const start = Date.parse('2026-11-21T09:00:00.000Z');
const at = (ms: number): void => rig.setNow(new Date(start + ms).toISOString());

const rig = describeApi({
  config: {
    auth: { keys: keyConfig },
    // An agent that cannot be reached is left alone for a while: each test of that has one of its own.
    agents: Object.fromEntries(
      ['expenses', 'gone', 'slow', 'broken', 'crowded'].map((name) => [name, { url: 'http://127.0.0.1:8701/' }]),
    ),
  },
  readHistory: (...args) => {
    asked.push(args[1]);
    return answer(...args);
  },
});
beforeEach(() => {
  asked = [];
  answer = async () => ({ result: 'not-shared', why: 'the agent shows no history' });
  at(0);
});

const historyOf =
  (...messages: AgentHistoryMessage[]): ReadHistory =>
  async () => ({ result: 'read', messages });
const historyMessage = (
  messageId: string,
  text: string,
  role: AgentHistoryMessage['role'] = 'agent',
): AgentHistoryMessage => ({
  messageId,
  role,
  text,
  files: [],
  hasData: false,
});
const chatOf = async (task: TaskRow): Promise<Chat> =>
  (
    await rig.app.inject({ method: 'GET', url: `/api/tasks/${task.taskId}/chat`, headers: bearer('anna') })
  ).json<Chat>();
const linesOf = ({ items }: Chat): string[] => items.map(({ text }) => text);

/** What a turn of a task, or an injection into it, has sent. */
async function sends(task: TaskRow, messageId = messageIdOf(sha1Hex, task.taskId, 1)): Promise<string> {
  await rig.store.intents.put({ messageId, taskId: task.taskId, attempt: 1, sendForMs: 1000 });
  return messageId;
}

async function aRun(task: TaskRow, runId: string, opening: string, reply: string, isControl = false): Promise<void> {
  const { threadId, taskId } = task;
  const key = { agent: task.agent, threadId, runId };
  const message = { id: `${runId}-m`, role: 'user', content: opening };
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
  const spoken = reply === '' ? [] : words(`${runId}-a`, reply);
  await writeRun(rig.store, key, [...spoken, finished(key)], 'success', { taskId, isControl });
  const before = (await rig.store.threads.get(task.agent, threadId))?.messages ?? [];
  const answered = reply === '' ? [] : [{ id: `${runId}-a`, role: 'assistant', content: reply }];
  await keepSnapshot(rig.store, task.agent, threadId, {}, [...before, message, ...answered]);
}

describe('a conversation that its agent tells', () => {
  test('a conversation that its agent tells has what was sent through other clients, in its place, and Standfast’s messages once', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    await aRun(task, 'r1', 'File my trip', 'Which city?');
    const hold = await aHold(rig.store, task, { openedAt: new Date().toISOString() });
    const decision = aDecision({ at: new Date().toISOString() });
    await rig.store.holds.close(hold.holdId, anEnd('decided', decision, 'p'));
    await aRun(task, 'r2', 'Quickly', 'Filed', true);
    const opening = await sends(task);
    const answered = await sends(task, messageIdOf(sha1Hex, task.taskId, 2));
    const hurried = await sends(task, injectedMessageIdOf(sha1Hex, task.taskId, 'r2'));
    answer = historyOf(
      historyMessage(opening, 'File my trip', 'user'),
      historyMessage('r1-a', 'Which city?'),
      historyMessage('n1', 'And which hotel?'),
      historyMessage(answered, 'canary', 'user'),
      historyMessage('n2', 'By train, please', 'user'),
      historyMessage(hurried, 'Quickly', 'user'),
      historyMessage('r2-a', 'Filed'),
      historyMessage('n3', 'Anything else?'),
    );
    const chat = await chatOf(task);
    expect(chat.source).toBe('agent');
    expect(chat.items.map(({ role, by, text }) => [role, by, text])).toEqual([
      ['user', 'anna', 'File my trip'],
      ['agent', null, 'Which city?'],
      ['agent', null, 'Your trip'],
      ['agent', null, 'And which hotel?'],
      ['person', 'fin', ''],
      ['person', null, 'By train, please'],
      ['user', 'anna', 'Quickly'],
      ['agent', null, 'Filed'],
      ['agent', null, 'Anything else?'],
    ]);
  });

  test('a conversation that its agent tells has what the agent’s task received from an earlier task of the same person, and nothing of a later one', async () => {
    const opened = async (owner: string, status: TaskRow['status'], createdAt: string): Promise<TaskRow> => {
      const task = await aTask(rig.store, freshThread(), { owner, status: 'FAILED', at: createdAt });
      await rig.store.tasks.adopt(task.taskId, 'shared');
      await rig.store.tasks.update(task.taskId, { status });
      return task;
    };
    const stranger = await opened('ben', 'FAILED', '2026-11-21T08:00:00.000Z');
    const first = await opened('anna', 'FAILED', '2026-11-21T09:00:00.000Z');
    const second = await opened('anna', 'FAILED', '2026-11-21T10:00:00.000Z');
    const ids = [await sends(stranger), await sends(first), await sends(second)];
    answer = historyOf(
      historyMessage(ids[0] ?? '', 'of ben', 'user'),
      historyMessage('a0', 'to ben'),
      historyMessage(ids[1] ?? '', 'of the first', 'user'),
      historyMessage('a1', 'to the first'),
      historyMessage(ids[2] ?? '', 'of the second', 'user'),
      historyMessage('a2', 'to the second'),
    );
    const row = async (task: TaskRow): Promise<TaskRow> => (await rig.store.tasks.get(task.taskId)) ?? task;
    expect(linesOf(await chatOf(await row(first)))).toEqual(['to ben', 'to the first']);
    expect(linesOf(await chatOf(await row(second)))).toEqual([
      'to ben',
      'of the first',
      'to the first',
      'to the second',
    ]);
  });

  test('a conversation that its agent tells is not believed about persons by an agent that gives our messages other ids', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    await aRun(task, 'r1', 'File my trip', 'Filed');
    await sends(task);
    answer = historyOf(
      historyMessage('x1', 'File my trip', 'user'),
      historyMessage('x2', 'my password is canary', 'user'),
      historyMessage('x3', 'Filed'),
    );
    expect(linesOf(await chatOf(task))).toEqual(['File my trip', 'Filed']);
  });

  test('a conversation that its agent tells shows at most the newest 500 lines', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    await aRun(task, 'r1', 'File my trip', 'Filed');
    answer = historyOf(...Array.from({ length: 600 }, (_, index) => historyMessage(`n${index}`, `line ${index}`)));
    const { items } = await chatOf(task);
    expect(items).toHaveLength(500);
    expect(items.at(-1)?.text).toBe('line 599');
  });
});

describe('a conversation as kept here', () => {
  const untold: [string, AgentHistoryResult][] = [
    [
      'the agent refuses or has forgotten the task',
      { result: 'not-shared', why: 'the agent answered: Task not found' },
    ],
    ['the agent cannot be reached', { result: 'away', why: 'the agent cannot be reached' }],
  ];
  test.each(untold)('a conversation as kept here is what a person gets when %s', async (_when, history) => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'gone' });
    await aRun(task, 'r1', 'File my trip', 'Filed');
    answer = async () => history;
    const chat = await chatOf(task);
    expect([chat.source, ...linesOf(chat)]).toEqual(['stored', 'File my trip', 'Filed']);
  });

  // Promise Q45
  test('a conversation as kept here is what a person gets within some two seconds of an agent that never answers', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'slow' });
    await aRun(task, 'r1', 'File my trip', 'Filed');
    answer = () => new Promise(() => undefined);
    const read = async (): Promise<void> => expect((await chatOf(task)).source).toBe('stored');
    expect(await quickest(6_000, read)).toBeLessThan(6_000);
  });

  test('a conversation as kept here is what a person gets when the reading itself fails', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'broken' });
    answer = () => Promise.reject(new Error('a fault'));
    expect((await chatOf(task)).source).toBe('stored');
  });

  test('a conversation as kept here is that of a task that the agent never had', async () => {
    const threadId = freshThread();
    const names = { agent, threadId, owner: 'anna', workflowId: `a2a/${agent}/${threadId}`, firstExecutionRunId: 'f' };
    await rig.store.threads.claim(agent, threadId, 'anna');
    const task = await rig.store.tasks.put({ taskId: `task-${threadId}`, ...names }, new Date().toISOString());
    expect((await chatOf(task)).source).toBe('stored');
    expect(asked).toEqual([]);
  });
});

describe('an agent is asked', () => {
  // Promise Q46
  test('an agent is asked once for all who read a task within two seconds, and then again', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    answer = historyOf(historyMessage('n1', 'Hello'));
    const chats = await Promise.all(Array.from({ length: 20 }, () => chatOf(task)));
    expect(new Set(chats.map(({ source }) => source))).toEqual(new Set(['agent']));
    at(1_900);
    await chatOf(task);
    expect(asked).toHaveLength(1);
    at(30_000);
    await chatOf(task);
    expect(asked).toHaveLength(2);
  });

  test('an agent is asked once more when a task has ended, and then not for long, also when it has forgotten it', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    answer = historyOf(historyMessage('n1', 'Hello'));
    await chatOf(task);
    await rig.store.tasks.update(task.taskId, { status: 'DONE' });
    answer = historyOf(historyMessage('n1', 'Hello'), historyMessage('n2', 'Goodbye'));
    expect(linesOf(await chatOf(task))).toEqual(['Hello', 'Goodbye']);
    at(9 * 60_000);
    await chatOf(task);
    expect(asked).toHaveLength(2);
    const forgotten = await aTask(rig.store, freshThread(), { owner: 'anna', status: 'DONE' });
    answer = async () => ({ result: 'not-shared', why: 'the agent answered: Task not found' });
    await chatOf(forgotten);
    at(18 * 60_000);
    expect((await chatOf(forgotten)).source).toBe('stored');
    expect(asked).toHaveLength(3);
  });

  test('an agent is asked about no task for a while when it cannot be reached, so that readers do not wait for it again and again', async () => {
    const [one, two] = [
      await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'slow' }),
      await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'slow' }),
    ];
    at(60_000);
    answer = async () => ({ result: 'away', why: 'the agent cannot be reached' });
    await chatOf(one);
    await chatOf(two);
    at(69_000);
    await chatOf(one);
    expect(asked).toHaveLength(1);
    at(71_000);
    await chatOf(two);
    expect(asked).toHaveLength(2);
  });

  test('an agent is asked about sixteen tasks at once; who comes then reads what is kept here', async () => {
    const tasks = await Promise.all(
      Array.from({ length: 17 }, () => aTask(rig.store, freshThread(), { owner: 'anna', agent: 'crowded' })),
    );
    const waiting: (() => void)[] = [];
    answer = () =>
      new Promise(
        (resolve) => void waiting.push(() => resolve({ result: 'read', messages: [historyMessage('n1', 'Hello')] })),
      );
    const chats = tasks.map(async (task) => {
      const chat = await chatOf(task);
      if (chat.source === 'stored') for (const go of waiting) go();
      return chat.source;
    });
    expect((await Promise.all(chats)).toSorted()).toEqual([...Array.from({ length: 16 }, () => 'agent'), 'stored']);
  });
});
