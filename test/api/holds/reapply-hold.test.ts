// A question that is put under its policy again is judged on all that its agent sent.
import { describe, expect, test } from '@jest/globals';
import { previewReapplied } from '../../../src/api/acts/reapply.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { withJudged } from '../../../src/core/consent/judged.ts';
import { carriedQuestions } from '../../../src/core/consent/whole.ts';
import { sha256OfText } from '../../../src/host/secrets/hash.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { readPause } from '../../../src/wire/a2a/dialects/registry.ts';
import { aHold, aPrincipal, aQuestion, after, owner } from '../../rigs/factories.ts';
import { aFormPause } from '../../wire/a2a/factories.ts';

const rules = [{ when: { data: 'amount > 10' }, policy: 'director' }];
const config = ConfigSchema.parse({
  agents: { a: { url: 'http://a', policy: 'team', rules } },
  policies: { team: {}, director: {} },
});

/** The question as its turn leaves it, and what is kept next to it. */
function kept(question: Question): { question: Question; contents: Map<string, string> } {
  const made = carriedQuestions([withJudged({ rules: [], policy: 'team' }, question)], sha256OfText);
  const [carried] = made?.questions ?? [];
  if (made === null || carried === undefined) throw new Error('not carried');
  return { question: carried, contents: new Map(made.contents.map(({ digest, text }) => [digest, text])) };
}

/** Under which policy the question comes by the rules as they are now. */
async function policyAgain(asked: Question, isThere = true): Promise<string> {
  const { question, contents } = kept(asked);
  const hold = { ...aHold({ question }), taskId: 'x', agent: 'a', owner, threadId: 't' } as unknown as HoldRow;
  const api = {
    config,
    now: () => new Date(after('1h')),
    checkAnswer: () => Promise.resolve({ ok: true }),
    store: { attachments: { content: (_: string, digest: string) => (isThere ? contents.get(digest) : null) } },
  } as never;
  const words = await previewReapplied(api, hold, aPrincipal('op', 'operator'));
  return /(?:→ )?(\w+), (?:expires|never)[^→]*$/u.exec(words)?.[1] ?? words;
}

const call = (args: JsonObject): Question =>
  aQuestion({ kind: 'tool_call', defaults: {}, tool: { callId: 'c', name: 'pay', args, isEditable: false } });
const form = (more: JsonObject): Question => {
  const [question] = readPause(aFormPause({ formId: 'f', ...more })).questions;
  if (question === undefined) throw new Error('there is one question');
  return question;
};
const inWords = (amount: number): JsonObject => ({
  formId: 'x'.repeat(400),
  fields: [{ name: 'amount', type: 'number', default: amount }],
});
const many = (amount: number): JsonObject => ({
  ...Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`padding-${n}`, 'x'.repeat(40)])),
  amount,
  ...Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`more-${n}`, 'x'.repeat(40)])),
});

describe('a question that is put under its policy again', () => {
  // Promise Y31a
  test.each<[string, (amount: number) => Question]>([
    ['a call that is carried whole', (amount) => call({ amount })],
    ['a call whose amount is in what lies next to it', (amount) => call(many(amount))],
    [
      'a call whose arguments came as text',
      (amount) => form({ toolCallId: 'c', toolName: 'pay', arguments: JSON.stringify({ amount }) }),
    ],
    ['a form in words', (amount) => form(inWords(amount))],
    ['a long form in words', (amount) => form({ ...inWords(amount), description: 'x'.repeat(90_000) })],
  ])('a question that is put under its policy again is judged on the whole where it is %s', async (_what, asked) => {
    expect(await policyAgain(asked(5))).toBe('team');
    expect(await policyAgain(asked(900))).toBe('director');
  });

  // Promise Y31a
  test('a question that is put under its policy again counts as matching where its whole is not here any more', async () => {
    expect(await policyAgain(call(many(5)), false)).toBe('director');
  });
});
