// What a program is given of its question that has ended: for whichever way brings it, so that none spells it for itself.
import { closedAnswer, receiptOfAsk, type AskAnswer } from '../../core/questions/ask-answer.ts';
import type { Prover } from './proofs.ts';
import { receiptOf } from './receipts.ts';
import type { Signer } from './signing.ts';

interface Deps {
  prover: Prover;
  signer: Signer | null;
  publicUrl: string;
  log: { error(values: object, message: string): void };
}

/** The answer by this row, as far as it is proved; the log says why one is withheld. */
export function answerOfRow(deps: Deps, row: Parameters<typeof closedAnswer>[1], id: string): AskAnswer {
  const answer = closedAnswer(deps.prover, row, id, receiptOf(deps, receiptOfAsk(row, deps.publicUrl)));
  if ('why' in answer) deps.log.error({ holdId: row.holdId, why: answer.why }, 'a program was given no answer');
  return answer;
}
