import { describe, expect, test } from '@jest/globals';
import { createSchemaRunner } from '../../../../../src/host/schema/schema-runner.ts';
import { canRefuse, encodeAnswers, readPause } from '../../../../../src/wire/a2a/dialects/registry.ts';
import { aFormPause, aPartsPause, aPause, refused, resolved } from '../../factories.ts';

function question(parts: unknown[] = [{ text: 'Grant it.' }]) {
  const [first] = readPause(aPartsPause(parts, { state: 'auth-required' })).questions;
  if (first === undefined) throw new Error('no question');
  return first;
}

describe('an authorisation', () => {
  test('an authorisation is asked even when the agent says nothing at all', () => {
    const { questions, explanation } = readPause(aPause({ state: 'auth-required' }));
    expect(questions).toEqual([expect.objectContaining({ dialect: 'auth', kind: 'authorization' })]);
    expect(explanation).toMatch(/needs a permission or a credential/);
  });

  test('a form in the same state stays a form', () => {
    const { message } = aFormPause({ formId: 'f', fields: [{ name: 'x' }] });
    expect(readPause({ state: 'auth-required', message, a2aTaskId: 't' }).questions).toMatchObject([{ kind: 'form' }]);
  });

  // Promise B21, D11
  test('an authorisation granted elsewhere sends nothing', () => {
    expect(encodeAnswers([{ question: question(), answer: resolved({ outcome: 'granted' }) }])).toEqual({
      result: 'nothing',
    });
  });

  // Promise B21
  test('a note is a message, and a refusal ends the task', () => {
    expect(
      encodeAnswers([{ question: question(), answer: resolved({ outcome: 'note', note: 'soon' }) }]),
    ).toMatchObject({
      text: 'soon',
    });
    expect(canRefuse(question())).toBe(false);
    expect(encodeAnswers([{ question: question(), answer: refused() }])).toMatchObject({ result: 'cannot-carry' });
  });

  test('links at most ten web addresses, each once, and says where they lead', () => {
    const parts = Array.from({ length: 30 }, (_, index) => ({
      url: `https://a.example/${index % 15}`,
      filename: 'Bank',
    }));
    const { links } = question(parts);
    expect(links).toHaveLength(10);
    expect(links[0]).toEqual({ url: 'https://a.example/0', title: 'Bank (a.example)' });
  });

  // Promise D11
  test('its schema wants words with a note, a credential where one is given, and nothing with a grant', async () => {
    const runner = createSchemaRunner();
    try {
      const check = async (values: object): Promise<unknown> =>
        runner.check(question().schema, JSON.parse(JSON.stringify(values)), { timeoutMs: 5000 });
      expect(await check({ outcome: 'granted' })).toEqual({ ok: true });
      expect(await check({ outcome: 'note', note: 'soon' })).toEqual({ ok: true });
      expect(await check({ outcome: 'note' })).toMatchObject({ ok: false, errors: [{ path: '/note' }] });
      expect(await check({ outcome: 'approve' })).toEqual({ ok: true });
      expect(await check({ outcome: 'credential', credential: 'k' })).toEqual({ ok: true });
      for (const values of [{ outcome: 'credential' }, { outcome: 'credential', credential: '' }]) {
        expect(await check(values)).toMatchObject({ ok: false, errors: [{ path: '/credential' }] });
      }
      expect(await check({})).toMatchObject({ ok: false, errors: [{ path: '/outcome' }] });
      expect(await check({ outcome: 'rejected' })).toMatchObject({ ok: false });
    } finally {
      await runner.close();
    }
  });
});
