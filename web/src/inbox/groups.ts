/*
 * What is grouped under one heading: by the time that is left, or by sameness. Pure. A row stays in the group in which
 * it was first shown, whatever the clock does meanwhile: nothing moves under the hand.
 */
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { bulkMax, isBulkRow } from './list.ts';

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

/** What a review can answer together: as bulk does, or forms that a yes or a no answers. */
export const isAlikeRow = (row: HoldRowView): boolean =>
  isBulkRow(row) || (row.kind === 'form' && row.decides !== undefined && isBulkRow({ ...row, kind: 'confirmation' }));

export interface AlikeGroup {
  ids: readonly string[];
  /** With its numbers as the blank. */
  title: string;
  /** What all of them come to, where each is about an amount in one currency. */
  sum: { amount: number; currency: string } | null;
}

/** Of those that can be answered together: the largest group first. */
export function alikeGroups(rows: readonly HoldRowView[]): AlikeGroup[] {
  const groups: { of: HoldRowView[]; title: string[] }[] = [];
  for (const row of rows.filter(isAlikeRow)) {
    const words = wordsOf(row.title);
    const near = groups
      .filter(({ of: [first] }) => first?.agent === row.agent && first.kind === row.kind)
      .flatMap((group) => {
        const title = withBlank(group.title, words);
        return title === null ? [] : [{ group, title }];
      })[0];
    if (near === undefined) groups.push({ of: [row], title: words });
    else {
      near.group.of.push(row);
      near.group.title = near.title;
    }
  }
  return groups
    .filter(({ of }) => of.length > 1)
    .toSorted((a, b) => b.of.length - a.of.length)
    .map(({ of, title }) => ({ rows: of.slice(0, bulkMax), title: title.join(' ') }))
    .map(({ rows: of, title }) => ({ ids: of.map(({ id }) => id), title, sum: sumOf(of) }));
}

/** Numbers are what differs in the same question. */
const wordsOf = (title: string): string[] => title.replaceAll(/\d+(?:[.,]\d+)*/gu, '#').split(/\s+/u);

const blank = '…';

/** Two titles as one, with what differs in the middle as the blank; null: less than half of their words is the same. */
function withBlank(a: readonly string[], b: readonly string[]): string[] | null {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  if (start === a.length && start === b.length) return [...a];
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = start + end;
  if (same < 2 || same * 2 < Math.max(a.length, b.length)) return null;
  return [...a.slice(0, start), blank, ...a.slice(a.length - end)];
}

function sumOf(rows: readonly HoldRowView[]): AlikeGroup['sum'] {
  const of = rows.map(({ values }) => ({
    amount: values.find(({ role }) => role === 'amount')?.value,
    currency: `${values.find(({ role }) => role === 'currency')?.value ?? ''}`,
  }));
  const currency = of[0]?.currency ?? '';
  if (!of.every((one) => typeof one.amount === 'number' && one.currency === currency)) return null;
  return { amount: of.reduce((sum, { amount }) => sum + Number(amount), 0), currency };
}

/** Those like the row that is marked; where none is, the largest group of those alike. None: fewer than two are. */
export function alikeIds(rows: readonly HoldRowView[], active: string | null): readonly string[] {
  const all = alikeGroups(rows).map(({ ids }) => ids);
  return (active === null ? all[0] : all.find((ids) => ids.includes(active))) ?? [];
}

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
