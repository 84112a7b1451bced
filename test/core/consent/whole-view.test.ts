// What a page shows of a long question is, put together, what its digest covers.
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import { carriedQuestions, shownWhole } from '../../../src/core/consent/whole.ts';
import { sha256OfText } from '../../../src/host/secrets/hash.ts';
import { wholeHold } from '../../../src/core/consent/whole-view.ts';
import { aQuestion } from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

/** The question as a page gets it, and its contents by digest. */
function shownAs(question: Question): { hold: HoldView; contents: Map<string, string> } {
  const carried = carriedQuestions([question], sha256OfText);
  const [now = question] = carried?.questions ?? [];
  const whole = shownWhole(now).map((part) => ({ ...part, url: `/api/holds/h/content/${part.digest}` }));
  const context = { toolArgs: now.tool?.args ?? {}, whole };
  // Safe: what else a view has is not read here.
  const hold = { message: now.message, stated: now.stated, context } as unknown as HoldView;
  return { hold, contents: new Map(carried?.contents.map(({ digest, text }) => [digest, text])) };
}

describe('a long question on a page', () => {
  // Promise Y11
  // Promise Y19b
  test('a long question on a page shows all that its agent sent, from 1 byte to 2 MB, once its contents are read', () => {
    const lengths = fc.oneof(fc.integer({ min: 1, max: 40_000 }), fc.constantFrom(100_000, 1_000_000, 2_000_000));
    fc.assert(
      fc.property(lengths, lengths, lengths, (ofMessage, ofArgs, ofReasoning) => {
        const message = `${'größer '.repeat(ofMessage / 7)}end`;
        const args = { sql: `${'x'.repeat(ofArgs)};DROP` };
        const reasoning = `${'y'.repeat(ofReasoning)}.`;
        const { hold, contents } = shownAs(
          aQuestion({ message, stated: { reasoning }, tool: { callId: 'c', name: 'sql', args, isEditable: false } }),
        );
        const page = wholeHold(hold, (digest) => contents.get(digest));
        expect(page.message === message && page.context.toolArgs['sql'] === args.sql).toBe(true);
        expect(page.stated?.reasoning === reasoning).toBe(true);
        expect(page.context.whole).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  test('a long question on a page names what of it is still missing', () => {
    const { hold } = shownAs(aQuestion({ message: 'x'.repeat(20_000) }));
    expect(wholeHold(hold, () => undefined).context.whole.map(({ at }) => at)).toEqual(['/message']);
  });
});
