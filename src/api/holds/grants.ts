// Standing grants as people give and end them: the api knows who does, and proves it.
import type { GrantBody, GrantRow, GrantUsed, GrantView } from '../../contract/base/grant.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { askerOf } from '../../core/base/asker.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import { callOf, givenBy, grantState, termsOfGrant, whyTooWide } from '../../core/consent/grants.ts';
import { argsEdited } from '../../core/consent/judged.ts';
import { verdictOf } from '../../core/consent/verdict.ts';
import { askedAs, isOperator, mayDecide } from '../../core/policy/audience.ts';
import { isSamePerson } from '../../core/policy/lookalikes.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import { uuidV5 } from '../../core/base/ids.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

type Granting = Pick<ApiContext, 'config' | 'now' | 'prover' | 'store'>;

/** The call that was approved, as it was approved; refused where there is none. */
function approvedCall(hold: HoldRow): ReturnType<typeof callOf> {
  const { question, plan, decision } = hold;
  if (decision === null || hold.outgoing != null || verdictOf(question, decision) !== 'yes') return null;
  const call = callOf({ agent: askerOf(hold), policy: plan.policy, question });
  return call === null ? null : { ...call, args: argsEdited(question, decision.values) ?? call.args };
}

/** One approval makes one grant; others give what they have read. */
function refuseOthers(grant: GrantRow, { id }: Principal): GrantRow {
  if (grant.given[0]?.by === id) return grant;
  const why = `${grant.given[0]?.by ?? 'somebody'} made a grant of this approval: read it, and give it as well`;
  throw new HoldpointError('changed_meanwhile', why, { data: { grant: grant.id } });
}

/** Gives a grant of a call that was approved; the same again is the same grant. */
export async function giveGrant(
  api: Granting,
  hold: HoldRow,
  body: GrantBody,
  principal: Principal,
): Promise<GrantRow> {
  const at = api.now().toISOString();
  refuseStranger(hold, principal);
  const allowed = ownEntry(api.config.policies, hold.plan.policy)?.grants;
  if (allowed === undefined) throw new HoldpointError('forbidden', `the policy ${hold.plan.policy} allows no grants`);
  const call = approvedCall(hold);
  if (call === null)
    throw new HoldpointError(
      'payload_invalid',
      'a grant is made of a tool call that was approved by a yes alone; this is none',
    );
  const terms = termsOfGrant(allowed, call, body, at);
  const why = whyTooWide(allowed, terms, at);
  if (why !== null) throw new HoldpointError('forbidden', `wider than the policy allows: ${why}`);
  const id = uuidV5(sha1Hex, hold.taskId, `grant:${hold.holdId}`);
  const known = await api.store.grants.get(id);
  if (known !== null) return refuseOthers(known, principal);
  const named = { id, hold: hold.holdId, terms };
  const given = givenBy(api.prover.macOf, named, granterOf(hold, principal, at));
  return api.store.grants.put({ ...named, given: [given] });
}

const granterOf = (hold: HoldRow, principal: Principal, at: string) => ({
  by: principal.id,
  as: askedAs(hold, principal, hold.owner),
  at,
  credential: principal.credential ?? null,
});

function refuseStranger(hold: HoldRow, principal: Principal): void {
  if (!mayDecide(hold, principal, hold.owner))
    throw new HoldpointError(
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
  if (grant.ended !== null) throw new HoldpointError('hold_closed', 'the grant has ended');
  if (grant.given.some(({ by }) => isSamePerson(by, principal.id))) return grant;
  const given = givenBy(api.prover.macOf, grant, granterOf(hold, principal, api.now().toISOString()));
  return (await api.store.grants.give(grant.id, given)) ?? grant;
}

/** Whether they may end it: operators, its authors, and who decides such calls. */
export const mayRevoke = (grant: GrantRow, hold: HoldRow | null, principal: Principal): boolean =>
  isOperator(principal) ||
  grant.given.some(({ by }) => by === principal.id) ||
  (hold !== null && mayDecide(hold, principal, hold.owner));

export function grantViewOf(
  { now }: Pick<ApiContext, 'now'>,
  { grant, used, hold }: { grant: GrantRow; used: GrantUsed; hold: HoldRow | null },
  principal: Principal,
): GrantView {
  const { id, terms, given, ended } = grant;
  const { agent, tool, policy, args, ranges, until, recheck, need, sum } = terms;
  const state = grantState(grant, used, now().toISOString());
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
    by: given.map(({ by, at }) => ({ by, at })),
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
