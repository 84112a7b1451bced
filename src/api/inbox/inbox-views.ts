// What each view of the inbox shows a caller: as a filter of the store.
import { type AskedBy, type InboxView, inboxViews } from '../../contract/views/inbox-names.ts';
import { type InboxCounts, maxEndedCount } from '../../contract/views/inbox.ts';
import { hasEnded, type ShownStatus, shownStatuses } from '../../contract/holds/hold-names.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { entriesOf, isOperator } from '../../core/policy/audience.ts';
import { namesOf } from '../../core/policy/audience-entry.ts';
import type { HoldFilter, InStead } from '../../store/tables/holds/hold-filter.ts';
import type { WithStore } from '../api-parts.ts';

/** Everything the caller may see. */
export function visibleTo(principal: Principal): Pick<HoldFilter, 'visibleTo'> {
  if (isOperator(principal)) return { visibleTo: null };
  return { visibleTo: { owner: principal.id, entries: ownEntriesOf(principal), stead: steadOf(principal) } };
}

const ended = shownStatuses.filter(hasEnded);
/** Where it is not the caller's turn alone that counts, what waits for its policy's word is listed, too, and says so. */
export const waiting = (): ShownStatus[] => ['open', 'time_up'];

/** Without those of people they stand in for. */
const ownEntriesOf = ({ alsoFor: _others, ...alone }: Principal): string[] => entriesOf(alone);

const steadOf = ({ alsoFor = [], namedAt = {} }: Principal): InStead[] =>
  alsoFor.flatMap((entry) => namesOf([entry], 'user').map((user) => ({ user, since: namedAt[entry] ?? null })));

export function filterOf(
  view: InboxView,
  principal: Principal,
  askedBy?: AskedBy,
): HoldFilter & { statuses: ShownStatus[] } {
  const { id } = principal;
  const stead = steadOf(principal);
  switch (view) {
    case 'forMe': {
      const asked = askedBy === undefined ? {} : { askedBy };
      if (principal.kind === 'agent')
        return { statuses: ['open'], decidableBy: { id, entries: [], stead: [], ...asked } };
      const entries = principal.isSuper ? null : ownEntriesOf(principal);
      return { statuses: ['open'], decidableBy: { id, entries, stead, ...asked } };
    }
    case 'mine':
      // Who owns everything is asked everything.
      if (principal.isSuper) return { statuses: waiting() };
      // A claim stays when the question moves on to others; what they see of it does not.
      return { statuses: waiting(), askedOf: { id, entries: [`user:${id}`], stead }, ...visibleTo(principal) };
    case 'team':
      if (principal.isSuper) return { statuses: waiting() };
      return { statuses: waiting(), askedOf: { id, entries: ownEntriesOf(principal), stead }, ...visibleTo(principal) };
    case 'all':
      return { statuses: waiting(), ...visibleTo(principal) };
    case 'decided':
      return { statuses: [...ended], ...visibleTo(principal) };
    default:
      return view satisfies never;
  }
}

export async function countInbox({ store }: WithStore, principal: Principal): Promise<InboxCounts> {
  const [forMe, mine, team, all, decided] = await Promise.all(
    inboxViews.map((view) =>
      store.holds.counts(filterOf(view, principal), view === 'decided' ? maxEndedCount : undefined),
    ),
  );
  return { forMe: forMe ?? 0, mine: mine ?? 0, team: team ?? 0, all: all ?? 0, decided: decided ?? 0 };
}
