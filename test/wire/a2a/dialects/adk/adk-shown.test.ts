// What an ADK agent asks about, in words to people: whole, or with a mark that it is not whole.
import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../../src/contract/base/json.ts';
import { carriedQuestions } from '../../../../../src/core/consent/whole.ts';
import { sha256OfText } from '../../../../../src/host/secrets/hash.ts';
import { isShownWhole } from '../../../../../src/core/questions/link-page.ts';
import { readPause } from '../../../../../src/wire/a2a/dialects/registry.ts';
import { anAdkCall, aPartsPause } from '../../factories.ts';

const kinds: [string, (payload: Json) => unknown[]][] = [
  [
    'a confirmation',
    (payload) => [
      anAdkCall('adk_request_confirmation', {
        originalFunctionCall: { id: 'adk-o', name: 'pay', args: {} },
        toolConfirmation: { hint: 'Pay?', payload },
      }),
    ],
  ],
  [
    'an input',
    (payload) => [anAdkCall('adk_request_input', { message: 'Go on?', payload, response_schema: { type: 'null' } })],
  ],
];
const listOf = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `line ${String(n).padStart(5, '0')}`);

describe.each(kinds)('what %s is about', (_kind, asks) => {
  const shown = (payload: Json) => {
    const [question] = readPause(aPartsPause(asks(payload))).questions;
    if (question === undefined) throw new Error('no question');
    return question;
  };

  test('what a question of ADK is about is shown whole where it has a few thousand characters', () => {
    expect(shown(listOf(500)).message).toContain('"line 00499"]');
    expect(shown('x'.repeat(10_000)).message).toContain('x'.repeat(10_000));
  });

  // Promise Y11
  // Promise Y19a
  test('what a question of ADK is about is kept whole where it is longer, and no link decides it', () => {
    for (const payload of [listOf(5_000), 'ä'.repeat(50_000)]) {
      const question = shown(payload);
      expect(question.message).toContain(JSON.stringify(payload));
      const [carried = question] = carriedQuestions([question], sha256OfText)?.questions ?? [];
      expect(carried.whole).toMatchObject([{ at: '/message' }, { at: '/reply' }].slice(0, carried.whole?.length));
      expect(isShownWhole({ question: carried, artifacts: null, attachments: [], plan: { danger: false } })).toBe(
        false,
      );
    }
  });
});
