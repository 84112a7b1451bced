// What Temporal's list calls a task, as its start has it.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { bearer, freshThread, openingWorker, runBody, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({
  withKeys: true,
  config: { ask: { policy: 'default' }, policies: { default: { audience: ['role:finance'] } } },
});
const subjects: string[] = [];
beforeEach(() => {
  subjects.length = 0;
  const open = openingWorker(rig.store);
  rig.tasks.open = async (start, subject) => {
    subjects.push(subject);
    return open(start);
  };
});
const post = (url: string, who: keyof typeof keys, payload: object) =>
  rig.app.inject({ method: 'POST', url, headers: bearer(who), payload });

describe('a task in Temporal’s list', () => {
  // Promise PR5
  test('a task in Temporal’s list is called by what its requester wrote, in quotation marks and with who they are', async () => {
    await post('/agents/expenses/run', 'ben', runBody(freshThread(), 'r1'));
    expect(subjects).toEqual(['“Please file my trip” · ben']);
  });

  test('a task in Temporal’s list that a program asks about is called by its question', async () => {
    const tool = { name: 'refund', args: { amount: 4210, currency: 'EUR' } };
    await post('/api/ask', 'ben', { id: freshThread(), tool, wait: 0 });
    expect(subjects).toEqual([expect.stringMatching(/refund.*4210/)]);
  });
});
