// Rows under headings: which row is where, and what the heading says and offers.
import { type ReactNode, useMemo, useRef } from 'react';
import { serverNow } from '../base/time/clock.ts';
import { agentTitle } from '../base/account/names.ts';
import type { Filters } from '../base/router/routes.ts';
import { dayOf, reader } from '../base/time/time.ts';
import { oneLine } from '../base/text/visible.ts';
import { strings } from '../i18n/strings.ts';
import { GroupTotal } from './group-total.tsx';
import {
  type Group,
  groupsBySameness,
  groupsByTime,
  isAlikeRow,
  oneGroup,
  type TimeGroup,
  timeGroupOf,
} from './groups.ts';
import { type InboxList, isRecord, visibleIds } from './list.ts';

const text = strings.inbox;

export function useGroups(list: InboxList | null, { view, sort, group }: Filters): Group[] {
  const known = useRef(new Map<string, TimeGroup>());
  return useMemo(() => {
    if (list === null) return [];
    const ids = visibleIds(list);
    if (group === 'sameness') return groupsBySameness(ids, list.rows);
    if (isRecord(view) || sort !== 'deadline') return oneGroup(ids);
    const now = serverNow();
    return groupsByTime(ids, (id) => {
      const before = known.current.get(id);
      if (before !== undefined) return before;
      const time = timeGroupOf(list.rows.get(id)?.dueAt ?? null, now, (at) => dayOf(at, reader));
      known.current.set(id, time);
      return time;
    });
  }, [list, view, sort, group]);
}

export function headingOf({ time, like }: Group): string | null {
  if (time !== null) return text.headings[time];
  return like === null ? null : `${oneLine(like.title, 80) || text.untitled} · ${agentTitle(like.agent)}`;
}

interface Props {
  group: Group;
  list: InboxList;
  filters: Filters;
  onReview: (like: string) => void;
}

export function GroupHead({ group, list, filters, onReview }: Props): ReactNode {
  const heading = headingOf(group);
  if (heading === null) return null;
  // The last group of what was loaded may go on in what was not, and any group of equal ones.
  const isCut = list.nextCursor !== null && (group.like !== null || isLastOf(list, group));
  const together = group.like === null ? [] : group.ids.filter((id) => isAlike(list, id));
  const [first] = together;
  return (
    <div className={`group-head${group.time === 'hour' || group.time === 'overdue' ? ' danger' : ''}`}>
      <h2 className="cut">
        <bdi>{heading}</bdi>{' '}
        <span className="count num">
          {isCut && group.like !== null ? (
            text.shownAlike(group.ids.length)
          ) : isCut ? (
            <GroupTotal group={group} list={list} filters={filters} />
          ) : (
            group.ids.length
          )}
        </span>
      </h2>
      {first !== undefined && together.length > 1 && (
        <button
          type="button"
          className="button link"
          aria-label={text.reviewLike(heading)}
          onClick={() => onReview(first)}
        >
          {text.reviewAlike}
        </button>
      )}
    </div>
  );
}

const isLastOf = ({ order }: InboxList, { ids }: Group): boolean => ids.includes(order.at(-1) ?? '');

function isAlike(list: InboxList, id: string): boolean {
  const row = list.rows.get(id);
  return row !== undefined && isAlikeRow(row);
}
