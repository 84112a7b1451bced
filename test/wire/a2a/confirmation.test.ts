import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { verdictOf } from '../../../src/core/consent/verdict.ts';
import { canRefuse, encodeAnswers, readPause } from '../../../src/wire/a2a/dialects/registry.ts';
import { aPartsPause, refused, resolved } from './factories.ts';

const types = ['a2a.hitl.form', 'a2a.input.request'];

function ask(type: string, fields: unknown) {
  const [question] = readPause(aPartsPause([{ data: { type, title: 'Delete it?', fields } }])).questions;
  if (question === undefined) throw new Error('no question');
  return question;
}

describe.each(types)('a yes/no question of %s', (type) => {
  const fields = [{ name: 'ok', type: 'boolean', required: true }];

  // Promise B21
  test('a yes/no question is a confirmation that can be refused', () => {
    expect(ask(type, fields).kind).toBe('confirmation');
    expect(canRefuse(ask(type, fields))).toBe(true);
  });

  test.each<[string, ReturnType<typeof resolved>, JsonObject]>([
    ['yes', resolved({ ok: true }), { ok: true }],
    ['no', resolved({ ok: false }), { ok: false }],
    ['a refusal', refused('keep it'), { ok: false }],
  ])('a yes/no question is answered by %s', (_what, answer, values) => {
    expect(encodeAnswers([{ question: ask(type, fields), answer }])).toMatchObject({ parts: [{ data: { values } }] });
  });

  test('a yes/no question is a form as soon as it asks for more, also for what we cannot read', () => {
    const more = [
      [...fields, { name: 'why' }],
      [...fields, 'nonsense'],
      [...fields, ...fields],
    ];
    for (const all of more) {
      expect(ask(type, all).kind).toBe('form');
      expect(canRefuse(ask(type, all))).toBe(false);
    }
  });
});

describe.each(types)('the decision in a form of %s', (type) => {
  const aForm = (more: JsonObject, fields: unknown): ReturnType<typeof ask> => {
    const [question] = readPause(aPartsPause([{ data: { type, title: 'Release it?', fields, ...more } }])).questions;
    if (question === undefined) throw new Error('no question');
    return question;
  };

  // Promise QU3
  test('the decision in a form is required of a yes/no question, though the agent does not say so', () => {
    expect(ask(type, [{ name: 'ok', type: 'boolean' }]).schema).toMatchObject({ required: ['ok'] });
  });

  // Promise QU3
  test('the decision in a form is in the field that the form names, which is then required', () => {
    const fields = [{ name: 'release', type: 'boolean' }, { name: 'why' }];
    for (const more of [{ decisionField: 'release' }, { metadata: { decisionField: 'release' } }]) {
      const question = aForm(more, fields);
      expect(question).toMatchObject({ kind: 'form', decisionField: 'release', schema: { required: ['release'] } });
      expect(verdictOf(question, { status: 'resolved', values: { release: false, why: 'no' } })).toBe('no');
    }
  });

  test.each([['nothing'], [7], [null]])(
    'the decision in a form is not read from a field that the form does not have: %p',
    (named) => {
      const question = aForm({ decisionField: named }, [{ name: 'release', type: 'boolean' }, { name: 'why' }]);
      expect(question.decisionField).toBeUndefined();
    },
  );
});
