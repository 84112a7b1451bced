// What an ADK agent asks about, in words to people: whole, or with a mark that it is not whole.
import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../../../../src/contract/base/json.ts';
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

  test('what a question of ADK is about ends with a mark, and tells its length, where it is longer; no link decides it', () => {
    for (const payload of [listOf(5_000), 'ä'.repeat(50_000)]) {
      const question = shown(payload);
      expect(question.message).toMatch(/\[…\]$/);
      expect(question.message).toContain(`of ${JSON.stringify(payload).length} characters`);
      expect(isShownWhole({ question, artifacts: null, attachments: [], plan: { danger: false } })).toBe(false);
    }
  });
});
