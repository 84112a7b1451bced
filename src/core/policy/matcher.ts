// Which questions a rule matches. Values are compared: no part of a rule is executed, and no pattern can be slow.
import type { Question } from '../../contract/holds/question.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Rule } from '../../contract/configuration/policy.ts';
import { excludes, holds, implies, isJudgeable, readComparison, type Comparison } from './comparison.ts';

export interface Matcher {
  kind: Question['kind'] | null;
  dialect: string | null;
  title: string | null;
  data: Comparison[];
}

/** An error in `when.data`; `index` is null if it is a single text and not a list. */
interface MatcherFault {
  index: number | null;
  text: string;
  why: string;
}

type ReadMatcher = { ok: true; matcher: Matcher } | { ok: false; faults: MatcherFault[] };

/** Parses the `when` of a rule, or reports what is wrong with each of its comparisons. */
export function readMatcher(when: Rule['when']): ReadMatcher {
  const texts = when.data === undefined ? [] : [when.data].flat();
  const faults: MatcherFault[] = [];
  const data: Comparison[] = [];
  for (const [at, text] of texts.entries()) {
    const read = readComparison(text);
    if (read.ok) data.push(read.comparison);
    else faults.push({ index: typeof when.data === 'string' ? null : at, text, why: read.why });
  }
  if (faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    matcher: { kind: when.kind ?? null, dialect: when.dialect ?? null, title: when.title ?? null, data },
  };
}

/** What comparisons read: the arguments of the question's tool call, else the defaults of its form. */
export function dataOf(question: Pick<Question, 'tool' | 'defaults'>): JsonObject {
  return question.tool?.args ?? question.defaults;
}

/** What is known of a question; null: it cannot be read. Of several dialects or data it may be any. */
export interface Matchable {
  kind: Question['kind'] | null;
  dialects: readonly string[] | null;
  title: string | null;
  data: readonly JsonObject[] | null;
}

/** `unread`: it depends on what cannot be read. */
export type Match = 'yes' | 'no' | 'unread';

/** One of them is enough. */
const some = (given: readonly Match[]): Match =>
  given.includes('yes') ? 'yes' : given.includes('unread') ? 'unread' : 'no';
const every = (given: readonly Match[]): Match =>
  given.includes('no') ? 'no' : given.includes('unread') ? 'unread' : 'yes';
const of = (isMatch: boolean): Match => (isMatch ? 'yes' : 'no');

export function matchOf({ kind, dialect, title, data }: Matcher, given: Matchable): Match {
  return every([
    kind === null ? 'yes' : given.kind === null ? 'unread' : of(kind === given.kind),
    dialect === null
      ? 'yes'
      : given.dialects === null
        ? 'unread'
        : some(given.dialects.map((one) => of(isLike(dialect, one)))),
    title === null ? 'yes' : given.title === null ? 'unread' : of(isLike(title, given.title)),
    data.length === 0 ? 'yes' : given.data === null ? 'unread' : some(given.data.map((one) => dataMatch(data, one))),
  ]);
}

/** A value that has no order with the rule's, as a number written as text, cannot be judged by it. */
const dataMatch = (comparisons: readonly Comparison[], data: JsonObject): Match =>
  every(comparisons.map((one) => (isJudgeable(one, data) ? of(holds(one, data)) : 'unread')));

/** All policies that questions of an agent may come under. */
export const policiesNamed = ({
  policy,
  rules = [],
  unreadable,
  gate,
}: {
  policy?: string | undefined;
  rules?: readonly Rule[];
  unreadable?: string | undefined;
  gate?: { policy: string } | undefined;
}): (string | undefined)[] => [
  policy,
  ...rules.map((rule) => rule.policy),
  ...(unreadable === undefined ? [] : [unreadable]),
  ...(gate === undefined ? [] : [gate.policy]),
];

/** True when whatever `narrow` matches is matched by `wide` already; false when that cannot be decided. */
export function covers(wide: Matcher, narrow: Matcher): boolean {
  if (wide.kind !== null && wide.kind !== narrow.kind) return false;
  // A star of the narrow pattern, taken as a character, matches only a star of the wide one.
  if (wide.dialect !== null && (narrow.dialect === null || !isLike(wide.dialect, narrow.dialect))) return false;
  if (wide.title !== null && (narrow.title === null || !isLike(wide.title, narrow.title))) return false;
  return wide.data.every((comparison) => narrow.data.some((one) => implies(one, comparison)));
}

/** Two of its comparisons that exclude each other; null if there are none or it cannot be decided. */
export function contradictionIn({ data }: Matcher): [number, number] | null {
  for (const [at, one] of data.entries()) {
    const other = data.findIndex((later, index) => index > at && excludes(one, later));
    if (other >= 0) return [at, other];
  }
  return null;
}

/** Matches the whole text, ignoring case; `*` is anything. */
export const isLike = (pattern: string, text: string): boolean =>
  isExactlyLike(pattern.toLowerCase(), text.toLowerCase());

/** The same, where capitals count. One pass with one backtrack point: at worst quadratic. */
export function isExactlyLike(wanted: string, given: string): boolean {
  let [at, from] = [0, 0];
  let star: { at: number; from: number } | null = null;
  while (from < given.length) {
    if (wanted[at] === '*') {
      star = { at, from };
      at += 1;
    } else if (at < wanted.length && wanted[at] === given[from]) {
      at += 1;
      from += 1;
    } else if (star !== null) {
      star = { at: star.at, from: star.from + 1 };
      at = star.at + 1;
      from = star.from;
    } else return false;
  }
  while (wanted[at] === '*') at += 1;
  return at === wanted.length;
}
