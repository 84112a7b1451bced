// Whichever way a program learns of the end of its question, an answer that no one proved is none.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { ActivityDeps } from '../../../src/activities/deps.ts';
import { deliverNotice } from '../../../src/activities/notices/deliver-notice.ts';
import { askedAnswer } from '../../../src/activities/tasks/asked-answer.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { askerChannel, withCallback, type AskCallback } from '../../../src/core/questions/ask.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { aHold, aHoldRow, aPrincipal, aQuestion } from '../../rigs/factories.ts';
import { aDigestedRow, aProvedDecision, closeSent } from '../../rigs/proofs.ts';
import { startHttpSink, type HttpSink } from '../../rigs/sinks.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { depsOf } from '../turns.ts';
import { askDialect } from '../../../src/core/base/ids.ts';

let store: Store;
let sink: HttpSink;
beforeAll(async () => {
  [store, sink] = await Promise.all([openTestStore(), startHttpSink()]);
});
afterAll(async () => {
  await sink?.close();
  await store?.close();
});

const at = '2026-11-28T09:00:00.000Z';
const fin = aPrincipal('fin', 'finance');
const temporal = { namespace: 'payments', workflowId: 'invoice-7', signal: 'answer' };
const logged: unknown[] = [];
const signalled: unknown[] = [];
let count = 0;

function deps(): ActivityDeps {
  const base = depsOf(store, () => Promise.reject(new Error('no agent is asked')) as never, {
    config: ConfigSchema.parse({ ask: { signals: { payments: ['answer'] } } }),
  });
  const signalOther = (_to: unknown, reply: unknown): Promise<'sent'> => {
    signalled.push(reply);
    return Promise.resolve('sent');
  };
  const log = { ...base.log, error: (values: object, words?: string) => void logged.push([values, words]) };
  return { ...base, log, engine: { ...base.engine, signalOther } };
}

/** A question that fin approved: with the proof of it, or as the writer of a database writes it. */
async function ended(isProved: boolean, callback: AskCallback): Promise<HoldRow> {
  count += 1;
  const question = withCallback(aQuestion({ dialect: askDialect }), callback);
  const open = aHoldRow({ ...aHold({ n: 900 + count, question }), agent: 'ask', audience: ['role:finance'] });
  const row = aDigestedRow(open);
  await store.holds.putOnce([row]);
  const { proof, ...unproved } = aProvedDecision(row, { by: fin, at });
  const decision = isProved && proof !== undefined ? { ...unproved, proof } : unproved;
  const end = { status: 'decided', answerFingerprint: null, supersededBy: null } as const;
  const close = { ...end, votes: [], decision, ended: { by: 'fin', at, why: 'approved' as const } };
  await (isProved ? closeSent(store, row.holdId, close) : store.holds.close(row.holdId, close));
  return row;
}

async function report({ holdId }: HoldRow): Promise<void> {
  const info = { scheduledTimestampMs: Date.now(), scheduleToCloseTimeoutMs: 10 * 86_400_000 };
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
  await environment.run(() => deliverNotice(deps(), { holdId, event: 'decided', k: 0, channel: askerChannel }));
}

// Promise Y79
describe.each<[string, boolean, string]>([
  ['nobody proved', false, 'withdrawn'],
  ['a person gave', true, 'answered'],
])('a program that learns of an answer that %s', (who, isProved, status) => {
  const givesNone = (holdId: string): void =>
    expect(logged.filter((one) => JSON.stringify(one).includes(holdId)).length > 0).toBe(!isProved);

  test(`a program that learns of an answer that ${who} by its address reads ${status}`, async () => {
    const row = await ended(isProved, { url: sink.url, id: 'pay-1' });
    await report(row);
    expect(JSON.parse(sink.got.at(-1)?.body ?? '{}')).toMatchObject({
      data: { id: 'pay-1', holdId: row.holdId, status },
    });
    givesNone(row.holdId);
  });

  test(`a program that learns of an answer that ${who} by a signal reads ${status}`, async () => {
    const row = await ended(isProved, { temporal, id: 'pay-1' });
    await report(row);
    expect(signalled.at(-1)).toMatchObject({ id: 'pay-1', status });
    givesNone(row.holdId);
  });

  test(`a program that learns of an answer that ${who} by the result of a workflow reads ${status}`, async () => {
    const row = await ended(isProved, { temporal, id: 'pay-1' });
    expect(await askedAnswer(deps(), { taskId: row.taskId }, 'pay-1')).toMatchObject({ id: 'pay-1', status });
    givesNone(row.holdId);
  });
});
