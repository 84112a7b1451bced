// One open question is passed on to others, by a person who may do so.
import type { AmendCommand } from '../../contract/holds/decision.ts';
import type { HoldMove } from '../../contract/holds/hold.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import { isOperator, isSameAudience, mayDecide } from '../../core/policy/audience.ts';
import { channelsOfUsers } from '../../core/policy/delegates.ts';
import { withPeople } from '../../core/policy/ladder.ts';
import { mayTakeBack, takesBack } from '../../core/policy/take-back.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { amendHold } from './amend-hold.ts';
import { refuseOutside, refuseTooFew, refuseUnknownAssignees, withinPolicy } from './assignees.ts';

/** The last move of an open question, where they may take it back as far as is seen here; the workflow has the last word. */
export function moveToTakeBack(hold: HoldRow, principal: Principal): HoldMove | null {
  const last = hold.moves.at(-1);
  const isFree = hold.claim === null || hold.claim.by === principal.id;
  if (hold.status !== 'open' || !isFree || last === undefined || last.isBack) return null;
  return mayTakeBack(hold, last, principal) ? last : null;
}

/** Throws `not_allowed_to_decide` for whom the question is not to pass on. */
export function refuseMoving(hold: HoldRow, principal: Principal): void {
  if (isOperator(principal) || mayDecide(hold, principal, hold.owner)) return;
  throw new HoldpointError('not_allowed_to_decide', 'only who may decide a question, and operators, can pass it on');
}

export async function reassignHold(
  api: Pick<ApiContext, 'config' | 'now' | 'store' | 'tasks'>,
  hold: HoldRow,
  principal: Principal,
  asked: { to: string[]; note?: string | undefined },
): Promise<HoldRow> {
  const to = [...new Set(asked.to)];
  // As it was asked before: its policy, or who could, has asked them.
  const last = moveToTakeBack(hold, principal);
  const isBack = last !== null && takesBack(hold, last, principal, to);
  if (!isBack) {
    refuseMoving(hold, principal);
    refuseUnknownAssignees(api.config, hold, to);
    refuseOutside(api.config, hold, to);
    refuseTooFew(api.config, hold, to, api.now());
  }
  const receivedAt = api.now().toISOString();
  const source: AmendCommand = {
    kind: 'reassign',
    hold: hold.holdId,
    principal,
    receivedAt,
    to,
    note: asked.note ?? null,
    // Those who are asked again were notified before.
    ...(isBack ? {} : { notify: channelsOfUsers(api.config, to, hold.owner, api.now()) }),
    within: withinPolicy(api.config, hold, to),
  };
  return amendHold(api, hold, source, (row) => isSameAudience(row.audience, withPeople(to)));
}
