import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import type { Question } from '../../../../src/contract/holds/question.ts';
import { checkProfile } from '../../../../src/core/questions/form-profile.ts';
import { carriedQuestions } from '../../../../src/core/consent/whole.ts';
import { sha256OfText } from '../../../../src/host/secrets/hash.ts';
import { canRefuse, encodeAnswers, readPause } from '../../../../src/wire/a2a/dialects/registry.ts';
import { aFormPause, aPartsPause, aPause, resolved } from '../factories.ts';
import { fc, runs } from '../../../rigs/properties.ts';

const textPause = (text: string) => aPause({ wire: { messageId: 'm', parts: [{ text }] } });

describe('plain text', () => {
  // Promise B21
  test('a pause without a recognised part is one text question, answered by a text', () => {
    const { questions, explanation } = readPause(textPause('Which colour?'));
    expect(questions).toEqual([
      expect.objectContaining({
        dialect: 'plain',
        kind: 'text',
        message: 'Which colour?',
        schema: {
          type: 'object',
          properties: { text: { type: 'string', title: 'Answer', minLength: 1 } },
          required: ['text'],
        },
      }),
    ]);
    expect(explanation).toBe('Which colour?');
    expect(encodeAnswers(questions.map((question) => ({ question, answer: resolved({ text: 'green' }) })))).toEqual({
      result: 'ok',
      text: 'green',
      parts: [],
      metadata: {},
      extensions: [],
    });
  });

  test('a pause without any message asks with a sentence by Standfast', () => {
    const { questions, explanation } = readPause(aPause({}));
    expect(questions[0]?.message).toMatch(/agent needs an answer/);
    expect(explanation).toBe(questions[0]?.message);
  });

  test('the agent learns when a policy decided and not a person', () => {
    const { questions } = readPause(textPause('Go?'));
    const answers = questions.map((question) => ({ question, answer: resolved({ text: 'no' }, 'policy:finance') }));
    expect(encodeAnswers(answers)).toMatchObject({ text: expect.stringMatching(/^no\n.*policy "finance"/s) });
  });

  test('a refusal cannot be carried as a text', () => {
    for (const pause of [textPause('Go?')]) {
      const { questions } = readPause(pause);
      expect(questions.map(canRefuse)).toEqual([false]);
      const answers = questions.map((question) => ({
        question,
        answer: { status: 'cancelled' as const, values: {}, reason: 'no', by: 'user:ana' },
      }));
      expect(encodeAnswers(answers)).toMatchObject({ result: 'cannot-carry' });
    }
  });
});

describe('what an agent says beyond its question', () => {
  const stated = (wire: object): unknown =>
    readPause(aPause({ wire: { messageId: 'm', ...wire } })).questions[0]?.stated;

  test('what an agent says beyond its question is its risk and its reasoning, of the form, the message or a part of it, in one line and cut', () => {
    const parts = [{ text: 'The order is late.', metadata: { adk_thought: true } }, { text: 'Cancel it?' }];
    expect(stated({ parts, metadata: { risk: ' high:\nno way back ' } })).toEqual({
      risk: 'high: no way back',
      reasoning: 'The order is late.',
    });
    expect(stated({ parts: [{ text: 'Go?', metadata: { risk: 3, reasoning: 'It is due.' } }] })).toEqual({
      risk: '3',
      reasoning: 'It is due.',
    });
    const form = { type: 'a2a.hitl.form', formId: 'f', fields: [{ name: 'x' }], metadata: { risk: 'r'.repeat(500) } };
    expect(stated({ parts: [{ data: form }] })).toMatchObject({ risk: expect.stringMatching(/^r{50,100}…?$/u) });
  });

  // Promise OT10
  test('a question keeps the deadline that its agent gives it, and none that is no duration', () => {
    const read = (metadata: object): unknown =>
      readPause(aPause({ wire: { messageId: 'm', parts: [{ text: 'Go?' }], metadata } })).questions[0]?.expireAfter;
    expect(read({ expireAfter: '30m' })).toBe('30m');
    expect([read({ expireAfter: 'soon' }), read({ expireAfter: '0s' }), read({})]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('what an agent says beyond its question is nothing where it says nothing of the sort', () => {
    expect(stated({ parts: [{ text: 'Go?' }], metadata: { risk: { level: 1 }, reasoning: '' } })).toBeUndefined();
  });
});

describe('forms', () => {
  // Promise B21
  test('a form in an auth-required pause is a form too', () => {
    const { message } = aFormPause({ formId: 'f', fields: [{ name: 'x' }] });
    expect(readPause({ state: 'auth-required', message, a2aTaskId: 't' }).questions[0]?.kind).toBe('form');
  });

  test('the explanation is the text, else the form’s title and description', () => {
    expect(readPause(aFormPause({ title: 'Trip', description: 'Why', fields: [] })).explanation).toMatch(/^Trip\nWhy/);
  });

  test('a policy’s answer to a form is called assumed in the text part', () => {
    const { questions } = readPause(aFormPause({ title: 'T', formId: 'f', fields: [{ name: 'x' }] }));
    const answers = questions.map((question) => ({ question, answer: resolved({ x: '1' }, 'policy:late') }));
    expect(encodeAnswers(answers)).toMatchObject({
      text: 'T (assumed, as no answer came: decided by the policy "late", not by a person): x: 1',
    });
  });

  test('a form of 600 fields shows the first 200 and says so', () => {
    const fields = Array.from({ length: 600 }, (_, index) => ({ name: `f${index}`, type: 'text' }));
    const [question] = readPause(aFormPause({ formId: 'big', fields })).questions;
    expect(question?.dialect).toBe('a2a.hitl.form');
    expect(Object.keys(Object(question?.schema['properties']))).toHaveLength(200);
    expect(question?.message).toContain('600 fields; only the first 200');
  });

  test('a form of absurd size becomes a text question that says why', () => {
    const options = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(900, 'x'));
    const [question] = readPause(aFormPause({ formId: 'huge', fields: [{ name: 'x', options }] })).questions;
    expect(question?.dialect).toBe('plain');
    expect(question?.message).toMatch(/form that cannot be shown: it is larger than 128 KiB/);
  });

  test('many middling forms together never pass what a workflow payload holds', () => {
    const parts = Array.from({ length: 50 }, (_, index) => ({
      data: {
        type: 'a2a.hitl.form',
        formId: `f${index}`,
        fields: [{ name: 'x', options: ['y'.repeat(900), 'z'] }],
        pad: 'p'.repeat(60_000),
      },
    }));
    const { questions } = readPause(aPause({ wire: { messageId: 'm', parts } }));
    expect(questions).toHaveLength(50);
    const carried = carriedQuestions(questions, sha256OfText);
    expect(carried?.questions.every(({ form }) => form === null)).toBe(true);
    expect(carried?.contents).toHaveLength(50);
    expect(JSON.stringify(carried?.questions).length).toBeLessThan(512 * 1024);
  });

  test('more forms than fit are one text question, never some of them', () => {
    const parts = Array.from({ length: 51 }, (_, index) => ({ data: { type: 'a2a.hitl.form', formId: `f${index}` } }));
    expect(readPause(aPause({ wire: { messageId: 'm', parts } })).questions.map(({ dialect }) => dialect)).toEqual([
      'plain',
    ]);
  });

  test.each([[{ formId: 'x'.repeat(201) }], [{ formId: { a: 1 } }], [{ formId: 'f', fields: 'none' }]])(
    'a form that cannot be answered as a form (%j) falls back to plain text',
    (form) => {
      expect(readPause(aFormPause(form)).questions[0]?.dialect).toBe('plain');
    },
  );
});

describe('secrets', () => {
  // Promise A9
  test('a secret that the agent sends back is kept nowhere', () => {
    const fields = [{ id: 'pin', type: 'password', default: 'SECRET-1', value: 'SECRET-2' }, { name: 'user' }];
    const metadata = { errors: { user: 'unknown' }, values: { pin: 'SECRET-3', user: 'ana' } };
    const [question] = readPause(aFormPause({ formId: 'f', fields, metadata })).questions;
    expect(JSON.stringify(question)).not.toContain('SECRET');
    expect(question).toMatchObject({ defaults: { user: 'ana' }, form: { metadata: { values: { user: 'ana' } } } });
  });
});

describe('answers', () => {
  test('a secret that an answer holds inside a field is in none of its words', () => {
    const [asked] = readPause(aFormPause({ formId: 'f', fields: [{ name: 'login' }] })).questions;
    if (asked === undefined) throw new Error('no question');
    const login = { type: 'object', properties: { pin: { type: 'string', writeOnly: true } } };
    const question = { ...asked, schema: { type: 'object', properties: { login } } };
    const encoded = encodeAnswers([{ question, answer: resolved({ login: { pin: 'SECRET' } }) }]);
    expect(encoded).toMatchObject({ parts: [{ data: { values: { login: { pin: 'SECRET' } } } }] });
    expect(encoded).toHaveProperty('text', expect.not.stringContaining('SECRET'));
  });

  test('an answer to a dialect that writes to no agent is refused', () => {
    const [question] = readPause(aPause({})).questions;
    if (question === undefined) throw new Error('no question');
    const answered = { question: { ...question, dialect: 'operator' }, answer: resolved({}) };
    expect(encodeAnswers([answered])).toMatchObject({ result: 'cannot-carry' });
    expect(canRefuse(answered.question)).toBe(false);
  });

  test('values that the form does not name are not sent', () => {
    const { questions } = readPause(aFormPause({ formId: 'f', fields: [{ name: 'x' }] }));
    const answers = questions.map((question) => ({ question, answer: resolved({ x: 'a', y: 'b' }) }));
    expect(encodeAnswers(answers)).toMatchObject({ parts: [{ data: { values: { x: 'a' } } }] });
  });
});

describe('any form at all', () => {
  const field = fc.record(
    {
      name: fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toString', 'a', 'b'), fc.jsonValue()),
      type: fc.oneof(
        fc.constantFrom('text', 'integer', 'number', 'boolean', 'select', 'checkbox', 'date', 'password'),
        fc.jsonValue(),
      ),
      options: fc.oneof(
        fc.array(fc.oneof(fc.string(), fc.integer(), fc.record({ value: fc.jsonValue(), label: fc.jsonValue() }))),
        fc.jsonValue(),
      ),
      min: fc.jsonValue(),
      maximum: fc.jsonValue(),
      exclusiveMinimum: fc.oneof(fc.boolean(), fc.integer()),
      minLength: fc.oneof(fc.integer(), fc.jsonValue()),
      maxLength: fc.jsonValue(),
      pattern: fc.oneof(fc.string(), fc.constantFrom('(a+)+$', '(?=a)', '[')),
      default: fc.jsonValue(),
      required: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const form = fc.oneof(
    fc.record(
      {
        fields: fc.oneof(fc.array(field), fc.jsonValue()),
        title: fc.jsonValue(),
        formId: fc.jsonValue(),
        metadata: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.string(), fc.jsonValue()),
  );

  test('any form at all is at least one question with a schema inside the profile, and is answered by its defaults', () => {
    fc.assert(
      fc.property(fc.array(form, { minLength: 1, maxLength: 3 }), (forms) => {
        const wire = { messageId: 'm', parts: forms.map((one) => ({ data: { ...one, type: 'a2a.hitl.form' } })) };
        const { questions, explanation } = readPause(aPause({ wire }));
        expect(questions.length).toBeGreaterThan(0);
        expect(explanation).not.toBe('');
        for (const { schema, defaults } of questions) {
          expect(checkProfile(schema)).toEqual({ ok: true });
          const known = Object.keys(Object(schema['properties']));
          expect(Object.keys(defaults).filter((name) => !known.includes(name))).toEqual([]);
        }
        const answers = questions.map((question) => ({
          question,
          answer: resolved(question.dialect === 'plain' ? { text: 'ok' } : question.defaults),
        }));
        expect(encodeAnswers(answers).result).toBe('ok');
      }),
      { numRuns: runs(500) },
    );
  });

  // Promise B23, Q3
  test('any part at all leaves at least one question', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (parts) => {
        const message = { messageId: '', role: 'agent' as const, metadata: {}, extensions: [] };
        const neutral = parts.map((data) => ({
          kind: 'data' as const,
          data: JSON.parse(JSON.stringify(data)),
          metadata: {},
        }));
        expect(
          readPause({ state: 'input-required', message: { ...message, parts: neutral }, a2aTaskId: 't' }).questions,
        ).not.toHaveLength(0);
      }),
    );
  });
});

// Promise D5
test.each([
  ['a schema that is a list', { schema: [] }, 'its schema is not an object'],
  ['a schema of a text', { schema: { type: 'string' } }, 'its type is not "object"'],
  [
    'a schema with a rule that is not applied here',
    { schema: { type: 'object', unevaluatedProperties: false } },
    'is not known',
  ],
  ['a toolCallId that is not a text', { fields: [], toolCallId: 7 }, 'toolCallId'],
  ['a toolCallId that is too long', { fields: [], toolCallId: 'x'.repeat(300) }, 'toolCallId'],
])('a form with %s is asked in words, which say why', (_what, form, why) => {
  const { questions } = readPause(aFormPause({ formId: 'f', title: 'F', ...form }));
  expect(questions).toMatchObject([{ dialect: 'plain', kind: 'text', message: expect.stringContaining(why) }]);
});

// Promise QU4
describe('a question that was declined among others', () => {
  const no = { status: 'cancelled' as const, values: {}, reason: 'not mine', by: 'user:ana' };
  const text = 'B: declined, not answered (not mine)';

  test.each([
    ['a2a.hitl.form', 'a2a.hitl.formResponse', 'formId'],
    ['a2a.input.request', 'a2a.input.response', 'requestId'],
  ])(
    'a question that was declined among others is sent as such by %s, with the answers to the others',
    (type, response, id) => {
      const forms = ['A', 'B'].map((title) => ({ data: { type, [id]: title, title, fields: [{ name: 'why' }] } }));
      const { questions } = readPause(aPartsPause(forms));
      const [a, b] = questions.map((question, index) => ({
        question,
        answer: index === 0 ? resolved({ why: 'x' }) : no,
      }));
      if (a === undefined || b === undefined) throw new Error('two questions were expected');
      const encoded = encodeAnswers([a, b]);
      expect(encoded).toMatchObject({
        text: expect.stringContaining(text),
        parts: [
          { data: { type: response, [id]: 'A', values: { why: 'x' }, metadata: {} } },
          { data: { type: response, [id]: 'B', values: {}, metadata: { status: 'cancelled', reason: 'not mine' } } },
        ],
      });
    },
  );

  test('a question that was declined among others is sent as such to ADK, in the response and in the metadata', () => {
    const input = (id: string): object => ({
      data: { id, name: 'adk_request_input', args: { message: 'Which?' } },
      metadata: { adk_type: 'function_call', adk_is_long_running: true },
    });
    const { questions } = readPause(aPartsPause([input('a'), input('b')]));
    const answers = questions.map((question, index) => ({
      question,
      answer: index === 0 ? resolved({ text: 'x' }) : no,
    }));
    expect(encodeAnswers(answers)).toMatchObject({
      parts: [
        { data: { id: 'a', response: { result: 'x' } } },
        { data: { id: 'b', response: { status: 'cancelled', reason: 'not mine' } } },
      ],
      metadata: { standfast: { note: expect.stringContaining('declined, not answered (not mine)') } },
    });
  });
});

test('a pause with metadata of an unknown extension shows it, and is not a plain question', () => {
  const uri = 'https://example.org/ask/v2';
  const wire = {
    messageId: 'm-1',
    role: 'ROLE_AGENT',
    parts: [{ text: 'Approve?' }],
    metadata: { [uri]: { cost: 3 } },
  };
  const [question] = readPause(aPause({ wire })).questions;
  expect(question).toMatchObject({ dialect: 'plain', title: 'The agent asks in a way that is not known here' });
  expect(question?.message).toContain(uri);
  expect(question?.message).toContain('"cost": 3');
  const known = { ...wire, metadata: { adk_event_id: 'e-1', 'kagent:note': null } };
  expect(readPause(aPause({ wire: known })).questions).toMatchObject([
    { title: 'The agent asks', message: 'Approve?' },
  ]);
});

describe('a pause with metadata that no dialect reads', () => {
  const asked = (wire: JsonObject): Question | undefined =>
    readPause(aPause({ wire: { messageId: 'm-1', role: 'ROLE_AGENT', ...wire } })).questions[0];
  const uri = 'https://example.org/ask/v2';

  test.each<[string, string, JsonObject]>([
    [
      'in a part, under the URI of an extension',
      uri,
      { parts: [{ text: 'Approve?', metadata: { [uri]: { cost: 3 } } }] },
    ],
    [
      'in a part, under a name',
      'approval',
      { parts: [{ text: 'Approve?' }, { text: 'Soon.', metadata: { approval: { cost: 3 } } }] },
    ],
    [
      'in the message, under a name',
      'approval',
      { parts: [{ text: 'Approve?' }], metadata: { approval: { cost: 3 } } },
    ],
  ])(
    'a pause with metadata that no dialect reads is not a plain question, names and shows it, and takes data: %s',
    (_what, key, wire) => {
      const question = asked(wire);
      expect(question).toMatchObject({
        title: 'The agent asks in a way that is not known here',
        form: { [key]: { cost: 3 } },
        reply: { takesData: true },
      });
      expect(question?.message).toMatch(/^Approve\?[^]*that Standfast does not know: [^]*"cost": 3/);
      expect(question?.message).toContain(key);
    },
  );

  test('a pause with metadata that no dialect reads shows it together with the data of its parts', () => {
    const parts = [{ data: { invoice: 7 }, metadata: { [uri]: { cost: 3 } } }];
    expect(asked({ parts })?.form).toEqual({ metadata: { [uri]: { cost: 3 } }, data: { invoice: 7 } });
  });

  test('a pause with metadata that no dialect reads is a plain question where all of it is the bookkeeping of known frameworks', () => {
    const parts = [{ text: 'Which?', metadata: { adk_thought: { on: false }, kagent_type: 'text' } }];
    expect(asked({ parts })).toMatchObject({ title: 'The agent asks', message: 'Which?' });
  });

  test('a pause with metadata that no dialect reads is a plain question where it is a trace id or a flag under a plain name', () => {
    const metadata = { traceId: 'c0ffee', isFinal: true };
    expect(asked({ parts: [{ text: 'Which?', metadata }], metadata })).toMatchObject({ title: 'The agent asks' });
  });
});
