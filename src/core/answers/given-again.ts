// Answers that are in the rows and not in the workflow, as after Temporal was restored to an earlier moment: as they were given.
import type { DecideCommand, Decision, Vote } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { namesOf } from '../policy/audience-entry.ts';

type Proved = (Decision | Vote) & { proof: NonNullable<Decision['proof']> };

const isProved = (one: Decision | Vote): one is Proved => one.proof !== undefined;

/** What its author was to the process that recognised them. */
function authorOf({ by, credential, actor, proof: { entries, alsoFor } }: Proved): Principal {
  return {
    id: by,
    roles: namesOf(entries, 'role'),
    isSuper: entries.includes('owner'),
    ...(alsoFor.length > 0 && { alsoFor }),
    ...(credential !== null && { credential }),
    ...(actor !== null && { actor }),
  };
}

/** The commands by which a question got its votes and its decision; what no one proved is not given again. */
export function givenAgain({
  holdId,
  digest,
  votes,
  decision,
}: Pick<Hold, 'holdId' | 'digest' | 'votes' | 'decision'>): DecideCommand[] {
  const isVote = decision !== null && votes.some(({ proof }) => proof?.mac === decision.proof?.mac);
  const given = [...votes, ...(decision === null || isVote ? [] : [decision])];
  return given.filter(isProved).map((one) => {
    const { values, reason, seenDigest, passkey, proof, grant, source } = one;
    const entry = {
      hold: holdId,
      status: 'status' in one ? one.status : ('resolved' as const),
      values,
      reason,
      digest: seenDigest,
      fingerprint: proof.answer,
      checked: { digest },
      ...(passkey === undefined ? {} : { passkey }),
      proof,
      ...(grant === undefined ? {} : { grant }),
    };
    return { entry, principal: authorOf(one), receivedAt: proof.at, source };
  });
}
