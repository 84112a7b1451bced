// The api knows who answers; what it says of that is proved here, and believed nowhere without.
import type { AnswerEntry, DecisionProof, DecisionSource } from '../../contract/holds/decision.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { proofOfAnswer } from '../../core/consent/proof.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';

export type ProvedEntry = AnswerEntry & { proof: DecisionProof };

/** The answer of this person, whom the api has just recognised, to the question as it is. */
export const proved = (
  { prover }: Pick<ApiContext, 'prover'>,
  hold: HoldRow,
  entry: AnswerEntry,
  who: { principal: Principal; source: DecisionSource; at: string; message?: string },
): ProvedEntry => ({ ...entry, proof: proofOfAnswer(prover.macOf, hold, entry, { ...who, kind: 'people' }) });
