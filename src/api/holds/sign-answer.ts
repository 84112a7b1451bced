// Answers that a person's passkey signs: the challenge of one, and the proof that the decision keeps.
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Assertion, PasskeyProof } from '../../contract/holds/passkey.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { canonicalJson } from '../../core/base/json.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { agreementHash } from '../../core/consent/agreement.ts';
import { answerGiven } from '../../core/consent/proof.ts';
import { challengeText } from '../../core/consent/signed-answer.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import type { HoldRow } from '../../store/store.ts';
import {
  newChallenge,
  optionsToSign,
  refusePrograms,
  signedBy,
  takeChallenge,
  type PasskeyReads,
} from '../auth/passkeys.ts';
import type { ViewReads } from '../api-parts.ts';

type Given = Pick<AnswerEntry, 'status' | 'values' | 'reason' | 'digest'>;

/** What one answer says of one question; throws for an answer that does not name the question as it is. */
function toSign(
  hold: HoldRow,
  given: Given,
  by: string,
): Pick<PasskeyProof, 'hold' | 'by' | 'digest' | 'answer' | 'agrees'> {
  const { status, values, reason, digest } = given;
  if (digest !== hold.digest)
    throw new StandfastError(
      'digest_mismatch',
      `${hold.interruptId} is not the question that was shown; read it again`,
    );
  const answer = fingerprintOf({ status, values, reason });
  const fingerprint = fingerprintOf(answerGiven({ status, values, reason }));
  const agrees = agreementHash(fingerprintOf, hold.question, { values, fingerprint });
  return { hold: hold.holdId, by, digest, answer, agrees };
}

/** What to hand to the browser, so that the person signs this answer. */
export async function askToSign(
  api: ViewReads & PasskeyReads,
  hold: HoldRow,
  given: Given,
  principal: Principal,
): Promise<object> {
  refusePrograms(principal);
  const answer = toSign(hold, given, principal.id);
  const { challenge } = await newChallenge(api, principal.id, canonicalJson(answer), (nonce, at) =>
    challengeText({ ...answer, nonce, at }),
  );
  return optionsToSign(api, principal.id, challenge);
}

/** The proof that this person signed this answer; throws `passkey_invalid`. The challenge is used up. */
export async function proofOf(
  api: ViewReads & PasskeyReads,
  hold: HoldRow,
  given: Given,
  principal: Principal,
  assertion: Assertion,
): Promise<PasskeyProof> {
  refusePrograms(principal);
  const answer = toSign(hold, given, principal.id);
  const { clientDataJSON, authenticatorData, signature } = assertion.response;
  const { challenge, nonce, at } = await takeChallenge(api, principal.id, canonicalJson(answer), clientDataJSON);
  const { id, publicKey } = await signedBy(api, principal.id, challenge, assertion);
  return { ...answer, nonce, at, id, publicKey, authenticatorData, clientData: clientDataJSON, signature };
}
