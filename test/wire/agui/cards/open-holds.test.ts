// What the interrupts of a thread tell of a question that is not carried whole.
import { describe, expect, test } from '@jest/globals';
import { carriedQuestions } from '../../../../src/core/consent/whole.ts';
import { sha256OfText } from '../../../../src/host/secrets/hash.ts';
import { openInterrupts } from '../../../../src/wire/agui/cards/open-holds.ts';
import { aHold, aQuestion } from '../../../rigs/factories.ts';

const source = {
  taskId: 't',
  a2aTaskId: null,
  contextId: null,
  publicUrl: 'http://127.0.0.1:8600',
  mayDecide: () => true,
};

describe('an interrupt', () => {
  // Promise Y19a
  test('an interrupt of a long question says what of it is not whole, and where it is', () => {
    const message = 'x'.repeat(20_000);
    const [question = aQuestion({})] = carriedQuestions([aQuestion({ message })], sha256OfText)?.questions ?? [];
    const hold = aHold({ question, digest: 'sha256:1' });
    const digest = sha256OfText(message);
    expect(openInterrupts([hold], source)).toMatchObject([
      {
        metadata: {
          standfast: {
            whole: [{ at: '/message', digest, bytes: 20_000, url: `/api/holds/${hold.holdId}/content/${digest}` }],
          },
        },
      },
    ]);
    const [short] = openInterrupts([aHold({ question: aQuestion({ message: 'Short' }) })], source);
    expect(short).not.toHaveProperty('metadata.standfast.whole');
  });
});
