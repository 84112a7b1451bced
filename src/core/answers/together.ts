// Which questions can be answered together: the same agent asks the same about something else, in the same fields.
import type { HoldView } from '../../contract/holds/hold.ts';
import { canonicalJson, objectOf } from '../base/json.ts';
import { withoutNumbers } from '../base/text.ts';
import { type Sum, sumOf } from './amount.ts';
import { type ApartView, mostFormColumns, whyApart } from './apart.ts';

/** What of a question is compared with others. */
export type Comparable = ApartView &
  Pick<HoldView, 'id' | 'agent' | 'schema' | 'defaults' | 'onReject' | 'forMe' | 'title' | 'values'>;

interface TogetherGroup<H extends Comparable = Comparable> {
  holds: readonly H[];
  /** With what differs as the blank. */
  title: string;
  /** What all of them come to, where each is about an amount in one currency. */
  sum: Sum | null;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Equal for those that one form, or one yes, answers; null: it is answered alone. */
function kindOf(hold: Comparable): string | null {
  const { agent, kind, schema, decides, onReject } = hold;
  if (whyApart(hold) !== null || !hold.forMe || decides === null) return null;
  const names = Array.isArray(schema['required']) ? schema['required'] : [];
  const others = names.filter((name) => typeof name === 'string' && name !== decides.field);
  if (kind !== 'form') return others.length > 0 ? null : canonicalJson([agent, kind]);
  const lacks = Object.keys(objectOf(schema['properties'])).filter((name) => isEmpty(hold.defaults[name]));
  return canonicalJson([agent, kind, schema, decides, onReject, lacks]);
}

const wordsOf = (title: string): string[] => withoutNumbers(title).split(/\s+/u);

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

interface Growing<H extends Comparable> {
  of: H[];
  title: string[];
}

function byTitle<H extends Comparable>(holds: readonly H[]): Growing<H>[] {
  const groups: Growing<H>[] = [];
  // Most have the title of some before them, about other numbers.
  const known = new Map<string, Growing<H>>();
  for (const hold of holds) {
    const words = wordsOf(hold.title);
    const same = known.get(words.join(' '));
    const near = same === undefined ? nearOf(groups, words) : { group: same, title: same.title };
    const group = near?.group ?? { of: [], title: words };
    if (near === null) groups.push(group);
    else group.title = near.title;
    group.of.push(hold);
    known.set(words.join(' '), group);
  }
  return groups;
}

function nearOf<H extends Comparable>(
  groups: readonly Growing<H>[],
  words: readonly string[],
): { group: Growing<H>; title: string[] } | null {
  for (const group of groups) {
    const title = withBlank(group.title, words);
    if (title !== null) return { group, title };
  }
  return null;
}

/** How many fields of a form have not the same value in all of them: a column each. */
function columnsOf(holds: readonly Comparable[]): number {
  if (holds[0]?.kind !== 'form') return 0;
  const names = new Set(holds.flatMap(({ defaults }) => Object.keys(defaults)));
  const values = (name: string): Set<string> =>
    new Set(holds.map(({ defaults }) => canonicalJson(defaults[name] ?? null)));
  return [...names].filter((name) => values(name).size > 1).length;
}

/** Of two and more: the largest group first. */
export function togetherGroups<H extends Comparable>(holds: readonly H[]): TogetherGroup<H>[] {
  const kinds = new Map<string, H[]>();
  for (const hold of holds) {
    const kind = kindOf(hold);
    if (kind !== null) kinds.set(kind, [...(kinds.get(kind) ?? []), hold]);
  }
  return [...kinds.values()]
    .flatMap(byTitle)
    .filter(({ of }) => of.length > 1 && columnsOf(of) <= mostFormColumns)
    .toSorted((a, b) => b.of.length - a.of.length)
    .map(({ of, title }) => ({ holds: of, title: title.join(' '), sum: sumOf(of) }));
}
