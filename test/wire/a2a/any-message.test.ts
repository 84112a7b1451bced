import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import type { AgentMessage, NeutralPart } from '../../../src/contract/tasks/turn.ts';
import { carriedQuestions } from '../../../src/core/consent/whole.ts';
import { sha256OfText } from '../../../src/host/secrets/hash.ts';
import { checkProfile } from '../../../src/core/questions/form-profile.ts';
import type { Pause } from '../../../src/wire/a2a/dialects/base/dialect.ts';
import { kagentHitl } from '../../../src/core/questions/agent-dialects.ts';
import { canRefuse, encodeAnswers, needsPausedMessage, readPause } from '../../../src/wire/a2a/dialects/registry.ts';
import { refused, resolved } from './factories.ts';
import { interruptOf } from '../../../src/wire/agui/cards/open-holds.ts';
import { aHold } from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

/*
 * Whatever an agent sends in the shape of a dialect: no throw, at least one question with a schema people can be shown, and
 * an output that workflow history can hold.
 */

const maxQuestionsBytes = 600 * 1024;
const carriedBytesOf = (questions: readonly Question[]): number =>
  bytesOf(carriedQuestions(questions, sha256OfText)?.questions);

const anyJson = fc.jsonValue({ maxDepth: 4 }).map((value): Json => JSON.parse(JSON.stringify(value)));
const key = fc.constantFrom('__proto__', 'constructor', 'toString', 'a', 'type', 'title', '');
const anyObject = fc
  .dictionary(fc.oneof(key, fc.string()), anyJson)
  .map((value): JsonObject => JSON.parse(JSON.stringify(value)));
/** What is expected there, sometimes anything else. */
const orAny = (wanted: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: wanted, weight: 12 }, { arbitrary: anyJson, weight: 1 });
/** With all of these keys, or without some. */
const record = (keys: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(keys).map(([at, value]) => [at, fc.option(value, { nil: undefined, freq: 12 })]),
      ),
    )
    .map((value): JsonObject => JSON.parse(JSON.stringify(value)));

const sometimes = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, { arbitrary: value, weight: 1 });

const id = orAny(
  fc.oneof(
    { arbitrary: fc.constantFrom('a', 'b', 'c', 'd'), weight: 20 },
    fc.constantFrom('', 'x'.repeat(201), '\u0000'),
  ),
);
const name = orAny(
  fc.constantFrom('adk_request_confirmation', 'adk_request_input', 'adk_request_credential', 'pay', ''),
);
const schemaOfField = fc.oneof(
  fc.constantFrom<JsonObject>({ type: 'boolean' }, { type: 'string', writeOnly: true }, { type: 'string' }),
  anyObject,
);
const schema = orAny(
  fc.oneof(
    schemaOfField,
    record({
      type: orAny(fc.constantFrom('object', 'string', 'boolean', 'integer', 'array', 'OBJECT')),
      properties: orAny(fc.dictionary(fc.constantFrom('result', 'pin', '__proto__'), schemaOfField, { maxKeys: 3 })),
      required: anyJson,
      $defs: orAny(fc.constant({})),
      $ref: sometimes(fc.constantFrom('#/$defs/a', '#', 'http://evil.example')),
      items: sometimes(anyJson),
      pattern: sometimes(fc.constant('(a+)+$')),
    }),
  ),
);
const credential = record({
  authType: orAny(fc.constantFrom('oauth2', 'apiKey', 'http', 'openIdConnect', 'serviceAccount')),
  oauth2: orAny(
    record({ authUri: orAny(fc.webUrl()), redirectUri: anyJson, clientSecret: orAny(fc.constant('SECRET')) }),
  ),
  http: orAny(record({ scheme: orAny(fc.constantFrom('basic', 'bearer')) })),
});
const args = orAny(
  record({
    message: orAny(fc.string()),
    response_schema: schema,
    payload: anyJson,
    originalFunctionCall: orAny(record({ id, name, args: anyJson })),
    toolConfirmation: orAny(record({ hint: anyJson, payload: orAny(anyObject) })),
    authConfig: orAny(
      record({
        authScheme: orAny(record({ type: orAny(fc.constantFrom('oauth2', 'apiKey', 'http')) })),
        rawAuthCredential: orAny(credential),
        exchangedAuthCredential: orAny(credential),
      }),
    ),
  }),
);
const prefix = fc.constantFrom('adk_', 'kagent_', '');
const partMetadata = fc
  .tuple(prefix, orAny(fc.constantFrom('function_call', 'function_response')), orAny(fc.boolean()))
  .map(([start, type, isLong]): JsonObject =>
    JSON.parse(
      JSON.stringify({ [`${start}type`]: type, [`${start}is_long_running`]: isLong, [`${start}thought`]: isLong }),
    ),
  );
const adkPart = fc.tuple(record({ id, name, args, response: anyJson }), partMetadata);
const formPart = fc.tuple(
  record({
    type: fc.constantFrom('a2a.hitl.form', 'a2a.input.request'),
    formId: id,
    requestId: id,
    title: anyJson,
    fields: orAny(
      fc.array(orAny(record({ name: id, type: orAny(fc.constantFrom('boolean', 'text', 'password')) })), {
        maxLength: 3,
      }),
    ),
    metadata: orAny(record({ errors: anyJson, values: anyJson })),
    url: orAny(fc.webUrl()),
  }),
  fc.oneof(fc.constant<JsonObject>({}), anyObject),
);
const part: fc.Arbitrary<NeutralPart> = fc.oneof(
  fc.oneof(adkPart, formPart, fc.tuple(anyJson, anyObject)).map(([data, metadata]): NeutralPart => ({
    kind: 'data',
    data,
    metadata,
  })),
  fc.tuple(fc.string(), partMetadata).map(([text, metadata]): NeutralPart => ({ kind: 'text', text, metadata })),
  fc.oneof(fc.webUrl(), fc.string()).map((uri): NeutralPart => ({
    kind: 'file',
    name: '',
    mediaType: '',
    uri,
    base64: null,
    metadata: {},
  })),
);
const tool = orAny(record({ id, call_id: id, name: anyJson, args: anyJson }));
const request = orAny(
  record({
    type: orAny(fc.constantFrom('tool_approval_request', 'ask_user_request')),
    id,
    hint: anyJson,
    tools: orAny(fc.array(tool)),
    questions: orAny(
      fc.array(orAny(record({ question: orAny(fc.string()), choices: orAny(fc.array(anyJson)), multiple: anyJson }))),
    ),
    nested: orAny(record({ subagent_name: anyJson, tools: orAny(fc.array(tool)) })),
  }),
).map((value): JsonObject => JSON.parse(JSON.stringify({ [kagentHitl]: value })));
const message: fc.Arbitrary<AgentMessage> = fc.record({
  messageId: fc.constant('m'),
  role: fc.constant('agent' as const),
  parts: fc.array(part, { maxLength: 5 }),
  metadata: fc.oneof(fc.constant<JsonObject>({}), request, anyObject),
  extensions: fc.constantFrom([], [kagentHitl]),
});
const pause: fc.Arbitrary<Pause> = fc.record({
  state: fc.constantFrom('input-required' as const, 'auth-required' as const),
  message: fc.option(message),
  a2aTaskId: fc.constant('t'),
});

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('any message at all', () => {
  test('the messages of these tests reach every dialect and every kind of question', () => {
    const reached = new Set<string>();
    for (const one of fc.sample(pause, { numRuns: 2000, seed: 1 })) {
      for (const { dialect, kind } of readPause(one).questions) reached.add(`${dialect} ${kind}`);
    }
    expect([...reached].toSorted()).toEqual([
      'a2a.hitl.form confirmation',
      'a2a.hitl.form form',
      'a2a.input.request confirmation',
      'a2a.input.request form',
      'a2a.input.request text',
      'adk authorization',
      'adk confirmation',
      'adk form',
      'adk text',
      'adk tool_call',
      'auth authorization',
      'kagent.hitl form',
      'kagent.hitl tool_call',
      'plain text',
    ]);
  });

  // Promise P2
  test('any message at all is at least one question that people can be shown, within bounds', () => {
    fc.assert(
      fc.property(pause, (one) => {
        const { questions, explanation } = readPause(one);
        expect(questions.length).toBeGreaterThan(0);
        expect(explanation).not.toBe('');
        expect(carriedBytesOf(questions)).toBeLessThan(maxQuestionsBytes);
        for (const question of questions) {
          expect(checkProfile(question.schema)).toEqual({ ok: true });
          expect(question.title).not.toBe('');
          expect(question.message).not.toBe('');
          const known = Object.keys(Object(question.schema['properties']));
          expect(Object.keys(question.defaults).filter((field) => !known.includes(field))).toEqual([]);
          expect(question.tool?.isEditable ?? false).toBe(known.includes('editedArgs') && question.tool !== null);
          for (const { url } of question.links) expect(url).toMatch(/^https?:/);
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: runs(1000) },
    );
  });

  // Promise CO3
  test('any message at all that asks about a tool call is an interrupt that names the call', () => {
    const source = { taskId: 'task', a2aTaskId: 't', contextId: null, publicUrl: 'http://h', mayDecide: () => true };
    fc.assert(
      fc.property(pause, (one) => {
        for (const question of readPause(one).questions) {
          const interrupt = interruptOf(aHold({ question }), source);
          const isBound = typeof interrupt?.['toolCallId'] === 'string' && interrupt['toolCallId'] !== '';
          expect(isBound).toBe(interrupt?.['reason'] === 'tool_call');
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  // Promise P2
  test('any message at all is answered by anything at all without a throw, and by no more than was put in', () => {
    const answer = fc.oneof(
      anyObject.map((values) => resolved(values)),
      fc.constantFrom(
        resolved({ approved: true, editedArgs: { a: 1 }, response: { a: 1 } }),
        resolved({ outcome: 'note', note: 'hm' }),
        resolved({ text: 'x', result: 'x', callbackUrl: 'https://app.example/cb?code=1', credential: 'k' }),
        refused('no'),
      ),
    );
    fc.assert(
      fc.property(pause, fc.array(answer, { minLength: 5, maxLength: 5 }), (one, answers) => {
        const { questions } = readPause(one);
        const answered = questions.map((question, index) => ({
          question,
          answer: answers[index % answers.length] ?? resolved({}),
          paused: needsPausedMessage(question) ? one.message : null,
        }));
        const encoded = encodeAnswers(answered);
        const given = bytesOf(answered) + bytesOf(one);
        expect(bytesOf(encoded)).toBeLessThan(3 * given + 4096);
        // A question that says it can be refused can be.
        const no = questions.map((question) => ({ question, answer: refused('no') }));
        if (questions.every(canRefuse)) expect(encodeAnswers(no).result).toBe('ok');
      }),
      { numRuns: runs(1000) },
    );
  });

  test('any message at all never shows what the agent sent as a secret of its own', () => {
    fc.assert(
      fc.property(pause, (one) => {
        const text = JSON.stringify(
          readPause(one).questions.filter(({ kind, dialect }) => kind === 'authorization' && dialect === 'adk'),
        );
        expect(text).not.toContain('SECRET');
      }),
      { numRuns: runs(500) },
    );
  });

  // Promise Y11
  test('any message at all of absurd size is asked about whole', () => {
    const big = 'x'.repeat(3_000_000);
    const metadata = { adk_type: 'function_call', adk_is_long_running: true };
    const call: NeutralPart = { kind: 'data', data: { id: 'a', name: 'write', args: { text: big } }, metadata };
    const long: AgentMessage = { messageId: 'm', role: 'agent', parts: [call], metadata: {}, extensions: [] };
    const { questions } = readPause({ state: 'input-required', message: long, a2aTaskId: 't' });
    expect(carriedBytesOf(questions)).toBeLessThan(maxQuestionsBytes);
    expect(questions).toMatchObject([{ dialect: 'adk', kind: 'tool_call', tool: { args: { text: big } } }]);
  });
});
