// How many a group has that goes on in what is not loaded.
import type { ReactNode } from 'react';
import { useCounts } from '../base/live/event-stream.ts';
import type { Filters } from '../base/router/routes.ts';
import { serverNow } from '../base/time/clock.ts';
import { Total } from '../ui/page-total.tsx';
import { dueUntil, type Group, never } from './groups.ts';
import { useRested } from './lazy-parts.ts';
import { type InboxList, isRecord } from './list.ts';
import { countPath } from './list-query.ts';

interface Props {
  group: Group;
  list: InboxList;
  filters: Filters;
}

/** From its first row on, once the page rests. */
export function GroupTotal({ group: { time, ids }, list, filters }: Props): ReactNode {
  const counts = useCounts();
  const isRested = useRested();
  const dueFrom = list.rows.get(ids[0] ?? '')?.dueAt ?? never;
  const path = time === null || !isRested ? null : countPath(filters, dueFrom, dueUntil(time, serverNow()));
  // Changes that end or add none leave the count as it is.
  const on = isRecord(filters.view) ? undefined : (counts?.[filters.view] ?? null);
  return <Total loaded={ids.length} isCut path={path} on={on} />;
}
