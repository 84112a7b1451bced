// Which questions can be answered together: the same agent asks the same about something else, in the same fields.
import type { HoldView } from '../../contract/holds/hold.ts';
import { canonicalJson, objectOf } from '../base/json.ts';
import { whyApart } from './apart.ts';

export interface TogetherGroup {
  holds: readonly HoldView[];
  /** With what differs as the blank. */
  title: string;
  /** What all of them come to, where each is about an amount in one currency. */
  sum: { amount: number; currency: string } | null;
}

/** More columns are no row that is read at a glance. */
const mostFormColumns = 6;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Equal for those that one form, or one yes, answers; null: it is answered alone. */
function kindOf(hold: HoldView): string | null {
  const { agent, kind, schema, decides, onReject } = hold;
  if (whyApart(hold) !== null || !hold.forMe || decides === null) return null;
  const names = Array.isArray(schema['required']) ? schema['required'] : [];
  const others = names.filter((name) => typeof name === 'string' && name !== decides.field);
  if (kind !== 'form') return others.length > 0 ? null : canonicalJson([agent, kind]);
  const lacks = Object.keys(objectOf(schema['properties'])).filter((name) => isEmpty(hold.defaults[name]));
  return canonicalJson([agent, kind, schema, decides, onReject, lacks]);
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

interface Growing {
  of: HoldView[];
  title: string[];
}

function byTitle(holds: readonly HoldView[]): Growing[] {
  const groups: Growing[] = [];
  // Most have the title of some before them, about other numbers.
  const known = new Map<string, Growing>();
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

function nearOf(groups: readonly Growing[], words: readonly string[]): { group: Growing; title: string[] } | null {
  for (const group of groups) {
    const title = withBlank(group.title, words);
    if (title !== null) return { group, title };
  }
  return null;
}

/** How many fields of a form have not the same value in all of them: a column each. */
function columnsOf(holds: readonly HoldView[]): number {
  if (holds[0]?.kind !== 'form') return 0;
  const names = new Set(holds.flatMap(({ defaults }) => Object.keys(defaults)));
  const values = (name: string): Set<string> =>
    new Set(holds.map(({ defaults }) => canonicalJson(defaults[name] ?? null)));
  return [...names].filter((name) => values(name).size > 1).length;
}

function sumOf(holds: readonly HoldView[]): TogetherGroup['sum'] {
  const of = holds.map(({ values }) => ({
    amount: values.find(({ role }) => role === 'amount')?.value,
    currency: `${values.find(({ role }) => role === 'currency')?.value ?? ''}`,
  }));
  const currency = of[0]?.currency ?? '';
  if (!of.every((one) => typeof one.amount === 'number' && one.currency === currency)) return null;
  return { amount: of.reduce((sum, { amount }) => sum + Number(amount), 0), currency };
}

/** Of two and more: the largest group first. */
export function togetherGroups(holds: readonly HoldView[]): TogetherGroup[] {
  const kinds = new Map<string, HoldView[]>();
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
