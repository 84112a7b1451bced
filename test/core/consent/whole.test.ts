// What an agent sent is kept whole before anything of it is cut, and the digest covers the whole.
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../src/contract/holds/question.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { canonicalJson } from '../../../src/core/base/json.ts';
import { holdDigest } from '../../../src/core/consent/question-digest.ts';
import { shortenedJson, shortenedText } from '../../../src/core/consent/shorten.ts';
import {
  carriedQuestions,
  isCarriedWhole,
  restoredQuestion,
  withoutApproval,
  withoutContents,
  withoutEditing,
} from '../../../src/core/consent/whole.ts';
import { yesOf } from '../../../src/core/consent/verdict.ts';
import { plainFields } from '../../../src/core/questions/plain-fields.ts';
import { fc } from '../../rigs/properties.ts';

const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const fingerprintOf = (value: unknown): string => sha256(canonicalJson(value));

const question = (given: Partial<Question>): Question => ({
  ...plainFields(),
  dialect: 'adk',
  kind: 'tool_call',
  title: 'Approve pay?',
  hasOwnTitle: false,
  message: 'May I?',
  schema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
  ...given,
});

const tool = (args: JsonObject): Question['tool'] => ({ callId: 'c1', name: 'pay', args, isEditable: false });

function carriedOf(given: Question): { carried: Question; kept: Map<string, string> } {
  const made = carriedQuestions([given], sha256);
  const [carried] = made?.questions ?? [];
  if (made === null || carried === undefined) throw new Error('not carried');
  return { carried, kept: new Map(made.contents.map(({ digest, text }) => [digest, text])) };
}

const digestOf = (given: Question): string =>
  holdDigest(fingerprintOf, {
    holdId: 'h1',
    agent: 'a',
    requester: 'r',
    question: carriedOf(given).carried,
    artifacts: [],
    attachments: [],
  });

/** A text of so many characters, whose pieces all differ. */
const textOf = (length: number, seed: number): string => {
  let text = '';
  for (let n = 0; text.length < length; n++) text += `${(n * 2_654_435_761 + seed) % 1_000_003} größer 🙂 `;
  return text.slice(0, length).replace(/[\ud800-\udbff]$/u, '?');
};

const lengths = fc.oneof(
  fc.integer({ min: 1, max: 2_000 }),
  fc.integer({ min: 15_000, max: 70_000 }),
  fc.integer({ min: 100_000, max: 700_000 }),
);

describe('What is carried of a question', () => {
  // Promise Y11
  test('what is carried of a question and what is kept next to it are together what its agent sent', () => {
    fc.assert(
      fc.property(lengths, lengths, fc.integer({ min: 0, max: 999 }), (forText, forArgs, seed) => {
        const asked = question({
          message: textOf(forText, seed),
          tool: tool({ sql: textOf(forArgs, seed), rows: Array.from({ length: seed }, (_, n) => n) }),
          reply: { payload: textOf(forArgs, seed + 1) },
        });
        const { carried, kept } = carriedOf(asked);
        expect(restoredQuestion(carried, (digest) => kept.get(digest) ?? null)).toStrictEqual(asked);
        for (const [digest, text] of kept) expect(sha256(text)).toBe(digest);
        expect(canonicalJson(carried).length).toBeLessThan(512 * 1024);
        expect(isCarriedWhole(carried)).toBe(
          carried.message === asked.message && canonicalJson(carried.tool?.args) === canonicalJson(asked.tool?.args),
        );
      }),
      { numRuns: 40 },
    );
  });

  // Promise Y12
  test('a hold’s digest is another one with any changed character of the whole', () => {
    fc.assert(
      fc.property(lengths, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (length, where, isText) => {
        const text = textOf(length, 7).replaceAll('🙂', '::');
        const at = Math.min(text.length - 1, Math.floor(where * text.length));
        const other = `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`;
        const asked = (one: string): Question =>
          isText ? question({ message: one }) : question({ tool: tool({ sql: one }) });
        expect(digestOf(asked(other))).not.toBe(digestOf(asked(text)));
        expect(digestOf(asked(text))).toBe(digestOf(asked(text)));
      }),
      {
        numRuns: 60,
        examples: [
          [2_000_000, 1, true],
          [2_000_000, 0.5, false],
        ],
      },
    );
  });

  // Promise Y13
  test('what is carried of a long text is its beginning and its end, with a mark between them', () => {
    const text = `first ${'x'.repeat(40_000)} DROP TABLE last`;
    const { carried } = carriedOf(question({ message: text }));
    expect(carried.message).toMatch(/^first x+\n\n\[… [\d,]+ characters are left out here …\]\n\nx+ DROP TABLE last$/u);
    expect(Buffer.byteLength(carried.message)).toBeLessThanOrEqual(16 * 1024);
  });

  // Promise Y13
  test('what is carried of a call has the beginning and the end of each long value', () => {
    const args = { note: `a${'b'.repeat(90_000)}z`, list: Array.from({ length: 30_000 }, (_, n) => n), to: 'DE1' };
    const { carried } = carriedOf(question({ tool: tool(args) }));
    const short = carried.tool?.args ?? {};
    expect(short['to']).toBe('DE1');
    expect(short['note']).toMatch(/^ab+\n\n\[… .* …\]\n\nb+z$/u);
    expect(short['list']).toStrictEqual(expect.arrayContaining([0, 29_999]));
  });

  test('a short question is carried as it is', () => {
    const asked = question({ tool: tool({ amount: 5 }) });
    expect(carriedOf(asked)).toStrictEqual({ carried: asked, kept: new Map() });
  });

  test('fifty long questions of one pause fit into the workflow’s history', () => {
    const all = Array.from({ length: 50 }, (_, n) =>
      question({ message: textOf(20_000, n), tool: tool({ sql: textOf(70_000, n) }) }),
    );
    const carried = carriedQuestions(all, sha256);
    expect(Buffer.byteLength(JSON.stringify(carried?.questions))).toBeLessThanOrEqual(512 * 1024);
    expect(carried?.contents).toHaveLength(100);
  });

  test('a question whose form alone is too large is not carried', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(600_000) } } };
    expect(carriedQuestions([question({ schema })], sha256)).toBeNull();
  });
});

describe('A call whose arguments are too long to be edited', () => {
  const editable = (args: JsonObject, payload: JsonObject): Question =>
    question({
      schema: {
        type: 'object',
        properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
        required: ['approved', 'editedArgs'],
      },
      defaults: { editedArgs: payload },
      tool: { callId: 'c1', name: 'pay', args, isEditable: true },
    });

  // Promise Y14
  test('a call with arguments too long to be edited is approved as it is or refused, and says so', () => {
    const args = { sql: 'x'.repeat(70_000) };
    const { carried } = carriedOf(editable(args, args));
    expect(carried.tool?.isEditable).toBe(false);
    expect(carried.defaults).toStrictEqual({});
    expect(carried.schema['required']).toStrictEqual(['approved']);
    expect(carried.message).toContain('too long to be edited here');
    expect(yesOf(carried)).toStrictEqual({ approved: true });
  });

  test('a call that cannot be edited shows what it gets with a yes, where that is not its arguments', () => {
    const { message } = withoutEditing(editable({ id: 1 }, { amount: 5 }), 'Why');
    expect(message).toContain('With a yes it gets: {"amount":5}');
  });
});

describe('A question that cannot be kept whole', () => {
  // Promise Y15
  test('a question that cannot be kept whole is not approved, and names the limit', () => {
    const { carried } = carriedOf(question({ message: 'x'.repeat(20_000) }));
    const asked = withoutContents(carried, 64);
    expect(yesOf(asked)).toBeNull();
    expect(asked.message).toContain('what is kept of one task (64 MiB)');
    expect(asked.whole?.map(({ omitted }) => omitted)).toStrictEqual(['too_large']);
  });

  test('a question that cannot be approved takes the word of its form that is a no', () => {
    const choice = { type: 'string', enum: ['approve', 'reject'] };
    const schema = { type: 'object', properties: { decision: choice } };
    const asked = withoutApproval(question({ kind: 'confirmation', tool: null, schema }), 'Why');
    expect(asked.schema['properties']).toStrictEqual({ decision: { ...choice, const: 'reject' } });
  });
});

describe('A text that is cut', () => {
  test('a shortened text has at most so many bytes, whole characters, and its own first and last ones', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 3_000 }),
        fc.integer({ min: 200, max: 2_000 }),
        (text, most) => {
          const short = shortenedText(text, most);
          expect(Buffer.byteLength(short)).toBeLessThanOrEqual(Math.max(most, 0));
          expect(/\p{Surrogate}/u.test(short)).toBe(/\p{Surrogate}/u.test(text));
          if (short === text) return;
          const [begin = '', , end = ''] = short.split(/\n\n(?=\[… )|(?<= …\])\n\n/u);
          expect(text.startsWith(begin) && text.endsWith(end)).toBe(true);
        },
      ),
    );
  });

  test('a shortened value is an object of at most so many bytes', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2_000 }), (value) => {
        // Safe: made as JSON.
        const short = shortenedJson(value as JsonObject, 1_000);
        expect(Buffer.byteLength(JSON.stringify(short))).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 50 },
    );
  });
});
