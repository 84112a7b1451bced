// What a yes to a first message is bound to, where rows say otherwise by the time it is sent.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AgentConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { TurnInput, TurnOutcome } from '../../../src/contract/tasks/turn.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
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
  return { turn: 2, n: 2, runId: 'r-approved', opener: 'holdpoint', messageRunId: null, send };
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
  const { outcome, cancel } = turn.attempt(1, approvalOf(row));
  await waitFor(() => turn.agent.sent.length > 0, 10_000, 'the approved message to be sent');
  cancel('WORKER_SHUTDOWN');
  await outcome.catch(() => null);
  expect(JSON.stringify(turn.agent.sent)).toContain('hello');
  expect(JSON.stringify(turn.agent.sent)).not.toContain('pay eve');
});
