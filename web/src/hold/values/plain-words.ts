// One value as people write it, the same in arguments, data and tables.
import { isAmountField, isCurrencyField } from '../../../../src/core/consent/money-fields.ts';
import { strings } from '../../i18n/strings.ts';
import { type Dict, dictOf } from './dict.ts';

/** With so many decimals at least. */
const numbersWith = (decimals: number): Intl.NumberFormat =>
  new Intl.NumberFormat(undefined, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: 20,
    useGrouping: 'always',
  });
const grouped = numbersWith(0);

/** Of a number or of yes and no; null: it is neither, and is shown as it came. */
export function plainWords(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? strings.hold.yes : strings.hold.no;
  return typeof value === 'number' ? grouped.format(value) : null;
}

const mostDecimals = 4;
const decimalsIn = (value: unknown): number =>
  typeof value === 'number' ? (/\.(\d+)$/u.exec(String(value))?.[1]?.length ?? 0) : 0;

const mostOf = (numbers: readonly number[]): number => numbers.reduce((most, one) => Math.max(most, one), 0);

/** Of an amount in a currency; the code may be none of a currency. */
function currencyDigits(currency: string): number {
  if (!/^[A-Z]{3}$/u.test(currency)) return 2;
  return new Intl.NumberFormat(undefined, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** How many decimals an amount has at least: those of the currency next to it, else two if it has any. */
function amountDecimals(most: number, all: readonly Dict[]): number {
  const found = all.flatMap((one) => Object.entries(one).filter(([name, value]) => isCurrencyField(name, value)));
  const codes = [...new Set(found.map(([, code]) => String(code)))];
  return codes.length > 0 ? mostOf(codes.map(currencyDigits)) : most > 0 ? 2 : 0;
}

const percentName = /(?:percent|prozent|pct)$/iu;

/** What its name says it is; of a number below one it is not known whether a share or its hundredfold is meant. */
export const isPercent = (name: string, all: readonly Dict[]): boolean =>
  percentName.test(name) && all.every(({ [name]: one }) => typeof one !== 'number' || one === 0 || Math.abs(one) >= 1);

/**
 * How the values of one field are written in all of the objects that have it: numbers with equally many decimals, so that
 * these are below each other, and money as people write it.
 */
export function columnWords(name: string, all: readonly Dict[]): (value: unknown) => string | null {
  const most = mostOf(all.map((one) => decimalsIn(one[name])));
  const least = Math.max(most, isAmountField(name) ? amountDecimals(most, all) : 0);
  const numbers = least === 0 || most > mostDecimals ? grouped : numbersWith(least);
  const sign = isPercent(name, all) ? '\u00a0%' : '';
  return (value) => (typeof value === 'number' ? numbers.format(value) + sign : plainWords(value));
}

/** One value of a field, next to the others of its object. */
export const fieldWords = (value: unknown, name: string, fields: Dict): string | null =>
  columnWords(name, [{ ...fields, [name]: value }])(value);

/** One value of those that a call has, by the way to it. */
export function argumentWords(value: unknown, path: readonly string[], args: Dict): string | null {
  const fields = path.slice(0, -1).reduce<Dict>((here, key) => dictOf(here[key]), args);
  return fieldWords(value, path.at(-1) ?? '', fields);
}

/** Statements, a script, indented text: most of its lines end or begin as in no letter. */
export function isCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const like = lines.filter((line) => /^\s{2,}\S|^[#$>@]|[;{}()[\]>|\\]$/u.test(line.trimEnd()));
  return lines.length > 1 && like.length * 2 > lines.length;
}
