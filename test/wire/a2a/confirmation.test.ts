import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/json.ts';
import { canRefuse, encodeAnswers, readPause } from '../../../src/wire/a2a/registry.ts';
import { aPartsPause, refused, resolved } from './factories.ts';

const types = ['a2a.hitl.form', 'a2a.input.request'];

function ask(type: string, fields: unknown) {
  const [question] = readPause(aPartsPause([{ data: { type, title: 'Delete it?', fields } }])).questions;
  if (question === undefined) throw new Error('no question');
  return question;
}

describe.each(types)('a yes/no question of %s', (type) => {
  const fields = [{ name: 'ok', type: 'boolean', required: true }];

  test('is a confirmation that can be refused', () => {
    expect(ask(type, fields).kind).toBe('confirmation');
    expect(canRefuse(ask(type, fields))).toBe(true);
  });

  test.each<[string, ReturnType<typeof resolved>, JsonObject]>([
    ['yes', resolved({ ok: true }), { ok: true }],
    ['no', resolved({ ok: false }), { ok: false }],
    ['a refusal', refused('keep it'), { ok: false }],
  ])('is answered by %s', (_what, answer, values) => {
    expect(encodeAnswers([{ question: ask(type, fields), answer }])).toMatchObject({ parts: [{ data: { values } }] });
  });

  test('is a form as soon as it asks for more, also for what we cannot read', () => {
    const more = [
      [...fields, { name: 'why' }],
      [...fields, 'nonsense'],
      [...fields, ...fields],
    ];
    for (const all of more) {
      expect(ask(type, all).kind).toBe('form');
      expect(canRefuse(ask(type, all))).toBe(false);
      expect(encodeAnswers([{ question: ask(type, all), answer: refused() }])).toMatchObject({
        result: 'cannot-carry',
      });
    }
  });
});
