// Accepts or refuses one answer to one hold, by who gave it, its digest and its time. The same rules for every source.
import { isPast } from './time-up.ts';
import type { InterruptId } from '../../contract/base/id-types.ts';
import { countsPersons } from '../consent/acted-on.ts';
import { isOfOtherStage, isProofOfOther } from '../consent/proof.ts';
import { refuseEdit } from '../consent/judged.ts';
import { inPlaceOf, votersOf } from '../consent/agreement.ts';
import { placesOf, votesNextTo } from '../consent/stage.ts';
import type {
  AnswerEntry,
  HowAnswered,
  Decision,
  DecisionSource,
  Outgoing,
  Vote,
} from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import { askedAs, isLeftOut, mayDecide, ownersOf, temporalOperatorId } from '../policy/audience.ts';
import { isSamePerson } from '../policy/lookalikes.ts';
import { refuse } from '../base/errors.ts';

export interface Answerer {
  principal: Principal;
  /** ISO time at which the api received it; for signals, now. */
  receivedAt: string;
}

/** What is known of a hold when an answer comes: an open one, or one closed earlier. */
export interface Judged
  extends
    Pick<Hold, 'interruptId' | 'status' | 'audience' | 'answerFingerprint' | 'decision'>,
    Partial<Pick<Hold, 'digest' | 'expiresAt' | 'supersededBy' | 'outgoing' | 'openedAt'>> {
  /** Its row cannot be read, or is not the question that was asked. */
  fault?: 'unreadable' | 'altered';
  /** Missing: of a hold that closed earlier. */
  question?: Hold['question'];
  plan: Pick<LadderPlan, 'exclude' | 'byTemporal'> &
    Partial<Pick<LadderPlan, 'requesters' | 'quorum' | 'distinct' | 'requireDigest' | 'sign' | 'deputies' | 'stages'>>;
  /** Agreements that are still valid, or that decided. */
  votes?: readonly JudgedVote[];
}

type JudgedVote = Pick<Vote, 'by' | 'fingerprint'> &
  Partial<Pick<Vote, 'credential' | 'actor' | 'as' | 'stages' | 'values'>>;

/** `repeat`: this same answer was accepted before, as the decision or as a vote that is still valid. */
export type Judgement = { ok: true; kind: 'fresh' } | { ok: true; kind: 'repeat' } | Refusal;

/**
 * Judges an answer. Late is min(receivedAt, now) > expiresAt; while the hold is open anything earlier counts.
 * Codes: payload_invalid (of arguments that may not be edited), not_allowed_to_decide, hold_damaged, interrupt_expired, hold_closed, passkey_required, digest_required,
 * digest_mismatch, already_voted.
 */
export function judgeAnswer(hold: Judged, entry: AnswerEntry, who: Answerer, owner: string, now: string): Judgement {
  const unfit = hold.question === undefined ? null : refuseEdit(hold.question, entry);
  if (unfit !== null) return unfit;
  const outsider = refuseOutsider(hold, who.principal, owner);
  if (outsider !== null) return outsider;
  const nextTo = hold.status === 'open' ? votesNextTo(hold) : hold.votes;
  const own = nextTo?.find(({ by }) => by === who.principal.id);
  if (own?.fingerprint === entry.fingerprint && entry.fingerprint !== '') return { ok: true, kind: 'repeat' };
  if (hold.status !== 'open') return judgeClosed(hold, entry);
  if (hold.fault !== undefined) return refuseDamaged(hold.interruptId, hold.fault);
  if (hold.outgoing) return judgeDecided(hold, hold.outgoing, entry);
  const refusal =
    refuseLate(hold, who, now) ??
    refuseUnsigned(hold, entry, who.principal) ??
    refuseUnseen(hold, entry, askedAs(hold, who.principal, owner));
  if (refusal !== null) return refusal;
  // The fingerprint of a signal is known only after its values were checked; it is judged again then.
  return entry.fingerprint === '' ? { ok: true, kind: 'fresh' } : judgeVote(hold, who.principal, owner);
}

/** Who is not asked, or is not known where the policy counts persons. */
function refuseOutsider(hold: Judged, principal: Principal, owner: string): Refusal | null {
  if (principal.id === temporalOperatorId && hold.plan.byTemporal === false) {
    const why = 'temporal.answers is not set: decide on the page, or by `standfast decide` with a key';
    return refuse('not_allowed_to_decide', `${hold.interruptId} is not decided by Temporal’s own tools; ${why}`);
  }
  if (principal.id === temporalOperatorId && countsPersons({ quorum: 1, ...hold.plan })) {
    const why =
      'who sends it is not known, and its policy counts persons: decide on the page, or by `standfast decide` with a key';
    return refuse('not_allowed_to_decide', `${hold.interruptId} is not decided by Temporal’s own tools; ${why}`);
  }
  if (mayDecide(hold, principal, owner)) return null;
  const why = isLeftOut(hold, principal, owner)
    ? leftOutWords(hold, principal, owner)
    : `asked: ${hold.audience.join(', ')}`;
  return refuse('not_allowed_to_decide', `${principal.id} may not decide ${hold.interruptId}; ${why}`);
}

function refuseLate({ interruptId, expiresAt = null }: Judged, { receivedAt }: Answerer, now: string): Refusal | null {
  if (!isPast(expiresAt, receivedAt < now ? receivedAt : now)) return null;
  return refuse('interrupt_expired', `${interruptId} expired at ${expiresAt}`);
}

/** An answer to something else than the question as it is now, or to an unknown state of it. */
function refuseUnseen(hold: Judged, entry: AnswerEntry, as: readonly string[]): Refusal | null {
  const { interruptId, digest, plan } = hold;
  if (isProofOfOther(hold, entry) || isOfOtherStage(placesOf(hold, as), entry))
    return refuse(
      'digest_mismatch',
      `${interruptId} is asked otherwise than it was read, or under another policy; read it again`,
    );
  if (entry.digest === null)
    return plan.requireDigest === true
      ? refuse('digest_required', `its policy takes no answer to ${interruptId} without the digest of what was shown`)
      : null;
  if (digest === undefined || entry.digest === digest) return null;
  return refuse('digest_mismatch', `${interruptId} is not the question that was shown; read it again`);
}

/** Every answer passes here, whatever its source: where it must be signed, nothing stands in for the person's own passkey. */
function refuseUnsigned({ interruptId, plan, digest }: Judged, entry: AnswerEntry, { id }: Principal): Refusal | null {
  if (plan.sign === undefined) return null;
  const { passkey } = entry;
  if (passkey === undefined)
    return refuse(
      'passkey_required',
      `${interruptId} is decided on its own page only, and signed there with a passkey: its policy takes nothing else`,
    );
  return passkey.by === id && passkey.digest === entry.digest && (digest === undefined || passkey.digest === digest)
    ? null
    : refuse('passkey_invalid', `what was signed is not an answer of ${id} to ${interruptId} as it is now`);
}

/** One vote a person, by whatever name of theirs; where credentials must differ one a credential, too, and one a back end. */
export function judgeVote(hold: Judged, principal: Principal, owner: string): Judgement {
  const { interruptId, plan } = hold;
  const votes = votesNextTo(hold);
  const { id, credential, actor } = principal;
  const same = votes.find(({ by }) => isSamePerson(by, id));
  if (same?.by === id) return refuse('already_voted', `${id} has agreed to ${interruptId}; take that back first`);
  if (same !== undefined)
    return refuse('already_voted', `${same.by} has agreed to ${interruptId}, and ${id} counts as the same person`);
  const own = votersOf({ by: id, as: askedAs(hold, principal, owner) }, owner);
  const stead = votes.find((vote) => votersOf(vote, owner).some((one) => own.some((mine) => isSamePerson(one, mine))));
  if (stead !== undefined)
    return refuse(
      'already_voted',
      `${stead.by} has agreed to ${interruptId}, and ${id} and they have one vote: one stands in for the other`,
    );
  const isShared = (vote: JudgedVote): boolean =>
    (credential !== undefined && vote.credential === credential) || (actor !== undefined && vote.actor === actor);
  const shared = plan.distinct === 'credential' ? votes.find(isShared) : undefined;
  if (shared === undefined) return { ok: true, kind: 'fresh' };
  return refuse(
    'already_voted',
    `${shared.by} has agreed to ${interruptId} with the same credential; its policy wants another one`,
  );
}

/** What cannot be shown to a person cannot be decided. */
export function refuseDamaged(interruptId: InterruptId, fault: 'unreadable' | 'altered'): Refusal {
  const why = fault === 'unreadable' ? 'its row cannot be read' : 'its row is not the question that was asked';
  return refuse('hold_damaged', `${interruptId} cannot be decided: ${why}; an operator can cancel its task`, { fault });
}

function leftOutWords({ plan }: Judged, principal: Principal, owner: string): string {
  if (ownersOf(principal).includes(owner))
    return `asked for ${owner}, whom its policy leaves out, and who stands in for ${owner}`;
  return `its policy leaves out who asks, and those who spoke in the task: ${(plan.requesters ?? []).join(', ')}`;
}

/** Decided but not sent yet: the same answer is a repeat; another one is possible only after an undo. */
function judgeDecided(hold: Judged, { decision, fingerprint, at }: Outgoing, entry: AnswerEntry): Judgement {
  if (entry.fingerprint === fingerprint) return { ok: true, kind: 'repeat' };
  const how = `was ${decision.status === 'resolved' ? 'decided' : 'cancelled'} by ${decision.by}`;
  const until = `it is sent at ${at}, and can be taken back until then`;
  return refuse('hold_closed', `${hold.interruptId} ${how}; ${until}`, { sendAt: at, by: decision.by });
}

function judgeClosed(hold: Judged, entry: AnswerEntry): Judgement {
  if (hold.answerFingerprint !== null && hold.answerFingerprint === entry.fingerprint)
    return { ok: true, kind: 'repeat' };
  if (hold.status === 'expired') return refuse('interrupt_expired', `${hold.interruptId} has expired`);
  const { supersededBy = null } = hold;
  const by = hold.decision === null ? '' : ` by ${hold.decision.by} at ${hold.decision.at}`;
  if (supersededBy === null) return refuse('hold_closed', `${hold.interruptId} was ${hold.status}${by}`);
  return refuse('hold_closed', `${hold.interruptId} was asked again; the question now is ${supersededBy}`, {
    supersededBy,
  });
}

interface Given {
  source: DecisionSource;
  digest: string;
  /** Missing: it is known of the answer alone. */
  asked?: { hold: Pick<Hold, 'audience' | 'plan' | 'openedAt' | 'question' | 'votes'>; owner: string };
}

/** As whom its author was asked, and in whose stead. */
function askedWords(
  { hold, owner }: NonNullable<Given['asked']>,
  by: Principal,
): Pick<HowAnswered, 'as' | 'inPlaceOf' | 'stages'> {
  const as = askedAs(hold, by, owner);
  const others = inPlaceOf({ as, by: by.id }, owner);
  const stages = placesOf(hold, as);
  const given = { as, ...(stages === undefined ? {} : { stages }) };
  return others.length === 0 || by.isSuper ? given : { ...given, inPlaceOf: others };
}

const howAnswered = (
  entry: AnswerEntry,
  by: Principal,
  { source, asked }: Pick<Given, 'source' | 'asked'>,
): HowAnswered => ({
  ...(asked === undefined ? {} : askedWords(asked, by)),
  source,
  seenDigest: entry.digest,
  credential: by.credential ?? null,
  actor: by.actor ?? null,
  ...(entry.passkey === undefined ? {} : { passkey: entry.passkey }),
  ...(entry.proof === undefined ? {} : { proof: entry.proof }),
  ...(entry.grant === undefined ? {} : { grant: entry.grant }),
});

export function decisionOf(entry: AnswerEntry, by: Principal, at: string, { source, digest, asked }: Given): Decision {
  return {
    by: by.id,
    at,
    status: entry.status,
    values: entry.status === 'resolved' ? entry.values : {},
    reason: entry.reason,
    ...howAnswered(entry, by, { source, ...(asked === undefined ? {} : { asked }) }),
    digest,
  };
}
