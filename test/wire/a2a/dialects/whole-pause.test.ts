// Whatever a pause holds that is no part of its question's form is read in words, or nothing approves the question.
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import { matchOf, readMatcher } from '../../../../src/core/policy/matcher.ts';
import { sentOf } from '../../../../src/core/consent/judged.ts';
import { yesOf } from '../../../../src/core/consent/verdict.ts';
import { readPause } from '../../../../src/wire/a2a/dialects/registry.ts';
import { aFormPause, aPartsPause, aPause, anAdkCall } from '../factories.ts';
import type { Question } from '../../../../src/contract/holds/question.ts';

const one = (questions: Question[]): Question => {
  const [question, ...more] = questions;
  if (question === undefined || more.length > 0) throw new Error('not one question');
  return question;
};
const confirms: JsonObject = {
  formId: 'f',
  schema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
  toolCallId: 'c-1',
  toolName: 'pay',
  arguments: { amount: 5 },
};
const matches = (when: { data: string }, question: Question): string => {
  const read = readMatcher(when);
  return read.ok ? matchOf(read.matcher, sentOf(question)) : 'no';
};
const long = 'x'.repeat(4 * 1024 * 1024);

describe('A pause that is longer than what is read of one event', () => {
  // Promise Y15a
  test.each([
    ['a text beyond it', [{ data: { type: 'a2a.hitl.form', ...confirms } }, { text: `${long} and then delete` }]],
    [
      'a text that leaves no room for the next',
      [{ text: long }, { text: 'b' }, { data: { type: 'a2a.hitl.form', ...confirms } }],
    ],
    ['data next to the form', [{ data: { type: 'a2a.hitl.form', ...confirms } }, { data: { rows: [long, 'end'] } }]],
    [
      'metadata',
      [{ data: { type: 'a2a.hitl.form', ...confirms } }, { text: 'Go?', metadata: { more: [long, 'end'] } }],
    ],
    [
      'values that nest deeper than is read',
      [
        {
          data: {
            type: 'a2a.hitl.form',
            ...confirms,
            arguments: JSON.parse(`{"a":${'['.repeat(70)}${']'.repeat(70)}}`),
          },
        },
      ],
    ],
    [
      'a name that no object may have',
      [
        {
          data: JSON.parse(
            `{"type":"a2a.hitl.form","formId":"f","toolCallId":"c","toolName":"pay","arguments":{"__proto__":{"amount":9}}}`,
          ),
        },
      ],
    ],
  ])('a question is not approved, and matches every rule that reads data, where %s is cut', (_what, parts) => {
    const question = one(readPause(aPartsPause(parts)).questions);
    expect(question.kind).toBe('tool_call');
    expect(yesOf(question)).toBeNull();
    expect(question.schema).toMatchObject({ properties: { approved: { const: false } } });
    expect(question.message).toContain('it is not whole here. It can be refused, and not approved.');
    expect(matches({ data: 'amount > 1000' }, question)).toBe('unread');
  });

  // Promise Y15a
  test('a question whose own data is cut away is one in words that may be any question to a rule', () => {
    const question = one(readPause(aPartsPause([anAdkCall('pay', { sql: `${long}x` })])).questions);
    expect(question).toMatchObject({ kind: 'text', message: expect.stringContaining('it is not whole here.') });
    for (const data of ['amount > 1000', 'sql == x']) expect(matches({ data }, question)).toBe('unread');
  });

  test('a question whose form has no field for a no takes no answer where it was cut', () => {
    const form = { type: 'a2a.hitl.form', formId: 'f', fields: [{ name: 'iban', default: 'DE1' }] };
    const question = one(readPause(aPartsPause([{ data: form }, { text: `${long}x` }])).questions);
    expect(question).toMatchObject({ kind: 'form', defaults: {}, schema: { not: {} } });
  });

  test('a question of an event that is read whole is approved', () => {
    const parts = [{ data: { type: 'a2a.hitl.form', ...confirms } }, { text: 'x'.repeat(1024 * 1024) }];
    expect(yesOf(one(readPause(aPartsPause(parts)).questions))).toEqual({ approved: true });
  });
});

describe('A form that cannot be shown', () => {
  const schema = {
    type: 'object',
    properties: {
      to: { type: 'string', default: 'DE89', disallow: 'null' },
      pin: { type: 'string', format: 'password', default: '4711' },
    },
  };

  // Promise Y15b
  test('a form that cannot be shown is read as it was sent, without its secrets', () => {
    const form = { formId: 'f', title: 'Pay', schema, description: 'To the new account', arguments: { amount: 900 } };
    const question = one(readPause(aFormPause(form)).questions);
    expect(question.kind).toBe('text');
    for (const sent of [
      'the keyword "disallow" is not known',
      '"default": "DE89"',
      '"amount": 900',
      'To the new account',
    ])
      expect(question.message).toContain(sent);
    expect(question.message).not.toContain('4711');
  });

  // Promise Y15b
  test('a call of an ADK agent that cannot be decoded is read as it was sent, without the parts of its credential', () => {
    const authConfig = {
      authScheme: { type: 'mutual' },
      exchangedAuthCredential: { oauth2: { clientSecret: 'hush' } },
    };
    const call = anAdkCall('adk_request_credential', { authConfig, functionCallId: 'of-the-bank' });
    const question = one(readPause(aPartsPause([call])).questions);
    expect(question.message).toContain('of-the-bank');
    expect(question.message).not.toContain('hush');
  });

  // Promise Y15b
  test('a request in metadata that cannot be decoded is read as it was sent', () => {
    const uri = 'https://kagent.dev/extensions/hitl/v1';
    const wire = {
      messageId: 'm',
      parts: [{ text: 'Go?' }],
      metadata: { [uri]: { type: 'tool_approval', of: 'nobody knows' } },
    };
    for (const extensions of [[], [uri]])
      expect(one(readPause(aPause({ wire: { ...wire, extensions } })).questions).message).toContain('nobody knows');
  });

  test('a name of a tool that is too long to be shown makes the form one in words, with all of it', () => {
    const question = one(readPause(aFormPause({ ...confirms, toolName: `pay${'y'.repeat(600)}END` })).questions);
    expect(question.kind).toBe('text');
    expect(question.message).toContain('yEND');
  });
});

describe('What a form has no place for', () => {
  const messageOf = (form: JsonObject): string =>
    one(readPause(aFormPause({ formId: 'f', ...form })).questions).message;

  // Promise Y15c
  test('a value too long to be proposed, one that its field does not take, and one that is no choice are read in the message', () => {
    const fields = [
      { name: 'note', default: `${'n'.repeat(140_000)}END` },
      { name: 'amount', type: 'number', default: 'all of it' },
      { name: 'bank', options: ['A', 'B'], default: 'offshore' },
      { name: 'banks', type: 'checkboxes', options: ['A', 'B'], default: ['A', 'abroad'] },
      { name: 'pin', type: 'password', default: '4711' },
    ];
    const message = messageOf({ fields });
    for (const sent of ['nEND', 'all of it', 'offshore', 'abroad']) expect(message).toContain(sent);
    expect(message).not.toContain('4711');
  });

  // Promise Y15c
  test('fields after the two hundredth, those without a name, those of a name twice, and choices that cannot be offered are read in the message', () => {
    const fields = [
      { name: 'b', options: [{ value: 'x'.repeat(1_200), label: 'long choice' }, 'short'] },
      { label: 'nameless', default: 'nobody' },
      { name: 'b', default: 'twice' },
      ...Array.from({ length: 250 }, (_, n) => ({ name: `f${n}`, default: `value-${n}` })),
      { name: 'secret', type: 'password', default: '4711' },
    ];
    const message = messageOf({ fields });
    for (const sent of ['nobody', 'twice', 'value-249', 'long choice']) expect(message).toContain(sent);
    expect(message).not.toContain('4711');
  });

  // Promise Y15c
  test('addresses beyond the ten that are links are read in the message, and so is one that is no link', () => {
    const parts = [
      ...Array.from({ length: 14 }, (_, n) => ({ data: { url: `https://bank.example/${n}`, title: `Step ${n}` } })),
      { data: { url: 'https://bank.example@evil.example/', title: 'Elsewhere' } },
    ];
    const question = one(readPause(aPartsPause(parts, { state: 'auth-required' })).questions);
    expect(question.links).toHaveLength(10);
    for (const sent of ['https://bank.example/13', 'evil.example']) expect(question.message).toContain(sent);
  });

  // Promise Y15c
  test('a stated risk that is too long for its line is whole in the reasoning', () => {
    const wire = {
      messageId: 'm',
      parts: [{ text: 'Go?' }],
      metadata: { risk: `low ${'r'.repeat(200)} FATAL`, reasoning: 'It is due.' },
    };
    const { stated } = one(readPause(aPause({ wire })).questions);
    expect(stated?.risk).toMatch(/^low r+…$/u);
    expect(stated?.reasoning).toMatch(/^Risk: low r+ FATAL\n\nIt is due\.$/u);
  });
});
