/*
 * What is grouped under one heading: by the time that is left, or by sameness. Pure. A row stays in the group in which
 * it was first shown, whatever the clock does meanwhile: nothing moves under the hand.
 */
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { bulkAtMost } from '../../../src/contract/views/inbox-names.ts';
import { strings } from '../i18n/strings.ts';
import { isBulkRow } from './list.ts';

export type TimeGroup = 'overdue' | 'hour' | 'today' | 'tomorrow' | 'week' | 'later' | 'none';

export interface Group {
  key: string;
  /** Null: the reader sees no headings. */
  time: TimeGroup | null;
  /** The first row of a group of equal ones. */
  like: HoldRowView | null;
  ids: readonly string[];
}

const hour = 3_600_000;

/** `dayOf` names the reader's day of a moment. */
export function timeGroupOf(dueAt: string | null, now: number, dayOf: (at: number) => string): TimeGroup {
  if (dueAt === null) return 'none';
  const at = Date.parse(dueAt);
  if (at <= now) return 'overdue';
  if (at - now <= hour) return 'hour';
  if (dayOf(at) === dayOf(now)) return 'today';
  if (dayOf(at) === dayOf(now + 24 * hour)) return 'tomorrow';
  return at - now < 7 * 24 * hour ? 'week' : 'later';
}

/** Equal for questions of one sort: the same agent asks the same thing about something else. */
export const samenessOf = ({ agent, kind, title }: Pick<HoldRowView, 'agent' | 'kind' | 'title'>): string =>
  [agent, kind, title.replaceAll(/\d+/g, '#')].join('\n');

/** What a review may answer together, as far as a line tells; the server knows. */
export const isAlikeRow = (row: HoldRowView): boolean =>
  isBulkRow(row) || (row.kind === 'form' && row.decides !== undefined && isBulkRow({ ...row, kind: 'confirmation' }));

/** What a press reviews: all of them, or as many as are reviewed at once. */
export const reviewWords = (count: number, title: string): string =>
  count > bulkAtMost ? strings.inbox.reviewLike(title) : strings.inbox.reviewAllOf(count, title);

/** Rows in their order, under headings; `timeOf` is asked once for each row that has none yet. */
export function groupsByTime(ids: readonly string[], timeOf: (id: string) => TimeGroup): Group[] {
  const groups: { time: TimeGroup; ids: string[] }[] = [];
  for (const id of ids) {
    const time = timeOf(id);
    const last = groups.at(-1);
    if (last?.time === time) last.ids.push(id);
    else groups.push({ time, ids: [id] });
  }
  return groups.map(({ time, ids: of }, index) => ({ key: `${time}-${index}`, time, like: null, ids: of }));
}

/** Groups in the order of their first rows; each in the order of the list. */
export function groupsBySameness(ids: readonly string[], rows: ReadonlyMap<string, HoldRowView>): Group[] {
  const groups = new Map<string, { like: HoldRowView; ids: string[] }>();
  for (const id of ids) {
    const row = rows.get(id);
    if (row === undefined) continue;
    const key = samenessOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { like: row, ids: [id] });
    else group.ids.push(id);
  }
  return [...groups].map(([key, { like, ids: of }]) => ({ key, time: null, like, ids: of }));
}

export const oneGroup = (ids: readonly string[]): Group[] => [{ key: 'all', time: null, like: null, ids }];

/** What is due from here on has no deadline. */
export const never = '9999-01-01T00:00:00.000Z';

/** Until when a group is due, to the minute; empty: there is no end. */
export function dueUntil(time: TimeGroup, now: number): string {
  const at = Math.ceil(now / 60_000) * 60_000;
  const midnight = (days: number): number => new Date(at).setHours(24 * days, 0, 0, 0);
  const ends = { overdue: at, hour: at + hour, today: midnight(1), tomorrow: midnight(2), week: at + 168 * hour };
  return time === 'none' ? '' : time === 'later' ? never : new Date(ends[time]).toISOString();
}
