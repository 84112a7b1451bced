// Two answers of one run, of which one does not fit its question.
import { expect, test } from '@jest/globals';
import { eventsOf } from '../rig.ts';
import { describeApi } from '../describe-api.ts';
import { answer, asked, resume } from './asked-tasks.ts';

const rig = describeApi();
const post = (payload: object) => rig.app.inject({ method: 'POST', url: '/agents/expenses/run', payload });

test('payload_invalid of two questions says which of them it is', async () => {
  const { threadId, holds } = await asked(rig, 2);
  const [first, second] = holds;
  if (first === undefined || second === undefined) throw new Error('two questions are needed');
  const given = [answer(first, { city: 'Rome' }), answer(second, {})];
  const [event] = eventsOf((await post(resume(threadId, 'r2', given))).body);
  const { interruptId, question } = second;
  expect(event).toMatchObject({
    type: 'RUN_ERROR',
    code: 'payload_invalid',
    message: `the answer does not fit the question: “${question.title}” ${interruptId}/city: is needed`,
    metadata: { errors: [{ path: `${interruptId}/city`, message: 'is needed' }] },
  });
  const unread = [answer(first, { city: 'Rome' }), answer(second, 'not an object')];
  const [other] = eventsOf((await post(resume(threadId, 'r3', unread))).body);
  expect(other).toMatchObject({ metadata: { errors: [{ path: interruptId }] } });
});
