// Standing grants as people give and end them: the api knows who does, and proves it.
import type { GrantRow, GrantScope, GrantView, ProvenGrant } from '../../contract/base/grant.ts';
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { errorOf, StandfastError } from '../../core/base/errors.ts';
import { whyNotActedOn } from '../../core/consent/acted-on.ts';
import { judgeVote } from '../../core/answers/decision.ts';
import { givenBy, grantState, isStanding, termsOfGrant, whyTooWide } from '../../core/consent/grants.ts';
import { approvedCall, grantIdOf, grantWithYes, proposedWith } from '../../core/answers/grant-with-yes.ts';
import { askedAs, isOperator, mayDecide } from '../../core/policy/audience.ts';
import { isSamePerson } from '../../core/policy/lookalikes.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import { canonicalJson } from '../../core/base/json.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import type { ProvedEntry } from './prove-answer.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

type Granting = Pick<ApiContext, 'config' | 'now' | 'prover' | 'store'>;

/** One approval makes one grant; others give what they have read. */
function refuseOthers(grant: GrantRow, { id }: Principal): GrantRow {
  if (grant.given.some(({ by }) => isSamePerson(by, id))) return grant;
  const why = `${grant.given[0]?.by ?? 'somebody'} made a grant of this approval: read it, and give it as well`;
  throw new StandfastError('changed_meanwhile', why, { data: { grant: grant.id } });
}

interface Wanted {
  scope: GrantScope;
  /** What the policy allowed when the question opened, where this is what its reader saw; missing: as it is now. */
  shown?: HoldRow['plan']['grants'];
}

/** The grant of a call that this answer approves; refused where it approves none, or the policy allows none as wide. */
function grantFor(
  api: Granting,
  hold: HoldRow,
  answer: Pick<AnswerEntry, 'status' | 'values'> | null,
  { scope, shown }: Wanted,
): Omit<ProvenGrant, 'given'> {
  const at = api.now().toISOString();
  const allowed = ownEntry(api.config.policies, hold.plan.policy)?.grants;
  if (allowed === undefined) throw new StandfastError('forbidden', `the policy ${hold.plan.policy} allows no grants`);
  const call = answer === null ? null : approvedCall(hold, answer);
  if (call === null)
    throw new StandfastError(
      'payload_invalid',
      'a grant is made of a tool call that is approved by a yes alone; this is none',
    );
  const terms = termsOfGrant(shown ?? allowed, call, scope, at);
  if (scope.sum !== undefined && terms.sum === null)
    throw new StandfastError('payload_invalid', `the policy ${hold.plan.policy} adds nothing up: leave out sum`);
  const why = whyTooWide(allowed, terms, at);
  if (why !== null) throw new StandfastError('forbidden', `wider than the policy allows: ${why}`);
  return { id: grantIdOf(sha1Hex, hold), hold: hold.holdId, terms };
}

/** Gives a grant of a call that was approved; the same again is the same grant. */
export async function giveGrant(
  api: Granting,
  hold: HoldRow,
  scope: GrantScope,
  principal: Principal,
): Promise<GrantRow> {
  refuseStranger(hold, principal);
  const named = grantFor(api, hold, hold.outgoing == null ? hold.decision : null, { scope });
  refuseUnproved(api, hold);
  const known = await api.store.grants.get(named.id);
  if (known !== null) return refuseOthers(known, principal);
  const given = givenBy(api.prover.macOf, named, granterOf(hold, principal, api.now().toISOString()));
  return api.store.grants.put({ ...named, given: [given] }, api.prover);
}

/** What a grant is made of is what was asked and approved, and not what lies in a row in its place. */
function refuseUnproved({ prover }: Granting, hold: HoldRow): void {
  const why = whyNotActedOn(prover, hold, hold, { from: 'row' });
  if (why !== null) throw new StandfastError('hold_damaged', `nothing is granted by ${hold.interruptId}: ${why}`);
}

/** Adds to an answer, once it is proved, what its author grants with it. */
export type Granted = (answer: ProvedEntry) => AnswerEntry;

/** What the author of this answer grants by the same press; where others have granted with theirs, exactly that. */
export function grantedWith(
  api: Granting,
  hold: HoldRow,
  entry: AnswerEntry,
  scope: GrantScope,
  principal: Principal,
): Granted {
  refuseStranger(hold, principal);
  const named = grantFor(api, hold, entry, { scope, shown: hold.plan.grants });
  const who = granterOf(hold, principal, api.now().toISOString());
  const proposed = proposedWith(hold);
  if (proposed !== null && canonicalJson({ ...named.terms, ...proposed.terms }) !== canonicalJson(named.terms)) {
    const why = `${proposed.by.join(', ')} granted such calls otherwise with their answer: read it, and give the same or none`;
    throw new StandfastError('changed_meanwhile', why, { data: { proposed: proposed.terms } });
  }
  return (answer) => ({ ...answer, grant: grantWithYes(api.prover.macOf, named, who, answer.proof) });
}

/** An answer that was taken without a grant gets none as it is repeated: who asks for one learns it. */
export function refuseRepeated({ interruptId, votes, outgoing }: HoldRow, { id }: Principal): null {
  const given = [...votes, ...(outgoing ? [outgoing.decision] : [])];
  const own = given.find(({ by }) => by === id);
  if (own?.grant !== undefined) return null;
  const who = own === undefined ? `${outgoing?.decision.by ?? 'somebody'} has` : 'you have';
  const why = `${who} answered ${interruptId} without a grant: take the answer back, or give the grant once it was sent`;
  throw new StandfastError('changed_meanwhile', why);
}

const granterOf = (hold: HoldRow, principal: Principal, at: string) => ({
  by: principal.id,
  as: askedAs(hold, principal, hold.owner),
  at,
  credential: principal.credential ?? null,
  actor: principal.actor ?? null,
});

function refuseStranger(hold: HoldRow, principal: Principal): void {
  if (!mayDecide(hold, principal, hold.owner))
    throw new StandfastError(
      'not_allowed_to_decide',
      `${principal.id} may not decide such calls; asked: ${hold.audience.join(', ')}`,
    );
}

/** A further person's part of a grant that needs several. */
export async function joinGrant(
  api: Granting,
  grant: GrantRow,
  hold: HoldRow,
  principal: Principal,
): Promise<GrantRow> {
  refuseStranger(hold, principal);
  refuseUnproved(api, hold);
  if (!isStanding(api.prover, grant)) throw new StandfastError('hold_closed', 'the grant has ended');
  if (grant.given.some(({ by }) => isSamePerson(by, principal.id))) return grant;
  // As of votes: no two by one credential where the policy wants several, and one of those who stand in for each other.
  const votes = grant.given.map(({ by, as, credential, actor }) => ({ by, as, credential, actor, fingerprint: '' }));
  const judged = judgeVote({ ...hold, votes }, principal, hold.owner);
  if (!judged.ok) throw errorOf(judged);
  const given = givenBy(api.prover.macOf, grant, granterOf(hold, principal, api.now().toISOString()));
  return (await api.store.grants.give(grant.id, given)) ?? grant;
}

/** Whether they may end it: operators, its authors, and who decides such calls. */
export const mayRevoke = (grant: GrantRow, hold: HoldRow | null, principal: Principal): boolean =>
  isOperator(principal) ||
  grant.given.some(({ by }) => by === principal.id) ||
  (hold !== null && mayDecide(hold, principal, hold.owner));

export function grantViewOf(
  { now, prover }: Pick<ApiContext, 'now' | 'prover'>,
  { grant, hold }: { grant: GrantRow; hold: HoldRow | null },
  principal: Principal,
): GrantView {
  const { id, terms, given, ended, used } = grant;
  const { agent, tool, policy, args, ranges, until, recheck, need, sum } = terms;
  const state = grantState(prover, grant, now().toISOString());
  const isMine = given.some(({ by }) => isSamePerson(by, principal.id));
  return {
    id,
    state,
    agent,
    tool,
    policy,
    args,
    ranges,
    hold: grant.hold,
    by: given.map(({ by, at, actor }) => ({ by, at, actor })),
    need,
    until,
    times: { used: used.times, most: terms.times },
    sum: sum === null ? null : { of: sum.of, used: used.sum, most: sum.most },
    recheck,
    ended,
    mayGive: state === 'proposed' && !isMine && hold !== null && mayDecide(hold, principal, hold.owner),
    mayRevoke: ended === null && mayRevoke(grant, hold, principal),
  };
}
