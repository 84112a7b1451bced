import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { injectMessage } from '../../src/activities/turn/inject-message.ts';
import type { InjectInput, MessageWaits, Waited } from '../../src/contract/tasks/activity.ts';
import type { AguiEvent } from '../../src/contract/tasks/run.ts';
import type { JsonObject } from '../../src/contract/base/json.ts';
import { holdIdOf } from '../../src/core/base/ids.ts';
import type { TurnOutcome } from '../../src/contract/tasks/turn.ts';
import { fingerprintOf, sha1Hex } from '../../src/host/secrets/hash.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import type { WaitingMessage } from '../../src/store/ports/circuits.ts';
import type { RunRow, Store } from '../../src/store/store.ts';
import { createScriptedAgent } from '../rigs/agents/scripted-agent.ts';
import { aTurn, replyOf, type Attempt, type TurnCase } from './turns.ts';
import { AgentConfigSchema } from '../../src/contract/configuration/agent-config.ts';
import { questionOfHeldMessage } from '../../src/core/questions/held-call.ts';
import { aDigestedRow, aProvedDecision, asKept, closeSent } from '../rigs/proofs.ts';
import { aHold, decidedBy } from '../store/stores.ts';
import { aPrincipal, aQuestion, messagePlan, taskId as otherTask } from '../rigs/factories.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

let tasks = 0;
/** What the last message came to. */
let waits: MessageWaits | null = null;

/** A turn that works, its first message shown. */
async function aWorkingTurn(): Promise<{ turn: TurnCase; first: Attempt }> {
  tasks += 1;
  const turn = await aTurn(store, createScriptedAgent(`inject-${tasks}`));
  const first = turn.attempt(1);
  await turn.agent.untilRead();
  turn.agent.token('one ');
  await turn.shows('one ');
  return { turn, first };
}

/** Keeps a run with this message, and passes it on. */
async function inject(
  turn: TurnCase,
  message: string | InjectInput['message'],
  options: {
    by?: string;
    attempt?: number;
    runId?: string;
    waited?: Waited;
    metadata?: JsonObject;
    /** What a writer of the database puts in its row. */
    altered?: object;
  } = {},
): Promise<RunRow | null> {
  const { by = 'local', attempt = 1, runId = `into-${tasks}`, waited = { times: 0, since: null } } = options;
  const { task } = turn.input;
  const { agent, threadId } = task;
  const say = typeof message === 'string' ? null : message;
  if (say === null) {
    const messages: JsonObject[] = [
      { id: 'm', role: 'user', content: 'hello' },
      { id: `m-${runId}`, role: 'user', content: message },
    ];
    const { metadata = {} } = options;
    const body = { threadId, runId, messages, forwardedProps: { a2a: { metadata } } };
    const principal = aPrincipal(by);
    const row = {
      agent,
      threadId,
      runId,
      fingerprint: fingerprintOf(body),
      principal,
      receivedAt: new Date().toISOString(),
      plan: messagePlan(),
      body,
    };
    await store.intake.put({ ...asKept({ ...row, messageIds: [`m-${runId}`] }), ...options.altered });
  }
  const environment = new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') });
  const input: InjectInput = { task, runId, message: say, a2aTaskId: null, contextId: null, waited };
  waits = await environment.run<[], MessageWaits | null, () => Promise<MessageWaits | null>>(() =>
    injectMessage(turn.deps, input),
  );
  return store.runs.get({ agent, threadId, runId });
}

const usersIn = async (turn: TurnCase): Promise<JsonObject[]> =>
  (await turn.view()).messages.filter(({ id, role }) => role === 'user' && id !== 'm');

const logOf = async (run: RunRow | null): Promise<AguiEvent[]> =>
  run === null ? [] : (await store.log.read(run.logId, 0)).map(({ event }) => event);

async function endOf(turn: TurnCase, attempt: Attempt): Promise<TurnOutcome> {
  turn.agent.state('completed');
  return attempt.outcome;
}

describe('a message into a working task', () => {
  // Promise B10, W12
  test('a message into a working task is shown in the long run between the agent’s messages, and sent to it once', async () => {
    const { turn, first } = await aWorkingTurn();
    const run = await inject(turn, 'faster, please');
    turn.agent.token('two ');
    await turn.shows('one two ');
    expect(await endOf(turn, first)).toMatchObject({ kind: 'ended' });
    expect(await usersIn(turn)).toEqual([{ id: `m-into-${tasks}`, role: 'user', content: 'faster, please' }]);
    expect(replyOf(await turn.view())).toBe('one two ');
    expect(turn.agent.sent).toHaveLength(2);
    expect(run).toMatchObject({ isControl: true, status: 'success' });
    expect(await logOf(run)).toContainEqual({
      type: 'CUSTOM',
      name: 'standfast.injected',
      value: { runId: turn.input.runId, messageIds: [`m-into-${tasks}`] },
    });
    const seqs = await turn.seqs();
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  // Promise W12
  test('a message into a working task names the person when it is not the owner of the thread', async () => {
    const { turn, first } = await aWorkingTurn();
    await inject(turn, 'I am ben', { by: 'ben' });
    expect(await usersIn(turn)).toMatchObject([{ role: 'user', name: 'ben', content: 'I am ben' }]);
    await endOf(turn, first);
  });

  // Promise Y79f
  test.each([
    ['its words', { body: { messages: [{ id: 'm', role: 'user', content: 'pay eve' }], threadId: 't', runId: 'r' } }],
    ['who wrote it', { principal: { id: 'ceo', roles: [], isSuper: false } }],
  ])('a message into a working task is not sent where a writer of the database changed %s', async (_what, altered) => {
    const { turn, first } = await aWorkingTurn();
    const run = await inject(turn, 'faster, please', { altered });
    expect(turn.agent.sent).toHaveLength(1);
    expect(run).toMatchObject({ isControl: true, status: 'error' });
    expect(JSON.stringify(await logOf(run))).toContain('is not as it came');
    await endOf(turn, first);
  });

  // Promise W5b
  test('a message into a working task whose agent is away waits outside of any slot, and is sent once it is tried again', async () => {
    const { turn, first } = await aWorkingTurn();
    const waiting: WaitingMessage[] = [];
    const { circuits } = turn.deps;
    turn.deps.circuits = {
      ...circuits,
      passage: () => Promise.resolve({ goes: false, since: 'now', cause: 'network' }),
      wait: (message) => Promise.resolve(waiting.push(message) > 0),
    };
    await inject(turn, 'faster');
    expect(waits).toMatchObject({ kind: 'waits', since: expect.any(String), again: expect.any(String) });
    expect(waiting).toMatchObject([{ taskId: turn.input.task.taskId, agent: 'fake', resumes: 0, hasAnswers: false }]);
    expect(turn.agent.sent).toHaveLength(1);
    turn.deps.circuits = circuits;
    const run = await inject(turn, 'faster', { waited: { times: 1, since: waits?.since ?? null } });
    expect(waits).toBeNull();
    expect(turn.agent.sent).toHaveLength(2);
    expect(run).toMatchObject({ status: 'success' });
    await endOf(turn, first);
  });

  test('a message into a working task may come without a run of a client', async () => {
    const { turn, first } = await aWorkingTurn();
    const run = await inject(turn, { messageId: 'said-1', text: 'from the inbox', by: 'ben' });
    expect(run).toMatchObject({ isControl: true, opener: 'standfast', status: 'success' });
    expect(await usersIn(turn)).toEqual([{ id: 'said-1', role: 'user', content: 'from the inbox', name: 'ben' }]);
    expect(turn.agent.sent.at(-1)).toMatchObject({ parts: [{ kind: 'text', text: 'from the inbox' }] });
    await endOf(turn, first);
  });

  // Promise W12
  test('a message into a working task whose attempt died after it was delivered is neither sent nor shown again', async () => {
    const { turn, first } = await aWorkingTurn();
    const { intents } = turn.deps.store;
    const whole = turn.deps.store;
    // Dies between showing the message and noting that it was delivered.
    turn.deps.store = { ...whole, intents: { ...intents, delivered: () => Promise.reject(new Error('killed')) } };
    await expect(inject(turn, 'once')).rejects.toThrow('killed');
    turn.deps.store = whole;
    const run = await inject(turn, 'once', { attempt: 2 });
    expect(run).toMatchObject({ status: 'success' });
    expect(await usersIn(turn)).toHaveLength(1);
    expect(turn.agent.sent).toHaveLength(2);
    await endOf(turn, first);
  });

  test('a message into a working task is known to the attempt after a crash of the turn', async () => {
    const { turn, first } = await aWorkingTurn();
    await inject(turn, 'still here?');
    first.cancel('WORKER_SHUTDOWN');
    await expect(first.outcome).rejects.toThrow();
    const second = turn.attempt(2);
    await turn.agent.untilRead();
    turn.agent.token('two ');
    await turn.shows('one two ');
    expect(await endOf(turn, second)).toMatchObject({ kind: 'ended' });
    expect(await usersIn(turn)).toMatchObject([{ content: 'still here?' }]);
  });

  test('a message into a working task is shown while the turn is parked, and has the task polled soon', async () => {
    const { turn, first } = await aWorkingTurn();
    first.cancel('WORKER_SHUTDOWN');
    await expect(first.outcome).rejects.toThrow();
    const { taskId, agent, workflowId, firstExecutionRunId } = turn.input.task;
    const { a2aTaskId } = turn.agent.task();
    const names = { taskId, agent, workflowId, firstExecutionRunId, a2aTaskId };
    await store.tasks.watch({ ...names, kind: 'turn', watchVersion: 0, seen: '' }, 3_600_000);
    await inject(turn, 'anybody?');
    expect(await usersIn(turn)).toMatchObject([{ content: 'anybody?' }]);
    const due = await store.tasks.dueWatches(100, 1_000);
    expect(due.map((watch) => watch.taskId)).toContain(taskId);
  });

  test('a message into a working task that the agent refuses is not shown, and ends in an error of its own run', async () => {
    const { turn, first } = await aWorkingTurn();
    const { transport } = turn.agent;
    const fails = { next: () => Promise.reject(new Error('no')) };
    turn.deps.transportOf = () => ({
      ...transport,
      sendStream: () => ({ [Symbol.asyncIterator]: () => fails }),
      classify: () => ({ kind: 'final', what: 'refused', wasTaken: false, message: 'not like this' }),
    });
    const run = await inject(turn, 'refuse me');
    expect(run).toMatchObject({ status: 'error' });
    expect((await logOf(run)).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'agent_rejected' });
    expect(await usersIn(turn)).toEqual([]);
    await endOf(turn, first);
  });
});

// Promise Y79c
test('a message into a working task has no metadata that its agent may read as an answer', async () => {
  const { turn, first } = await aWorkingTurn();
  const approvals = { approved: true, 'https://kagent.dev/hitl': { approved: true } };
  await inject(turn, 'faster', { metadata: { tenant: 'blue', ...approvals } });
  expect(turn.agent.sent.at(-1)?.metadata).toEqual({ tenant: 'blue' });
  await endOf(turn, first);
});

// Promise Y79g
test('a message into a working task is not sent where its agent waits for an answer in words in the same context', async () => {
  const { turn, first } = await aWorkingTurn();
  const { taskId, agent } = turn.input.task;
  const contextId = (await store.tasks.get(taskId))?.contextId ?? '';
  const other = { ...turn.input.task, taskId: `${taskId}-other`, threadId: `${tasks}-other` };
  await store.tasks.put(other, new Date().toISOString());
  await store.tasks.update(other.taskId, { status: 'NEEDS_REVIEW', contextId });
  const question = aQuestion({ dialect: 'plain', kind: 'text' });
  await store.holds.putOnce([aDigestedRow({ ...aHold({ taskId: other.taskId, agent }), question })]);
  const run = await inject(turn, 'yes, do it');
  expect(turn.agent.sent).toHaveLength(1);
  expect(JSON.stringify(await logOf(run))).toContain('waits for an answer in this context');
  await store.tasks.update(other.taskId, { status: 'DONE' });
  await endOf(turn, first);
});

// Promise Y79d
test('a message into a working task that asks people by then is not sent to its agent as their answer', async () => {
  const { turn, first } = await aWorkingTurn();
  const { taskId, agent } = turn.input.task;
  await store.holds.putOnce([aDigestedRow(aHold({ taskId, agent }))]);
  const run = await inject(turn, 'yes, do it');
  expect(turn.agent.sent).toHaveLength(1);
  expect(JSON.stringify(await logOf(run))).toContain('asks people');
  turn.agent.state('completed');
  await first.outcome;
});

describe('a message into a task of an agent with a gate', () => {
  const gate = { policy: 'pay', skills: ['transfer'] };
  const aGated = async (own: JsonObject = gate): Promise<{ turn: TurnCase; first: Attempt }> => {
    const working = await aWorkingTurn();
    const skills = ['any', 'transfer'].map((id) => ({ id, name: id, description: '', tags: [] }));
    await store.agents.saveCard('fake', { name: 'fake', skills });
    working.turn.deps.config.agents['fake'] = AgentConfigSchema.parse({ url: 'http://127.0.0.1:1/', gate: own });
    return working;
  };
  /** `end`: as a worker ends it, or as a writer of the database does; `of`: the task that people let begin. */
  const letBegin = async ({ input }: TurnCase, { end = 'worker', of = input.task.taskId } = {}): Promise<void> => {
    const { taskId, agent, owner } = input.task;
    const held = { runId: input.runId, digest: 'd' };
    const asked = { agent, title: agent, policy: 'pay', held, content: {}, skill: null, isAgain: false };
    const hold = aHold({ taskId, agent });
    const holdId = holdIdOf(sha1Hex, of, hold.n);
    const base = { ...hold, holdId, owner, question: questionOfHeldMessage(asked) };
    const row = aDigestedRow({ ...base, audience: ['role:finance'] });
    await store.holds.putOnce([row]);
    const at = '2026-11-28T09:00:00.000Z';
    const decision = aProvedDecision(row, { by: aPrincipal('fin', 'finance'), at });
    const closed = { ...decidedBy('fin', at), decision };
    await (end === 'worker' ? closeSent(store, row.holdId, closed) : store.holds.close(row.holdId, closed));
  };

  // Promise GA10a
  test.each<[string, JsonObject, JsonObject]>([
    ['names a held skill', gate, { skill: 'transfer' }],
    ['names several skills', gate, { skill: 'any', skillId: 'transfer' }],
    ['names none, where each first message is held', { policy: 'pay' }, {}],
  ])(
    'a message into a task of an agent with a gate is not sent if it %s, and people did not let the task begin',
    async (_what, own, metadata) => {
      const { turn, first } = await aGated(own);
      const run = await inject(turn, 'pay eve', { metadata });
      expect(turn.agent.sent).toHaveLength(1);
      expect(JSON.stringify(await logOf(run))).toContain('the agent has a gate');
      await endOf(turn, first);
    },
  );

  // Promise GA10a
  test.each<[string, JsonObject]>([
    ['no skill', {}],
    ['another skill than those that are held', { skill: 'any' }],
  ])('a message into a task of an agent with a gate is sent if it names %s', async (_what, metadata) => {
    const { turn, first } = await aGated();
    await inject(turn, 'faster', { metadata });
    expect(turn.agent.sent).toHaveLength(2);
    await endOf(turn, first);
  });

  // Promise GA10a
  test.each<[string, { end?: string; of?: typeof otherTask }]>([
    ['no worker ended', { end: 'database' }],
    ['is of another task', { of: otherTask }],
  ])('a message into a task of an agent with a gate is not sent by a yes that %s', async (_what, forged) => {
    const { turn, first } = await aGated();
    await letBegin(turn, forged);
    await inject(turn, 'pay eve', { metadata: { skill: 'transfer' } });
    expect(turn.agent.sent).toHaveLength(1);
    await endOf(turn, first);
  });

  // Promise GA10a
  test('a message into a task of an agent with a gate is sent once people let that task begin', async () => {
    const { turn, first } = await aGated();
    await letBegin(turn);
    await inject(turn, 'and this', { metadata: { skill: 'transfer' } });
    expect(turn.agent.sent).toHaveLength(2);
    await endOf(turn, first);
  });
});
