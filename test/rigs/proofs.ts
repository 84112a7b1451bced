// The keys of tests, and answers that a process with them has proved.
import type { HoldId } from '../../src/contract/base/id-types.ts';
import type { AnswerEntry, Decision, DecisionSource, Vote } from '../../src/contract/holds/decision.ts';
import type { ClosedHold } from '../../src/contract/holds/hold.ts';
import type { Principal } from '../../src/contract/base/principal.ts';
import { decisionOf } from '../../src/core/answers/decision.ts';
import { answerGiven, asSent, proofOfAnswer } from '../../src/core/consent/proof.ts';
import { type OpenedSession, runMac, sessionMac } from '../../src/core/base/proved-row.ts';
import { holdDigest } from '../../src/core/consent/question-digest.ts';
import { askedOf } from '../../src/core/consent/receipt.ts';
import { fingerprintOf } from '../../src/host/secrets/hash.ts';
import { createProver, type Prover } from '../../src/host/secrets/proofs.ts';
import type { HoldRow, NewIntake, Store } from '../../src/store/store.ts';
import { aHoldRow, anAnswer, aPrincipal } from './factories.ts';

export const testKey = '7e57'.repeat(16);
export const prover = createProver(testKey);

/** The row of a hold with the digest of its question. */
export function aDigestedRow(over: Partial<HoldRow> = {}): HoldRow {
  const row = aHoldRow(over);
  return { ...row, digest: digestOf(row) };
}

/** The digest of a row's question. */
export const digestOf = (
  row: Pick<HoldRow, 'holdId' | 'agent' | 'owner' | 'question'> & Partial<Pick<HoldRow, 'artifacts' | 'attachments'>>,
): string => holdDigest(fingerprintOf, askedOf({ artifacts: [], attachments: [], ...row }));

interface Given {
  entry?: Partial<AnswerEntry>;
  by: Principal;
  at: string;
  source?: DecisionSource;
  kind?: 'people' | 'agent';
  prover?: Prover;
  /** Digest of the caller's own message that it was read of. */
  message?: string;
}

/** A decision of this hold as the api has it made and the workflow keeps it. */
export function aProvedDecision(hold: HoldRow, given: Given): Decision {
  const { by, at, source = 'page', kind = 'people', prover: own = prover, message } = given;
  const { values = { approved: true }, status = 'resolved', reason = null } = given.entry ?? {};
  const fingerprint = fingerprintOf(status === 'resolved' ? { status, values } : { status, reason });
  const entry = { ...anAnswer(hold), values, status, reason, digest: hold.digest, fingerprint, ...given.entry };
  const proof = proofOfAnswer(own.macOf, hold, entry, { principal: by, source, kind, at, ...(message && { message }) });
  return decisionOf({ ...entry, proof }, by, at, { source, digest: hold.digest, asked: { hold, owner: hold.owner } });
}

export function aProvedVote(hold: HoldRow, given: Given): Vote {
  const { status: _status, digest: _digest, ...decision } = aProvedDecision(hold, given);
  return { ...decision, fingerprint: decision.proof?.answer ?? '' };
}

/** What the workflow closed, with the proofs that the api would have made of its answers, as the worker writes it. */
export function provedAgain(row: HoldRow, closed: ClosedHold): ClosedHold {
  const prove = <T extends Decision | Vote>(one: T): T => {
    if (one.proof !== undefined || one.source === 'clock' || one.source === 'grant') return one;
    const status = 'status' in one ? one.status : 'resolved';
    const { values, reason, seenDigest, by, source, credential, actor } = one;
    const fingerprint = fingerprintOf(answerGiven({ status, values, reason }));
    const known = { ...(credential !== null && { credential }), ...(actor !== null && { actor }) };
    const principal = { ...aPrincipal(by), ...known };
    const who = { principal, source, kind: 'people' as const, at: one.at };
    return { ...one, proof: proofOfAnswer(prover.macOf, row, { status, digest: seenDigest, fingerprint }, who) };
  };
  const proved = { ...closed, decision: closed.decision && prove(closed.decision), votes: closed.votes.map(prove) };
  return asSent(prover.macOf, row.holdId, proved);
}

/** Closes this hold as a worker does: its answers proved as of who gave them, and marked as sent. */
export async function closeSent(
  { holds }: Pick<Store, 'holds'>,
  holdId: HoldId,
  end: Omit<ClosedHold, 'holdId'>,
): Promise<void> {
  const row = await holds.get(holdId);
  if (row === null) throw new Error(`there is no hold ${holdId}`);
  await holds.close(holdId, provedAgain(row, { holdId, ...end }));
}

/** A session's row as an api writes it. */
export const asOpened = <R extends OpenedSession>(row: R, by: Prover = prover): R & { mac: string } => ({
  ...row,
  mac: sessionMac(by, row),
});

/** A run's row as an api keeps it. */
export const asKept = <R extends Omit<NewIntake, 'mac'>>(row: R, by: Prover = prover): R & { mac: string } => ({
  ...row,
  mac: runMac(by, row),
});
