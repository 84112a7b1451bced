// What is recorded of an answer, what the page could have sent, and what the agent reads in the bytes: one word, of random forms.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import type { Answer, Question } from '../../../src/contract/holds/question.ts';
import { objectOf, objectsIn } from '../../../src/core/base/json.ts';
import { receiptClaims } from '../../../src/core/consent/receipt.ts';
import { decidesOf, decidingOf, decisionLabel, verdictOf } from '../../../src/core/consent/verdict.ts';
import { agentStack, kagentHitl } from '../../../src/core/questions/agent-dialects.ts';
import { checkProfile } from '../../../src/core/questions/form-profile.ts';
import { encodeAnswers, readPause, verdictOnWire } from '../../../src/wire/a2a/dialects/registry.ts';
import { whyOtherOnWire } from '../../../src/wire/a2a/dialects/same-on-wire.ts';
import { confirmed, mayApprove, toolApproved } from '../../../web/src/hold/answer/answers.ts';
import { after, aPrincipal } from '../../rigs/factories.ts';
import { aDigestedRow, aProvedDecision, prover } from '../../rigs/proofs.ts';
import { fc, runs } from '../../rigs/properties.ts';
import { aFormPause, aPause, refused, resolved } from './factories.ts';

const folder = new URL('../fixtures/', import.meta.url);
const recorded: Question[] = readdirSync(folder).flatMap((dialect) =>
  readdirSync(new URL(`${dialect}/`, folder)).flatMap((file) => {
    const fixture = JSON.parse(readFileSync(new URL(`${dialect}/${file}`, folder), 'utf8'));
    return readPause(aPause({ wire: fixture.message, state: fixture.state })).questions;
  }),
);

const words = ['approve', 'reject', 'escalate', 'yes', 'no', 'accept', 'Deny', 'later', 'blue'];
const names = [
  'approved',
  'allow',
  'decision',
  'verdict',
  'outcome',
  'rejected',
  'note',
  'amount',
  'is_approved',
  'ok',
];

/** Properties as Pydantic, Zod and hand-written forms have them. */
const property: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constantFrom<JsonObject>(
    { type: 'boolean' },
    { type: 'boolean', const: true },
    { type: 'string' },
    { type: 'number' },
    { anyOf: [{ type: 'boolean' }, { type: 'null' }], default: null },
    { $ref: '#/$defs/Choice' },
  ),
  fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((all): JsonObject => ({ enum: all })),
  fc
    .uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
    .map((all): JsonObject => ({ oneOf: all.map((one) => ({ const: one, title: one })) })),
  fc
    .uniqueArray(fc.constantFrom(...words), { minLength: 2, maxLength: 3 })
    .map((all): JsonObject => ({ anyOf: all.map((one) => ({ const: one })) })),
);
const value: fc.Arbitrary<Json> = fc.oneof(fc.boolean(), fc.constantFrom<Json>(...words, '', null, 7, {}));

const formQuestion: fc.Arbitrary<Question> = fc
  .record({
    properties: fc.dictionary(fc.constantFrom(...names), property, { minKeys: 1, maxKeys: 4 }),
    isTool: fc.boolean(),
    decisionField: fc.option(fc.constantFrom(...names), { nil: undefined }),
    isInput: fc.boolean(),
    isClosed: fc.boolean(),
  })
  .map(({ properties, isTool, decisionField, isInput, isClosed }) => {
    const schema: JsonObject = {
      type: 'object',
      properties,
      ...(isClosed ? { additionalProperties: false } : {}),
      $defs: { Choice: { enum: ['approve', 'reject', 'escalate'] } },
    };
    const pause = aFormPause({
      ...(isInput ? { type: 'a2a.input.request', requestId: 'f-1' } : { formId: 'f-1' }),
      title: 'Pay?',
      schema,
      ...(isTool ? { toolCallId: 'c-1', toolName: 'pay', arguments: { amount: 1 } } : {}),
      ...(decisionField === undefined ? {} : { decisionField }),
    });
    const [question] = readPause(pause).questions;
    if (question === undefined) throw new Error('a pause asks something');
    expect(checkProfile(question.schema)).toEqual({ ok: true });
    return question;
  });

/** Any question, and any answer to it: mostly of its own fields, now and then of others. */
const asked = fc
  .oneof({ arbitrary: formQuestion, weight: 3 }, { arbitrary: fc.constantFrom(...recorded), weight: 2 })
  .chain((question) => {
    const fields = Object.keys(objectOf(question.schema['properties']));
    const given = fc.dictionary(fc.constantFrom(...fields, ...fields, 'approved', 'response', 'text'), value, {
      maxKeys: 4,
    });
    const deciding = decidingOf(question);
    const word = fc.constantFrom<Json>(deciding?.yes ?? true, deciding?.no ?? false, 'escalate');
    const answers = fc.oneof(
      given.map((values) => resolved(values)),
      fc.tuple(given, word).map(([values, one]) => resolved({ ...values, [deciding?.field ?? 'approved']: one })),
      fc.constant(refused('too dear')),
    );
    return answers.map((answer) => ({ question, answer }));
  });

/** What the agent's own code reads in the bytes, where its way of asking has one reading; null: it reads a form. */
function readBytes({ question, answer }: { question: Question; answer: Answer }): boolean | null {
  const encoded = encodeAnswers([{ question, answer }]);
  if (encoded.result !== 'ok') return false;
  const data = objectOf(encoded.parts.map((part) => (part.kind === 'data' ? part.data : null))[0]);
  switch (question.dialect) {
    case 'adk': {
      const response = objectOf(data['response']);
      if (question.kind !== 'tool_call') return null;
      return response['confirmed'] === true || response['status'] === 'approved';
    }
    case 'kagent.hitl':
      return objectsIn(objectOf(encoded.metadata[kagentHitl])['approvals']).some((one) => one['approved'] === true);
    case 'langchain': {
      if (question.reply['form'] === 'value') return null;
      return /"type":"(?:approve|edit|accept)"/.test(JSON.stringify(data));
    }
    case 'agentstack': {
      if (question.reply['uri'] === agentStack.form) return null;
      return /"(?:action|decision)":"(?:accept|approve)"/.test(JSON.stringify(encoded.metadata));
    }
    case 'auth':
      return encoded.text === 'approve';
    case 'mastra':
      return question.kind === 'tool_call' ? data['approved'] === true : null;
    case 'plain':
      return false;
    case 'strands':
    case 'value':
      // A value of the agent's own making is read as its schema has it.
      return question.kind === 'text' ? false : null;
    default:
      return question.ownDecision === undefined ? null : objectOf(data['metadata'])['approved'] === true;
  }
}

const alone = ({ reply }: Question): boolean => reply['of'] === undefined || reply['of'] === 1;

function hasReceipt({ question, answer }: { question: Question; answer: Answer }): boolean {
  const open = aDigestedRow({ question, audience: [`user:${answer.by}`] });
  const row = { ...open, plan: { ...open.plan, receipt: { forMs: 60_000, version: 'v' } } };
  const { status, values, reason, by } = answer;
  const entry = { status, values, reason };
  const closed = {
    status: status === 'resolved' ? ('decided' as const) : ('cancelled' as const),
    decision: aProvedDecision(row, { by: aPrincipal(by), at: after('1m'), entry }),
    votes: [],
    ended: { by, at: after('1m'), why: 'approved' as const },
  };
  const given = { issuer: 'i', agent: 'a2a:a' as const, a2aTaskId: null, hold: row, closed, from: 'workflow' as const };
  return receiptClaims(given, (text) => `sha256:${text.length}`, prover) !== null;
}

describe('an answer that is taken', () => {
  // Promise Y51, Y52, Y54
  test('an answer that is taken has a receipt where the agent reads a yes in its bytes, and nowhere else', () => {
    fc.assert(
      fc.property(asked, (one) => {
        const { question, answer } = one;
        const verdict = verdictOf(question, answer);
        expect(decisionLabel({ question, decision: answer }) === 'approved').toBe(verdict === 'yes');
        expect(hasReceipt(one)).toBe(verdict === 'yes' && question.kind !== 'operator');
        const onWire = verdictOnWire(one);
        expect(whyOtherOnWire(question, answer) === null).toBe(onWire === null || onWire === verdict);
        if (onWire === null || onWire !== verdict || !alone(question)) return;
        const isYes = readBytes(one);
        if (isYes !== null) expect(isYes).toBe(verdict === 'yes');
      }),
      { numRuns: runs(8_000) },
    );
  });

  // Promise Y51
  test('an answer that is taken is a yes where the page’s own Approve says the same, and nowhere else', () => {
    fc.assert(
      fc.property(asked, ({ question, answer }) => {
        const isYes = verdictOf(question, answer) === 'yes';
        const deciding = decidingOf(question);
        if (isYes) expect(answer.values[deciding?.field ?? '']).toBe(deciding?.yes);
        const { kind, schema, defaults, tool } = question;
        if (kind !== 'confirmation' && kind !== 'tool_call') return;
        const context = { toolArgs: tool?.args ?? {} };
        const view = { kind, schema, defaults, tool, digest: 'd', onReject: 'answers', secretPaths: [], context };
        const shown = { ...view, decides: decidesOf(question) } as unknown as Parameters<typeof toolApproved>[0];
        if (shown.decides === null || !mayApprove(shown)) {
          // Its choice has more than two words: it is a form then, of which one word is the yes.
          if (isYes) expect(shown.decides).toBeNull();
          return;
        }
        const body = kind === 'tool_call' ? toolApproved(shown, null) : confirmed(shown);
        const values = (body?.status === 'resolved' ? body.values : {}) as JsonObject;
        expect(verdictOf(question, { status: 'resolved', values })).toBe('yes');
        expect(values[deciding?.field ?? '']).toBe(deciding?.yes);
      }),
      { numRuns: runs(8_000) },
    );
  });

  // Promise Y54
  test.each<[string, Question, JsonObject]>([
    [
      'a result that people gave says another thing than their approval',
      recorded.find(({ reply }) => 'interim' in reply) as Question,
      { approved: true, response: { status: 'rejected' } },
    ],
  ])('an answer that is taken is none where %s', (_, question, values) => {
    expect(whyOtherOnWire(question, resolved(values))).toMatchObject({ path: '/approved' });
    expect(whyOtherOnWire(question, resolved({ approved: true }))).toBeNull();
  });

  // Promise Y54a
  test('an answer that is taken says no where its dialect sends false for the box that decides and was left out', () => {
    const box = { type: 'checkbox', id: 'approve', label: 'Approve', content: 'Pay', default_value: false };
    const metadata = { [agentStack.form]: { id: 'f', title: 'Pay?', fields: [box, { type: 'text', id: 'note' }] } };
    const [question] = readPause(aPause({ wire: { messageId: 'm', metadata } })).questions;
    if (question === undefined) throw new Error('a form is a question');
    for (const [values, verdict] of [
      [{ note: 'later' }, 'no'],
      [{ approve: false }, 'no'],
      [{ approve: true }, 'yes'],
    ] as const) {
      expect([verdictOf(question, resolved(values)), verdictOnWire({ question, answer: resolved(values) })]).toEqual([
        verdict,
        verdict,
      ]);
    }
  });

  // Promise Y54a
  test('an answer that is taken is no yes by what its dialect sends for a field that was left out', () => {
    const schema = { type: 'object', properties: { approved: { type: 'boolean' } } };
    const asks = { kind: 'form', schema, ifMissing: { approved: true } } as const;
    expect(verdictOf(asks, { status: 'resolved', values: {} })).toBe('answered');
  });

  // Promise Y53
  test('an answer that is taken carries Standfast’s own decision in its metadata, and a no as a refusal', () => {
    const fields = [{ name: 'note', type: 'text' }];
    const [question] = readPause(aFormPause({ formId: 'f', toolCallId: 'c', toolName: 'pay', fields })).questions;
    if (question === undefined) throw new Error('a form is a question');
    const sent = (answer: Answer): unknown => {
      const encoded = encodeAnswers([{ question, answer }]);
      return encoded.result === 'ok' && encoded.parts[0]?.kind === 'data' ? encoded.parts[0].data : null;
    };
    expect(sent(resolved({ approved: true, note: 'go' }))).toMatchObject({
      values: { note: 'go' },
      metadata: { approved: true },
    });
    const no = { values: {}, metadata: { status: 'cancelled', approved: false } };
    expect(sent(resolved({ approved: false, note: 'go' }))).toMatchObject(no);
    expect(sent(refused('too dear'))).toMatchObject(no);
  });
});
