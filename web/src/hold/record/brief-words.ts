// What the record of those alike comes to, in a line each; pure.
import type { Alike } from '../../../../src/contract/views/precedents.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { sumWords } from '../row/row-words.ts';
import { humanise } from '../values/humanise.ts';

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** "12 approved, 2 rejected": only what there is. */
export function countWords({ count, granted, answered, refused, expired }: Alike): string {
  const words = strings.precedents;
  const parts = [
    granted > 0 ? words.granted(granted) : '',
    answered > 0 ? words.answered(answered) : '',
    refused > 0 ? words.refused(refused) : '',
    expired > 0 ? words.expired(expired) : '',
  ].filter((part) => part !== '');
  return words.alike(count, parts.join(', '));
}

/** The amounts behind the picture, for who cannot see it. */
export const recentWords = ({ recent, currency }: NonNullable<Alike['amount']>): string =>
  strings.precedents.recent(recent.map((n) => sumWords(n, currency ?? '')).join(' · '));

export function amountWords(amount: Alike['amount']): string | null {
  if (amount === null) return null;
  const words = strings.precedents;
  const { name, value, currency, median, highest, of } = amount;
  const money = (n: number): string => sumWords(n, currency ?? '');
  const what = `${humanise(oneLine(name, 30))} ${money(value)}`;
  const past = words.past(money(median), money(highest));
  if (value > highest) return words.aboveAll(what, of, past);
  return amount.isUnusual ? words.farAbove(what, numbers.format(value / median), past) : words.asUsual(what, past);
}
