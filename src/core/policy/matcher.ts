// Which questions a rule matches. Values are compared: no part of a rule is executed, and no pattern can be slow.
import type { Question } from '../../contract/holds/question.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { MatchedRule, Rule } from '../../contract/configuration/policy.ts';
import { excludes, holds, implies, readComparison, type Comparison } from './comparison.ts';

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

type Matchable = Pick<Question, 'kind' | 'dialect' | 'title' | 'tool' | 'defaults'>;

export function matches(matcher: Matcher, question: Matchable): boolean {
  if (matcher.kind !== null && matcher.kind !== question.kind) return false;
  if (matcher.dialect !== null && !isLike(matcher.dialect, question.dialect)) return false;
  if (matcher.title !== null && !isLike(matcher.title, question.title)) return false;
  const data = dataOf(question);
  return matcher.data.every((comparison) => holds(comparison, data));
}

/** The first rule that matches; null: the agent's own policy holds. A rule that cannot be read matches nothing. */
export function matchedRule(rules: readonly Rule[], question: Matchable): (MatchedRule & { policy: string }) | null {
  for (const [at, { when, policy }] of rules.entries()) {
    const read = readMatcher(when);
    if (read.ok && matches(read.matcher, question)) return { number: at + 1, when, policy };
  }
  return null;
}

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

/** Matches the whole text, ignoring case; `*` is anything. One pass with one backtrack point: at worst quadratic. */
export function isLike(pattern: string, text: string): boolean {
  const [wanted, given] = [pattern.toLowerCase(), text.toLowerCase()];
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
