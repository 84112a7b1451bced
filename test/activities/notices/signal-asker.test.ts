// A workflow of somebody else's is signalled of the end of the question that a program asked for it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { deliverNotice } from '../../../src/activities/notices/deliver-notice.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { askerChannel, withCallback } from '../../../src/core/questions/ask.ts';
import type { Store } from '../../../src/store/store.ts';
import { aHold, aHoldRow, aQuestion } from '../../rigs/factories.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import { withDigest } from '../../store/rows.ts';
import { depsOf } from '../turns.ts';
import { askDialect } from '../../../src/core/base/ids.ts';

let store: Store;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const signal = { namespace: 'payments', workflowId: 'invoice-7', signal: 'answer' };
let count = 0;

/** Delivers the end of a question with this callback; resolves to what was sent, and rejects as the activity does. */
async function delivered(signals: Record<string, string[]>, outcome: 'sent' | 'gone'): Promise<unknown[]> {
  const question = withCallback(aQuestion({ dialect: askDialect }), { temporal: signal, id: 'pay-1' });
  count += 1;
  const row = withDigest(aHoldRow({ ...aHold({ n: count, question }), agent: 'ask', status: 'expired' }));
  await store.holds.putOnce([row]);
  const sent: unknown[] = [];
  const base = depsOf(store, () => Promise.reject(new Error('no agent is asked')) as never, {
    config: ConfigSchema.parse({ ask: { signals } }),
  });
  const signalOther = (...given: unknown[]): Promise<'sent' | 'gone'> => {
    sent.push(given);
    return Promise.resolve(outcome);
  };
  const deps = { ...base, engine: { ...base.engine, signalOther } };
  const info = { scheduledTimestampMs: Date.now(), scheduleToCloseTimeoutMs: 10 * 86_400_000 };
  const environment = new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
  const input = { holdId: row.holdId, event: 'expired', k: 0, channel: askerChannel } as const;
  try {
    await environment.run(() => deliverNotice(deps, input));
  } finally {
    expect(sent.length).toBeLessThanOrEqual(1);
  }
  return sent;
}

describe('a workflow that a question’s callback names', () => {
  // Promise NX8
  test('a workflow that is signalled of the end of its question gets the reply, under one request id', async () => {
    const reply = expect.objectContaining({ id: 'pay-1', status: 'expired', approved: null });
    expect(await delivered({ payments: ['answer'] }, 'sent')).toEqual([
      [signal, reply, expect.stringMatching(/\.ended$/)],
    ]);
  });

  // Promise NX8
  test('a workflow is not signalled any more once the configuration names its signal no longer', async () => {
    await expect(delivered({ payments: ['other'] }, 'sent')).rejects.toMatchObject({
      nonRetryable: true,
      message: expect.stringContaining('names no signal answer'),
    });
  });

  // Promise NX8
  test('a workflow that is gone is not signalled for a day: the notice is given up at once', async () => {
    await expect(delivered({ payments: ['answer'] }, 'gone')).rejects.toMatchObject({ nonRetryable: true });
  });
});
