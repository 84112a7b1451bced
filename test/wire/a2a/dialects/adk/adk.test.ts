import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../../../src/contract/holds/question.ts';
import type { JsonObject } from '../../../../../src/contract/base/json.ts';
import type { Previous } from '../../../../../src/wire/a2a/dialects/base/dialect.ts';
import {
  canRefuse,
  encodeAnswers,
  needsPausedMessage,
  readPause,
} from '../../../../../src/wire/a2a/dialects/registry.ts';
import { anAdkCall, aPartsPause, refused, resolved } from '../../factories.ts';

const confirmation = (toolConfirmation: JsonObject, id = 'adk-1'): JsonObject =>
  anAdkCall(
    'adk_request_confirmation',
    { originalFunctionCall: { id: 'adk-o', name: 'delete_file', args: { path: '/x' } }, toolConfirmation },
    id,
  );
const input = (schema: unknown): JsonObject =>
  anAdkCall('adk_request_input', JSON.parse(JSON.stringify({ message: 'Go on?', response_schema: schema })));

function only(parts: unknown[]): Question {
  const { questions } = readPause(aPartsPause(parts));
  const [question] = questions;
  if (question === undefined || questions.length !== 1) throw new Error('not one question');
  return question;
}

const responseTo = (question: Question, values: JsonObject): unknown => {
  const encoded = encodeAnswers([{ question, answer: resolved(values) }]);
  return encoded.result === 'ok' ? encoded.parts.map((part) => Object(Reflect.get(part, 'data')).response) : encoded;
};

describe('calls of an ADK agent', () => {
  test('a call that is not long-running is not a question, and neither is a lone response', () => {
    const parts = [
      { data: { id: 'a', name: 'look', args: {} }, metadata: { adk_type: 'function_call' } },
      { data: { id: 'a', name: 'look', response: {} }, metadata: { adk_type: 'function_response' } },
    ];
    expect(only(parts).dialect).toBe('plain');
  });

  test('the same call twice is one question', () => {
    expect(only([anAdkCall('pay'), anAdkCall('pay')]).formId).toBe('adk-1');
  });

  test('a call that cannot be answered by its id is asked in words', () => {
    expect(only([anAdkCall('pay', {}, 'x'.repeat(201))])).toMatchObject({
      dialect: 'plain',
      message: expect.stringContaining('no usable id'),
    });
  });

  test('what the model thinks is neither explanation nor question', () => {
    const thought = 'secretly unsure';
    const { questions, explanation } = readPause(
      aPartsPause([{ text: thought, metadata: { adk_thought: true } }, anAdkCall('pay')]),
    );
    // The agent's word is apart from what it asks.
    const [{ stated, ...question } = {}] = questions;
    expect(stated).toEqual({ reasoning: thought });
    expect(JSON.stringify([question, explanation])).not.toContain(thought);
  });

  test('tool calls and yes/no questions can be refused, other questions cannot', () => {
    expect(canRefuse(only([anAdkCall('pay')]))).toBe(true);
    expect(canRefuse(only([confirmation({})]))).toBe(true);
    expect(canRefuse(only([input({ type: 'boolean' })]))).toBe(true);
    expect(canRefuse(only([input({ type: 'integer' })]))).toBe(false);
    expect(canRefuse(only([input(null)]))).toBe(false);
  });

  test('an approval that says neither yes nor no is not sent', () => {
    for (const parts of [[anAdkCall('pay')], [confirmation({})]]) {
      expect(encodeAnswers([{ question: only(parts), answer: resolved({}) }])).toMatchObject({
        result: 'cannot-carry',
      });
    }
  });

  test('the agent learns when a policy decided and not a person', () => {
    const encoded = encodeAnswers([
      { question: only([anAdkCall('pay')]), answer: refused('late', 'policy:finance') },
      { question: only([confirmation({})]), answer: refused('late', 'policy:finance') },
      { question: only([input({ type: 'integer' })]), answer: resolved({ result: 5 }, 'policy:finance') },
    ]);
    const byPolicy = expect.stringMatching(/policy "finance"/);
    expect(encoded).toMatchObject({
      // ADK 2 fails a task when text comes with function responses.
      text: null,
      parts: [
        { data: { response: { status: 'rejected', comment: byPolicy } } },
        { data: { response: { confirmed: false, hint: byPolicy } } },
        { data: { response: { result: 5 } } },
      ],
      metadata: { standfast: { note: byPolicy } },
    });
  });
});

test('ADK’s own words about how programs confirm a call are not shown to people', () => {
  const hint =
    'Please approve or reject the tool call pay() by responding with a FunctionResponse with an expected ToolConfirmation payload.';
  expect(only([confirmation({ hint })]).message).not.toContain('FunctionResponse');
  expect(only([confirmation({ hint: 'Is 5 EUR right?' })]).message).toBe('Is 5 EUR right?');
});

describe('a pause of an ADK agent that only complains', () => {
  const complaint = { text: 'It was not provided a function response for the function call.' };

  // Promise B25
  test('a pause of an ADK agent that only complains asks the earlier questions again, and says why', () => {
    const unanswered = (questions: Question[]): Previous[] => questions.map((question) => ({ question, values: null }));
    const asked = readPause(aPartsPause([anAdkCall('pay')])).questions;
    const { questions } = readPause(aPartsPause([complaint], { previous: unanswered(asked) }));
    expect(questions).toEqual([{ ...asked[0], message: expect.stringContaining('could not use the last message') }]);
    const again = readPause(aPartsPause([complaint], { previous: unanswered(questions) })).questions;
    expect(again).toEqual(questions);
  });

  test('a pause of an ADK agent that only complains is a plain question when the earlier ones are not known', () => {
    expect(only([complaint]).dialect).toBe('plain');
  });
});

describe('a tool confirmation', () => {
  // Promise G16
  test('a tool confirmation offers edits only of a payload that the tool asked with', () => {
    expect(only([confirmation({ payload: { days: 1 } })]).tool).toMatchObject({ isEditable: true });
    for (const payload of [undefined, null, [1], 'text', 5]) {
      const question = only([confirmation(payload === undefined ? {} : { payload })]);
      expect(question.tool).toMatchObject({ isEditable: false });
      expect(Object.keys(Object(question.schema['properties']))).toEqual(['approved']);
    }
  });

  test('a tool confirmation sends the payload back as it came when nothing was edited, and never with a refusal', () => {
    const question = only([confirmation({ payload: { days: 1 } })]);
    expect(responseTo(question, { approved: true })).toEqual([{ confirmed: true, payload: { days: 1 } }]);
    expect(responseTo(question, { approved: false, editedArgs: { days: 2 } })).toEqual([{ confirmed: false }]);
  });

  test('a tool confirmation names the tool that waits, by the id of its own call', () => {
    expect(only([confirmation({})]).tool).toMatchObject({ callId: 'adk-o', name: 'delete_file', args: { path: '/x' } });
  });
});

describe('a request for input', () => {
  test.each([
    ['a rule that is not applied here', { type: 'object', properties: {}, unevaluatedProperties: false }],
    ['a type of another language', { type: 'OBJECT', properties: {} }],
    ['a schema elsewhere', { type: 'array', items: { $ref: 'http://evil.example' } }],
  ])('a request for input with %s in its schema is asked in words', (_what, schema) => {
    expect(only([input(schema)])).toMatchObject({ kind: 'text', message: expect.stringContaining('cannot be shown') });
  });

  test('a request for input names the secret fields of its schema', () => {
    const schema = {
      type: 'object',
      properties: {
        user: { type: 'string' },
        pin: { type: 'string', writeOnly: true },
        login: { type: 'object', properties: { pass: { type: 'string', format: 'password' } } },
      },
    };
    expect(only([input(schema)]).secrets).toEqual(['pin', 'login']);
  });
});

const authConfig = (exchanged: JsonObject): JsonObject => ({
  authScheme: { type: 'oauth2' },
  rawAuthCredential: { authType: 'oauth2', oauth2: { clientId: 'c', clientSecret: 'SECRET-1' } },
  exchangedAuthCredential: { authType: 'oauth2', oauth2: { clientId: 'c', clientSecret: 'SECRET-1', ...exchanged } },
});

const askCredential = (exchanged: JsonObject): unknown[] => [
  anAdkCall('adk_request_credential', { functionCallId: 'x', authConfig: authConfig(exchanged) }),
];

describe('a credential', () => {
  const values = { callbackUrl: 'https://app.example/cb?code=1&state=s#top' };

  test('a credential is asked without any secret of the agent’s own', () => {
    const question = only(askCredential({ authUri: 'https://login.example/?state=s' }));
    expect(JSON.stringify(question)).not.toContain('SECRET');
    expect(needsPausedMessage(question)).toBe(true);
  });

  test('a credential is answered with the agent’s secrets when its message is at hand', () => {
    const pause = aPartsPause(askCredential({ authUri: 'https://login.example/?state=s' }));
    const [question] = readPause(pause).questions;
    if (question === undefined) throw new Error('no question');
    const encoded = encodeAnswers([{ question, answer: resolved(values), paused: pause.message }]);
    const oauth2 = { clientId: 'c', clientSecret: 'SECRET-1', authResponseUri: values.callbackUrl };
    expect(encoded).toMatchObject({
      parts: [{ data: { response: { exchangedAuthCredential: { authType: 'oauth2', oauth2 } } } }],
    });
  });

  test.each([
    ['the agent chose', { redirectUri: 'https://a.example/r' }, 'https://a.example/r'],
    [
      'the link names',
      { authUri: 'https://login.example/?redirect_uri=https%3A%2F%2Fb.example%2Fr' },
      'https://b.example/r',
    ],
    ['people came back to', {}, 'https://app.example/cb'],
  ])('a credential repeats the address that %s', (_who, exchanged, redirectUri) => {
    expect(responseTo(only(askCredential(exchanged)), values)).toEqual([
      expect.objectContaining({
        exchangedAuthCredential: expect.objectContaining({ oauth2: expect.objectContaining({ redirectUri }) }),
      }),
    ]);
  });

  test('a credential is never linked to what is not a web address', () => {
    for (const authUri of ['javascript:alert(1)', 'file:///etc/passwd', 'https://bank.example@evil.example/', 5]) {
      expect(only(askCredential({ authUri })).links).toEqual([]);
    }
  });

  test('a credential that cannot be typed in is an authorisation like any other', () => {
    const part = anAdkCall('adk_request_credential', { authConfig: { authScheme: { type: 'serviceAccount' } } });
    const { questions } = readPause(aPartsPause([part], { state: 'auth-required' }));
    expect(questions).toEqual([expect.objectContaining({ dialect: 'auth', kind: 'authorization' })]);
  });

  // Promise QU4
  test('a credential that is refused among other answers is sent as a response without a credential, and without secrets', () => {
    const question = only(askCredential({}));
    expect(canRefuse(question)).toBe(false);
    const encoded = encodeAnswers([{ question, answer: { ...refused(), reason: 'not to them' } }]);
    const { exchangedAuthCredential: _none, ...config } = authConfig({});
    expect(encoded).toMatchObject({
      parts: [
        {
          data: {
            name: 'adk_request_credential',
            response: {
              authScheme: config['authScheme'],
              exchangedAuthCredential: null,
              status: 'cancelled',
              reason: 'not to them',
            },
          },
        },
      ],
    });
    expect(JSON.stringify(encoded)).not.toContain('SECRET');
  });
});
