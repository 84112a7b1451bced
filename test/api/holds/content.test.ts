// What is too long to be carried with a question, as those who may see the question get it.
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { sha256OfText } from '../../../src/host/secrets/hash.ts';
import { carriedQuestions } from '../../../src/core/consent/whole.ts';
import { aQuestion } from '../../rigs/factories.ts';
import { aHold, aTask, bearer, freshThread, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({ withKeys: true });

const message = `Pay ${'these, and '.repeat(4_000)}the last one: 9 EUR — größer`;
const args = { sql: `SELECT 1; ${'-- padding\n'.repeat(20_000)}DROP TABLE accounts` };

async function asked() {
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  const whole = aQuestion({ message, tool: { callId: 'c', name: 'sql', args, isEditable: false } });
  const carried = carriedQuestions([whole], sha256OfText);
  await rig.store.attachments.putContents(task.taskId, carried?.contents ?? []);
  return aHold(rig.store, task, { audience: ['role:finance'], question: carried?.questions[0] ?? whole });
}
const take = (url: string, who: keyof typeof keys = 'fin') =>
  rig.app.inject({ method: 'GET', url, headers: bearer(who) });

describe('what is too long to be carried with a question', () => {
  // Promise Y19
  test('what is too long to be carried with a question is read whole at one address, under its digest', async () => {
    const { holdId } = await asked();
    const { context } = (await take(`/api/holds/${holdId}`)).json<HoldView>();
    expect(context.whole.map(({ at }) => at)).toEqual(['/message', '/tool/args']);
    for (const { at, digest, url } of context.whole) {
      const { statusCode, headers, body } = await take(url ?? '');
      expect(statusCode).toBe(200);
      expect(sha256OfText(body)).toBe(digest);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' });
      expect(at === '/message' ? body : JSON.parse(body)).toEqual(at === '/message' ? message : args);
    }
  });

  // Promise Y19
  test('what is too long to be carried with a question is for those who may see it alone, and of no other question', async () => {
    const [mine, other] = [await asked(), await asked()];
    const { context } = (await take(`/api/holds/${mine.holdId}`)).json<HoldView>();
    const url = context.whole[0]?.url ?? '';
    expect((await take(url, 'ben')).statusCode).toBe(404);
    expect((await take(`${url}0`)).statusCode).toBe(404);
    await rig.store.holds.amend(other.holdId, { audience: ['user:anna'] });
    expect((await take(url.replace(mine.holdId, other.holdId))).statusCode).toBe(404);
  });
});
