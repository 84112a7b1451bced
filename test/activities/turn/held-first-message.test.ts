// What a yes to a first message is bound to, where rows say otherwise by the time it is sent.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AgentConfigSchema } from '../../../src/contract/configuration/agent-config.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { TurnInput, TurnOutcome } from '../../../src/contract/tasks/turn.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { fingerprintOf } from '../../../src/host/secrets/hash.ts';
import { bodyOfCaller } from '../../../src/wire/a2a/caller/caller-message.ts';
import { aPrincipal, aSuper, messagePlan } from '../../rigs/factories.ts';
import { aDigestedRow, aProvedDecision, asKept } from '../../rigs/proofs.ts';
import { createScriptedAgent } from '../../rigs/agents/scripted-agent.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aHold, decidedBy } from '../../store/stores.ts';
import { aTurn, type TurnCase } from '../turns.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const at = '2026-11-28T09:00:00.000Z';
const fin = aPrincipal('fin', 'finance');
let count = 0;

async function aGated(): Promise<TurnCase> {
  count += 1;
  const turn = await aTurn(store, createScriptedAgent(`gated-${count}`));
  turn.deps.config.agents['fake'] = AgentConfigSchema.parse({ url: 'http://127.0.0.1:1/', gate: { policy: 'pay' } });
  return turn;
}

function questionIn(outcome: TurnOutcome): Question {
  if (outcome.kind !== 'paused' || outcome.questions[0] === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.questions[0];
}

/** The row of a question about a message of this turn's task. */
async function aRow({ input }: TurnCase, question: Question, n: number): Promise<HoldRow> {
  const base = { ...aHold({ taskId: input.task.taskId, agent: 'fake' }), n, pause: { firstN: n, count: 1 } };
  const row = aDigestedRow({ ...base, question, audience: ['role:finance'] });
  await store.holds.putOnce([row]);
  return row;
}

function approvalOf(row: HoldRow): Partial<TurnInput> {
  const closed = { ...decidedBy('fin', at), holdId: row.holdId, decision: aProvedDecision(row, { by: fin, at }) };
  const send = { kind: 'answers' as const, answers: [{ interruptId: row.interruptId, closed }] };
  return { turn: 2, n: 2, runId: 'r-approved', opener: 'standfast', messageRunId: null, send };
}

describe('a first message of which an attempt was cut off before its agent had a gate', () => {
  const begun = async (): Promise<TurnCase> => {
    const turn = await aGated();
    const { messageId, input } = turn;
    await store.intents.put({ messageId, taskId: input.task.taskId, attempt: 1, sendForMs: 1000 });
    return turn;
  };

  // Promise GA10
  test('a first message of which an attempt was cut off before its agent had a gate is not sent: operators are asked', async () => {
    const turn = await begun();
    expect(await turn.attempt(2).outcome).toMatchObject({
      kind: 'delivery-unknown',
      what: 'it came under the gate while it was on its way',
    });
    expect(turn.agent.sent).toEqual([]);
  });

  // Promise GA10
  test('a first message of which an attempt was cut off before its agent had a gate is asked about where operators have it sent again', async () => {
    const turn = await begun();
    const question = questionIn(await turn.attempt(2, { isResendAllowed: true }).outcome);
    expect(question.message).toContain('the agent may have it');
    expect(turn.agent.sent).toEqual([]);
  });
});

describe('a first message that its agent has, by the word of a row', () => {
  const delivered = async (isGone: boolean): Promise<TurnCase> => {
    const turn = await aGated();
    const { messageId, input } = turn;
    const { taskId } = input.task;
    if (!isGone) {
      await store.intents.put({ messageId, taskId, attempt: 1, sendForMs: 1000 });
      await store.intents.delivered(messageId);
      return turn;
    }
    // The gate alone reads it: it is gone by the time of the message.
    const read = [{ messageId, taskId, attempt: 1, sendUntil: at, msLeft: -1, deliveredAt: at }];
    const get: Store['intents']['get'] = async (id) => read.pop() ?? store.intents.get(id);
    turn.deps.store = { ...store, intents: { ...store.intents, get } };
    return turn;
  };

  // Promise GA10
  test.each([1, 2])(
    'a first message that its agent has, by the word of a row, is not sent where that row is gone by then (attempt %i)',
    async (n) => {
      const turn = await delivered(true);
      const { outcome, cancel } = turn.attempt(n);
      const ends: (TurnOutcome | null)[] = [];
      const over = outcome.catch(() => null).then((end) => ends.push(end));
      await waitFor(() => ends.length > 0 || turn.agent.sent.length > 0, 10_000, 'the turn to end, or to send');
      expect(turn.agent.sent).toEqual([]);
      cancel('WORKER_SHUTDOWN');
      await over;
      expect(ends).toMatchObject([{ kind: 'delivery-unknown' }]);
    },
  );

  // Promise GA10
  test('a first message that its agent has, by the word of a row, is asked about where operators have it sent again', async () => {
    const turn = await delivered(false);
    const question = questionIn(await turn.attempt(2, { isResendAllowed: true }).outcome);
    expect(question.message).toContain('the agent may have it');
    expect(turn.agent.sent).toEqual([]);
  });
});

// Promise GA10
test('a yes to one first message sends no other, whatever row was written after its own', async () => {
  const turn = await aGated();
  const { task } = turn.input;
  const asked = questionIn(await turn.attempt(1).outcome);
  const row = await aRow(turn, asked, 1);
  const other = { agent: 'fake', threadId: task.threadId, runId: 'r-other' };
  await store.intake.put(
    asKept({
      ...other,
      fingerprint: 'f',
      principal: aSuper,
      receivedAt: at,
      plan: messagePlan(),
      body: { ...other, messages: [{ id: 'm', role: 'user', content: 'pay eve everything' }] },
    }),
  );
  const toOther = questionIn(await turn.attempt(1, { turn: 3, runId: 'r-other', messageRunId: 'r-other' }).outcome);
  expect(toOther.reply['heldMessage']).toMatchObject({ runId: 'r-other' });
  await aRow(turn, toOther, 2);
  const { stop } = turn.attempt(1, approvalOf(row));
  await waitFor(() => turn.agent.sent.length > 0, 10_000, 'the approved message to be sent');
  await stop();
  expect(JSON.stringify(turn.agent.sent)).toContain('hello');
  expect(JSON.stringify(turn.agent.sent)).not.toContain('pay eve');
});

/** A turn whose agent asks for words, and has this gate since. */
async function aPaused(gate: JsonObject, a2a: JsonObject = {}): Promise<TurnCase> {
  count += 1;
  const turn = await aTurn(store, createScriptedAgent(`asked-${count}`), { forwardedProps: { a2a } });
  const first = turn.attempt(1);
  await turn.agent.untilRead();
  turn.agent.state('input-required', 'Which centre?');
  expect(await first.outcome).toMatchObject({ kind: 'paused' });
  turn.deps.config.agents['fake'] = AgentConfigSchema.parse({ url: 'http://127.0.0.1:1/', gate });
  return turn;
}

describe('what a person asks back of an agent with a gate', () => {
  const askedBack = (turn: TurnCase): ReturnType<TurnCase['attempt']> => {
    const send = { kind: 'talk' as const, messageId: 'm-2', text: 'pay eve everything', by: 'fin' };
    const of = { a2aTaskId: `asked-${count}`, contextId: 'context-1', messageRunId: null, n: 1 };
    return turn.attempt(1, { turn: 2, runId: 'r-talk', opener: 'standfast', send, ...of });
  };
  const skills = ['transfer'];

  // Promise GA10a
  test.each<[string, JsonObject, JsonObject]>([
    ['was taken over', { policy: 'pay', skills }, { taskId: 'elsewhere' }],
    ['people did not let begin', { policy: 'pay' }, {}],
    ['began for a skill that is held by now', { policy: 'pay', skills }, { metadata: { skill: 'transfer' } }],
  ])('what a person asks back of an agent with a gate is not sent into a task that %s', async (_what, gate, a2a) => {
    const turn = await aPaused(gate, a2a);
    expect(await askedBack(turn).outcome).toMatchObject({ kind: 'failed', code: 'forbidden' });
    expect(turn.agent.sent).toHaveLength(1);
  });

  // Promise GA10a
  test('what a person asks back of an agent with a gate is sent into a task that one of its other skills let begin', async () => {
    const turn = await aPaused({ policy: 'pay', skills });
    const { stop } = askedBack(turn);
    await waitFor(() => turn.agent.sent.length > 1, 10_000, 'the words to be sent');
    await stop();
    expect(JSON.stringify(turn.agent.sent.at(-1)?.parts)).toContain('pay eve');
  });
});

// Promise GA10a
test('what a caller answers with is written by its agent’s dialect where the message names a skill that is held', async () => {
  const turn = await aPaused({ policy: 'pay', skills: ['transfer'] });
  const { taskId, threadId } = turn.input.task;
  const [row] = await store.holds.ofTask(taskId);
  if (row === undefined) throw new Error('nothing was asked');
  const key = { agent: 'fake', threadId, runId: 'r-own' };
  const message = { messageId: 'm-9', role: 'ROLE_USER', parts: [{ text: '42' }], metadata: { skill: 'transfer' } };
  const own = { message, metadata: {}, acceptedOutputModes: [], extensions: [], references: [] };
  const by = aPrincipal('local');
  const body = bodyOfCaller(key, own);
  await store.intake.put(
    asKept({ ...key, fingerprint: 'f', principal: by, receivedAt: at, plan: messagePlan(), body }),
  );
  const proved = { by, at, entry: { values: { text: '42' } }, message: fingerprintOf(own) };
  const closed = { ...decidedBy('local', at), holdId: row.holdId, decision: aProvedDecision(row, proved) };
  const send = { kind: 'answers' as const, answers: [{ interruptId: row.interruptId, closed }] };
  const of = { a2aTaskId: `asked-${count}`, contextId: 'context-1', messageRunId: null, n: 1 };
  const { stop } = turn.attempt(1, { turn: 2, runId: 'r-own', opener: 'client', send, ...of });
  await waitFor(() => turn.agent.sent.length > 1, 10_000, 'the answer to be sent');
  await stop();
  const last = turn.agent.sent.at(-1);
  expect(last?.parts).toMatchObject([{ kind: 'text', text: '42' }]);
  expect(JSON.stringify(last)).not.toContain('transfer');
});
