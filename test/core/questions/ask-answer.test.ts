// A program is given what people answered to the question that they were asked, or nothing.
import { describe, expect, test } from '@jest/globals';
import { approvalOf, closedAnswer } from '../../../src/core/questions/ask-answer.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { readableHold } from '../../../src/store/tables/holds/readable-hold.ts';
import { questionOfToolCall } from '../../../src/core/questions/ask.ts';
import { aPrincipal, aQuestion } from '../../rigs/factories.ts';
import { aDigestedRow, aProvedDecision, provedAgain, prover } from '../../rigs/proofs.ts';

const at = '2026-11-28T09:00:00.000Z';
const fin = aPrincipal('fin', 'finance');
const asking = (amount: number): HoldRow['question'] =>
  questionOfToolCall({ name: 'pay', title: 'Pay', args: { amount }, why: 'Invoice 7', isEditable: false }, 'call-1');

function answered(approved: boolean, artifacts: object[] = []): HoldRow {
  const asked = { question: asking(9), owner: 'anna', agent: 'ask', audience: ['role:finance'] };
  const row = aDigestedRow({ ...asked, artifacts: artifacts as never });
  const values = approved ? { approved } : { approved, reason: 'too dear' };
  const decision = aProvedDecision(row, { by: fin, at, entry: { values } });
  const ended = { by: 'fin', at, why: approved ? ('approved' as const) : ('declined' as const) };
  const end = { decision, answerFingerprint: null, votes: [], supersededBy: null, ended };
  return { ...row, ...provedAgain(row, { holdId: row.holdId, status: 'decided', ...end }) };
}

const emptied = (row: HoldRow): HoldRow => ({
  ...row,
  decision: row.decision && { ...row.decision, values: {}, reason: null },
});

/** Its task was put back to the state before. */
const takenBack = (row: HoldRow): HoldRow => ({ ...row, takenBack: [row.decision?.proof?.mac ?? ''] });

/** As it is restored from its workflow: what its digest covers beyond the question is not there. */
const withoutFiles = (): HoldRow => ({ ...answered(true, [{ artifactId: 'a', digest: 'sha256:1' }]), artifacts: null });

/** As the store reads it. */
const replyTo = (row: HoldRow): ReturnType<typeof closedAnswer> =>
  closedAnswer(prover, readableHold(row), 'pay-1', null);

describe('what a program is given of a question that has ended', () => {
  test('what a program is given of a question that has ended is what people answered', () => {
    expect(approvalOf(replyTo(answered(true)))).toMatchObject({ approved: true, args: { amount: 9 } });
    expect(replyTo(answered(false))).toMatchObject({ status: 'answered', verdict: 'no' });
  });

  // Promise Y79
  test.each<[string, HoldRow]>([
    ['another sum, in a row without artifacts', { ...answered(true), artifacts: null, question: asking(9000) }],
    [
      'a yes by words that were a no, in a row without artifacts',
      {
        ...answered(false),
        artifacts: null,
        question: { ...asking(9), decisionField: 'reason', decisionWords: { yes: 'too dear', no: 'never' } },
      },
    ],
    [
      'a no to a question that cannot be read',
      { ...answered(false), fault: 'unreadable', artifacts: null, question: aQuestion({ kind: 'text' }) },
    ],
    ['a no whose words were emptied', emptied(answered(false))],
    ['an approval that was taken back', takenBack(answered(true))],
    ['an approval of files that are not in its restored row', withoutFiles()],
  ])('what a program is given of a question that has ended is not %s', (_what, row) => {
    const reply = replyTo(row);
    expect(reply).toMatchObject({ status: 'withdrawn', why: expect.stringContaining('not taken') });
    expect(approvalOf(reply)).toMatchObject({ approved: false, args: null });
  });
});
