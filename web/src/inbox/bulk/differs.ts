// What tells the questions of a review apart: the words in which their titles differ, and what they come to; pure.
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { sumOf } from '../../../../src/core/answers/amount.ts';
import { sumWords } from '../../hold/row/row-words.ts';

/** How many words at the beginning, and at the end, all of the titles have in common. */
export interface Common {
  start: number;
  end: number;
}

export function commonOf(titles: readonly string[]): Common {
  const [first = [], ...others] = titles.map((title) => title.split(' '));
  const shortest = Math.min(first.length, ...others.map(({ length }) => length));
  const isSame = (at: number): boolean => others.every((words) => words.at(at) === first.at(at));
  let start = 0;
  while (start < shortest && isSame(start)) start += 1;
  let end = 0;
  while (end < shortest - start && isSame(-1 - end)) end += 1;
  return { start, end };
}

/** A title in three parts, of which the middle one is its own. */
export function partsOfTitle(title: string, { start, end }: Common): [before: string, own: string, after: string] {
  const words = title.split(' ');
  const until = words.length - end;
  const [before, own, after] = [words.slice(0, start), words.slice(start, until), words.slice(until)];
  return [before.map((word) => `${word} `).join(''), own.join(' '), after.map((word) => ` ${word}`).join('')];
}

/** Whether each title has its value for a part of its own: a column of them would say it twice. */
export const isInTitles = (titles: readonly string[], values: readonly unknown[]): boolean =>
  values.every((value, at) => typeof value === 'string' && titles[at]?.split(/: |, /u).includes(value) === true);

/** What all of them come to; null: one is about no amount, or about another currency. */
export function sumOfRows(rows: readonly Pick<HoldRowView, 'values'>[]): string | null {
  const sum = sumOf(rows);
  return sum === null ? null : sumWords(sum.amount, sum.currency);
}
