// NUL, half surrogate pairs and what nests too deep: refused by the name of its place, never a failure, and never half kept.
import { describe, expect, test } from '@jest/globals';
import { answerFingerprint } from '../../../src/api/holds/answers.ts';
import { aDecision, aHold, aTask, freshThread } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi();

const send = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
  const response = await rig.app.inject({ method, url, ...(payload === undefined ? {} : { payload }) });
  return { status: response.statusCode, ...response.json<{ code?: string; errors?: { path: string }[] }>() };
};
const odd = ['a\0b', 'a\ud800', '\udc00b'];
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });

async function open() {
  const task = await aTask(rig.store, freshThread());
  return { task, hold: await aHold(rig.store, task) };
}
const calledSources = (): string[] => rig.tasks.calls.map(({ source }) => source);

describe('a text that a client could not say again', () => {
  // Promise Q40
  test.each(odd)(
    'a text that a client could not say again in an answer is payload_invalid at its field: %j',
    async (text) => {
      const { hold } = await open();
      const values = { city: 'Rome', deep: { list: [text] } };
      expect(await send('POST', `/api/holds/${hold.holdId}/decision`, { status: 'resolved', values })).toMatchObject({
        status: 422,
        code: 'payload_invalid',
        errors: [{ path: '/deep/list/0' }],
      });
      expect(calledSources()).not.toContain('decide');
    },
  );

  test('a text that a client could not say again in an answer that was taken by an older version is still the same answer', async () => {
    const { hold } = await open();
    const body = { status: 'resolved', values: { city: 'a\0b' } };
    const url = `/api/holds/${hold.holdId}/decision`;
    await rig.store.holds.close(hold.holdId, {
      status: 'decided',
      decision: aDecision({ by: 'local', values: body.values }),
      answerFingerprint: answerFingerprint({ status: 'resolved', values: body.values, reason: null }),
      votes: [],
      supersededBy: null,
      ended: null,
    });
    expect(await send('POST', url, body)).toMatchObject({ status: 200 });
  });

  test.each(odd)(
    'a text that a client could not say again in a reason, a word or a note is input_invalid: %j',
    async (text) => {
      const { task, hold } = await open();
      const refused = { status: 400, code: 'input_invalid' };
      const base = `/api/holds/${hold.holdId}`;
      expect(await send('POST', `${base}/decision`, { status: 'cancelled', reason: text })).toMatchObject(refused);
      expect(await send('POST', `/api/tasks/${task.taskId}/chat/message`, { text })).toMatchObject(refused);
      expect(await send('POST', `${base}/reassign`, { to: ['role:x'], note: text })).toMatchObject(refused);
    },
  );

  // Promise Q40
  test.each(odd)(
    'a text that a client could not say again is no name that a question could be handed to: %j',
    async (text) => {
      const { hold } = await open();
      for (const to of [`role:${text}`, `user:${text}`]) {
        expect(await send('POST', `/api/holds/${hold.holdId}/reassign`, { to: [to] })).toMatchObject({ status: 400 });
      }
      expect(calledSources()).not.toContain('amend');
    },
  );

  test.each(odd)(
    'a text that a client could not say again in a draft is kept as it is, since it is the person’s own: %j',
    async (text) => {
      const { hold } = await open();
      const values = { city: text, [text]: 1 };
      expect(await send('PUT', `/api/holds/${hold.holdId}/draft`, { values })).toMatchObject({ status: 200, values });
      expect(await send('GET', `/api/holds/${hold.holdId}`)).toMatchObject({ draft: { values } });
    },
  );

  test.each(odd)('a text that a client could not say again finds nothing, and breaks no search: %j', async (text) => {
    const q = encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'));
    expect(await send('GET', `/api/holds?q=${q}`)).toMatchObject({ status: 200, items: [] });
  });
});

test('an answer that nests deeper than anybody reads is payload_invalid', async () => {
  const { hold } = await open();
  const body = { status: 'resolved', values: { city: nested(80) } };
  expect(await send('POST', `/api/holds/${hold.holdId}/decision`, body)).toMatchObject({ code: 'payload_invalid' });
});

test('long texts are kept whole: a draft of 200 KB, and an answer of 200 KB on its way to the workflow', async () => {
  const { hold } = await open();
  const [draft, text] = ['é'.repeat(100_000), 'x'.repeat(200_000)];
  await send('PUT', `/api/holds/${hold.holdId}/draft`, { values: { city: draft } });
  expect(await send('GET', `/api/holds/${hold.holdId}`)).toMatchObject({ draft: { values: { city: draft } } });
  await send('POST', `/api/holds/${hold.holdId}/decision`, { status: 'resolved', values: { city: text } });
  expect(rig.tasks.calls.at(-1)).toMatchObject({ source: 'decide', args: [{}, { entry: { values: { city: text } } }] });
});

describe('a cursor', () => {
  const cursor = (target: string[]): string => Buffer.from(JSON.stringify(target)).toString('base64url');
  test.each([
    ['/api/tasks', ['0000-01-01T00:00:00.000Z', 'x']],
    ['/api/holds', ['0000-01-01T00:00:00.000Z', 'x']],
    ['/api/holds?sort=deadline', ['deadline', 'infinity', '0000-12-31T00:00:00.000Z', 'x']],
    ['/api/holds?view=decided', ['ended', '0000-12-31T00:00:00.000Z', 'x']],
  ])('a cursor of a year that no database has is not a cursor of Standfast: %s', async (url, target) => {
    const at = `${url}${url.includes('?') ? '&' : '?'}cursor=${cursor(target)}`;
    expect(await send('GET', at)).toMatchObject({ status: 400, code: 'input_invalid' });
  });
});
