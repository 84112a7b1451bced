// What each view of the inbox shows a caller: as a filter of the store.
import { type AskedBy, type InboxView, inboxViews } from '../../contract/views/inbox-names.ts';
import { type InboxCounts, maxEndedCount } from '../../contract/views/inbox.ts';
import { hasEnded, type ShownStatus, shownStatuses } from '../../contract/holds/hold-names.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { entriesOf, isOperator, ownersOf } from '../../core/policy/audience.ts';
import type { HoldFilter } from '../../store/tables/holds/hold-filter.ts';
import type { ApiDeps } from '../api-deps.ts';

/** Everything the caller may see. */
export function visibleTo(principal: Principal): Pick<HoldFilter, 'visibleTo'> {
  return { visibleTo: isOperator(principal) ? null : { owner: principal.id, entries: entriesOf(principal) } };
}

const ended = shownStatuses.filter(hasEnded);
/** Where it is not the caller's turn alone that counts, what waits for its policy's word is listed, too, and says so. */
export const waiting = (): ShownStatus[] => ['open', 'time_up'];

/** By name: their own, and that of those they stand in for. */
const namesOf = (principal: Principal): string[] => ownersOf(principal).map((owner) => `user:${owner}`);

export function filterOf(
  view: InboxView,
  principal: Principal,
  askedBy?: AskedBy,
): HoldFilter & { statuses: ShownStatus[] } {
  const { id } = principal;
  switch (view) {
    case 'forMe': {
      const asked = askedBy === undefined ? {} : { askedBy };
      const entries = principal.kind === 'agent' ? [] : principal.isSuper ? null : entriesOf(principal);
      return { statuses: ['open'], decidableBy: { id, entries, names: namesOf(principal), ...asked } };
    }
    case 'mine':
      // Who owns everything is asked everything.
      if (principal.isSuper) return { statuses: waiting() };
      // A claim stays when the question moves on to others; what they see of it does not.
      return { statuses: waiting(), askedOf: { id, entries: namesOf(principal) }, ...visibleTo(principal) };
    case 'team':
      if (principal.isSuper) return { statuses: waiting() };
      return { statuses: waiting(), askedOf: { id, entries: entriesOf(principal) }, ...visibleTo(principal) };
    case 'all':
      return { statuses: waiting(), ...visibleTo(principal) };
    case 'decided':
      return { statuses: [...ended], ...visibleTo(principal) };
    default:
      return view satisfies never;
  }
}

export async function countInbox({ store }: Pick<ApiDeps, 'store'>, principal: Principal): Promise<InboxCounts> {
  const [forMe, mine, team, all, decided] = await Promise.all(
    inboxViews.map((view) =>
      store.holds.counts(filterOf(view, principal), view === 'decided' ? maxEndedCount : undefined),
    ),
  );
  return { forMe: forMe ?? 0, mine: mine ?? 0, team: team ?? 0, all: all ?? 0, decided: decided ?? 0 };
}
