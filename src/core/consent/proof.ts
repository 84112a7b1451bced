// Why a decision is believed: the process that knew its author made a MAC over who, what, of which question and when. A row or a payload
// that lies there proves nothing; a receipt is made of what is proved alone.
import type {
  AnswerEntry,
  Decision,
  DecisionProof,
  DecisionSource,
  ReceiptTerms,
  Vote,
} from '../../contract/holds/decision.ts';
import type { ClosedHold, Hold } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { PasskeyProof, SignedAnswer } from '../../contract/holds/passkey.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { canonicalJson } from '../base/json.ts';
import { agreementHash, agreementKey, inPlaceOf } from './agreement.ts';
import { type GrantedRow, whyUngranted } from './grants.ts';
import { placesOf } from './stage.ts';
import { askedAs, entriesOf, temporalOperatorId } from '../policy/audience.ts';
import { namesOf } from '../policy/audience-entry.ts';

/** `sha256:…` over the canonical JSON of a value. */
type FingerprintOf = (value: unknown) => string;

/** The keyed hash of a text. */
type MacOf = (text: string) => string;

interface Answer {
  status: 'resolved' | 'cancelled';
  values: JsonObject;
  reason: string | null;
}

/** What the fingerprint of an answer is of: the same answer has the same one, whatever its source. */
export const answerGiven = ({ status, values, reason }: Answer): object =>
  status === 'resolved' ? { status, values } : { status, reason };

/** What a receipt of a decision under this plan repeats; null: its policy gives none. */
export function termsOf({
  policy,
  quorum,
  receipt,
  graceMs = 0,
  sign = null,
  stages,
}: Pick<Hold['plan'], 'policy' | 'quorum' | 'receipt' | 'graceMs' | 'stages'> & {
  sign?: Hold['plan']['sign'] | null;
}): ReceiptTerms | null {
  if (receipt === undefined) return null;
  const terms = { policy, version: receipt.version, quorum, forMs: receipt.forMs, graceMs, sign };
  if (stages === undefined) return terms;
  const list = stages.list.map((stage) => ({ name: stage.name, quorum: stage.quorum }));
  return { ...terms, stages: { sameAgain: stages.sameAgain, list } };
}

/** The clock and Temporal's own tools name no author whom a process knew. */
const authorless: readonly DecisionSource[] = ['clock', 'signal', 'grant'];

type Given = Pick<Decision, 'by' | 'source' | 'seenDigest' | 'credential' | 'actor'> & {
  status: Answer['status'];
  passkey?: PasskeyProof | undefined;
};

/** The text that the MAC covers: nothing of it can be exchanged, and so it fits no other question, author or answer. */
function proofText(
  holdId: string,
  given: Given,
  { mac: _mac, ...proof }: Omit<DecisionProof, 'mac'> & { mac?: string },
): string {
  const { by, source, seenDigest, credential, actor, status, passkey = null } = given;
  const what = { by, source, seenDigest, credential, actor, status, passkey };
  return canonicalJson({ for: 'standfast decision proof', hold: holdId, ...what, ...proof });
}

type Asked = Pick<Hold, 'holdId' | 'digest' | 'plan'>;

interface Provable {
  owner: string;
  /** MACs of answers that their authors took back; missing: none. */
  takenBack?: string[];
}

/** That this author gave this answer to the question as it is; made where they were recognised, and nowhere else. */
export function proofOfAnswer(
  macOf: MacOf,
  hold: Asked & { owner: string } & Pick<Hold, 'audience' | 'openedAt' | 'question' | 'votes'>,
  entry: Pick<AnswerEntry, 'status' | 'digest' | 'fingerprint' | 'passkey'>,
  who: Pick<DecisionProof, 'kind' | 'at' | 'message'> & { principal: Principal; source: DecisionSource },
): DecisionProof {
  const { holdId, digest, plan } = hold;
  const { principal, source, kind, at, message } = who;
  const { alsoFor = [], ...own } = principal;
  const stages = placesOf(hold, askedAs(hold, principal, hold.owner));
  const proof = {
    version: 1 as const,
    kind,
    digest,
    // The keyless caller on loopback owns everything.
    entries: principal.isSuper ? [...entriesOf(own), 'owner'] : entriesOf(own),
    alsoFor,
    answer: entry.fingerprint,
    ...(message === undefined ? {} : { message }),
    terms: termsOf(plan),
    ...(stages === undefined ? {} : { stages }),
    at,
  };
  const given = {
    by: principal.id,
    source,
    seenDigest: entry.digest,
    credential: principal.credential ?? null,
    actor: principal.actor ?? null,
    status: entry.status,
    passkey: entry.passkey,
  };
  return { ...proof, mac: macOf(proofText(holdId, given, proof)) };
}

type End = Pick<ClosedHold, 'decision' | 'votes' | 'ended'>;

/**
 * The text of the MAC that a decision ended its question: what was taken back before it was sent has none. Of an answer without a
 * proof (by Temporal's own tools, by the clock) it covers all, its words by a MAC of their own.
 */
function sentText(holdId: string, { decision, votes, ended }: End, answer: string | undefined): string {
  const macs = votes.map(({ proof }) => proof?.mac ?? '').toSorted();
  const { sent: _sent, values: _values, reason: _reason, ...given } = decision ?? {};
  const what = { decision: decision?.proof?.mac ?? { ...given, answer }, votes: macs, at: ended?.at ?? null };
  return canonicalJson({ for: 'standfast decision sent', hold: holdId, ...what });
}

const wordsText = (holdId: string, { values, reason }: Decision): string =>
  canonicalJson({ for: 'standfast decision words', hold: holdId, values, reason });

/** The end as its row keeps it; made by a worker of what the workflow gave it, and of nothing else. */
export function asSent<E extends End>(macOf: MacOf, holdId: string, end: E): E {
  const { decision } = end;
  if (decision === null) return end;
  const answer = decision.proof === undefined ? macOf(wordsText(holdId, decision)) : undefined;
  const sent = { mac: macOf(sentText(holdId, end, answer)), ...(answer !== undefined && { answer }) };
  return { ...end, decision: { ...decision, sent } };
}

/** Why a row's decision was not sent: it waits, was taken back, or is one that a row was given; null: it was. */
export function whyUnsent({ isMacOf }: Pick<ProofChecks, 'isMacOf'>, row: End & { holdId: string }): string | null {
  const { holdId, decision } = row;
  const { mac = '', answer } = decision?.sent ?? {};
  const areWords =
    decision === null ||
    decision.proof !== undefined ||
    hasNoWords(decision) ||
    isMacOf(wordsText(holdId, decision), answer ?? '');
  return areWords && isMacOf(sentText(holdId, row, answer), mac)
    ? null
    : 'its decision was not sent: no worker ended the question with it';
}

/** Who took back what an end is made of: a task that was put back to an earlier state has it again. */
export const takenBackIn = (
  { takenBack = [] }: Pick<Provable, 'takenBack'>,
  { decision, votes }: Pick<End, 'decision' | 'votes'>,
): string[] =>
  [...(decision === null ? [] : [decision]), ...votes].flatMap(({ by, proof }) =>
    proof !== undefined && takenBack.includes(proof.mac) ? [by] : [],
  );

/** True where the answer was proved for another question, or under other terms, than the workflow asks: what was read is not what is asked. */
export const isProofOfOther = (
  { digest, plan }: { digest?: string | undefined; plan: Partial<Hold['plan']> },
  { proof }: Pick<AnswerEntry, 'proof'>,
): boolean =>
  proof !== undefined &&
  digest !== undefined &&
  // Safe: a hold with a digest has its whole plan.
  (proof.digest !== digest || canonicalJson(proof.terms) !== canonicalJson(termsOf(plan as Hold['plan'])));

/** True where the answer was proved for other stages than ask its author now. */
export const isOfOtherStage = (stages: readonly number[] | undefined, { proof }: Pick<AnswerEntry, 'proof'>): boolean =>
  proof !== undefined && (stages ?? []).some((at) => proof.stages?.includes(at) !== true);

/** Checks that only a machine with keys and cryptography can make. */
export interface ProofChecks {
  fingerprintOf: FingerprintOf;
  isMacOf(text: string, mac: string): boolean;
  /** Whether the passkey that is named signed exactly this answer. */
  isSigned(passkey: PasskeyProof, answer: Pick<SignedAnswer, 'hold' | 'by' | 'digest' | 'answer' | 'agrees'>): boolean;
}

export type Proved = (Decision | Vote) & { proof: DecisionProof };

/** What of a row is not proved: its decision and votes. Temporal's own tools and the clock have no proof, and no receipt. */
export function unprovedIn(
  checks: ProofChecks,
  row: Asked & Pick<Hold, 'decision' | 'votes' | 'ended'> & Provable & GrantedRow,
): string[] {
  const given = [...(row.decision === null ? [] : [row.decision]), ...row.votes];
  const unsent = row.decision === null ? null : whyUnsent(checks, row);
  const forged = given.flatMap((one) => {
    const { by, source, proof } = one;
    // Words that a text question is answered with by Temporal's own tools.
    const isText = source === 'chat' && row.question.kind === 'text' && by === temporalOperatorId;
    if (source === 'grant') return ungranted(checks, row, one);
    if (authorless.includes(source) || (proof === undefined && isText)) return [];
    const why = whyUnproved(checks, row, one, { isErased: hasNoWords(one) });
    return why === null ? [] : [`the answer of ${by} is not proved: ${why}`];
  });
  return [...forged, ...contraryIn(row), ...(unsent === null ? [] : [unsent])];
}

function ungranted(checks: ProofChecks, row: GrantedRow, given: Decision | Vote): string[] {
  // No vote is given by a grant.
  const why = 'digest' in given ? whyUngranted(checks, row, given) : 'no one was asked';
  return why === null ? [] : [`the answer by a grant is not proved: ${why}`];
}

/** Votes behind a decision that say another thing than it does; words that were erased say nothing. */
function contraryIn({ decision, votes, question }: Pick<Hold, 'decision' | 'votes' | 'question'>): string[] {
  if (decision === null || decision.status === 'cancelled') return [];
  const keyOf = ({ values, proof }: Decision | Vote): string =>
    agreementKey(question, { values, fingerprint: proof?.answer ?? '' });
  return votes
    .filter((vote) => !hasNoWords(vote) && !hasNoWords(decision) && keyOf(vote) !== keyOf(decision))
    .map(({ by }) => `the vote of ${by} is for another answer than what was decided`);
}

/** True of an answer whose words were erased. */
export const hasNoWords = ({ values, reason }: Decision | Vote): boolean =>
  Object.keys(values).length === 0 && reason === null;

/** Why an answer of this hold is not proved; null: it is, and may go into a receipt. */
export function whyUnproved(
  checks: ProofChecks,
  hold: Asked & Provable & Pick<Hold, 'question'>,
  given: Decision | Vote,
  /** Words that were erased cannot be hashed again. */
  { isErased = false } = {},
): string | null {
  const { proof, by, source, values, reason } = given;
  const status = 'status' in given ? given.status : 'resolved';
  if (proof === undefined) return 'it has no proof';
  if (authorless.includes(source) || by === temporalOperatorId)
    return `an answer by ${source} has no author whom a process knew`;
  if (!checks.isMacOf(proofText(hold.holdId, { ...given, status }, proof), proof.mac))
    return 'its proof is of another answer, author or question, or by another key';
  if (hold.takenBack?.includes(proof.mac) === true) return 'it was taken back';
  if (proof.digest !== hold.digest) return 'it was given to another question';
  if (canonicalJson(proof.terms) !== canonicalJson(termsOf(hold.plan))) return 'it was given under another policy';
  const outside = (given.as ?? []).filter((entry) => !isEntryOf(proof, by, hold.owner, entry));
  if (outside.length > 0) return `its author is not ${outside.join(', ')}`;
  if (isOfOtherStage(given.stages, given)) return 'it was given in another stage';
  // The keyless caller owns everything, and stands in for none.
  const others = proof.entries.includes('owner') ? [] : inPlaceOf(given, hold.owner);
  if (canonicalJson(given.inPlaceOf ?? []) !== canonicalJson(others))
    return 'it was given in the stead of others than it says';
  if (isErased) return null;
  if (checks.fingerprintOf(answerGiven({ status, values, reason })) !== proof.answer) return 'it is another answer';
  return whyUnsigned(checks, hold, { ...given, status });
}

const isEntryOf = ({ entries, alsoFor }: DecisionProof, by: string, owner: string, entry: string): boolean =>
  [...entries, ...alsoFor].includes(entry) || (entry === 'owner' && [by, ...namesOf(alsoFor, 'user')].includes(owner));

function whyUnsigned(
  { fingerprintOf, isSigned }: ProofChecks,
  { holdId, digest, plan, question }: Asked & { question: Hold['question'] },
  { by, status, values, reason, passkey, proof }: (Decision | Vote) & { status: Answer['status'] },
): string | null {
  if (passkey === undefined) return plan.sign === undefined ? null : 'no passkey signed it, and its policy wants one';
  const answer = fingerprintOf({ status, values, reason });
  const agrees = agreementHash(fingerprintOf, question, { values, fingerprint: proof?.answer ?? '' });
  return isSigned(passkey, { hold: holdId, by, digest, answer, agrees })
    ? null
    : 'its passkey did not sign this answer';
}
