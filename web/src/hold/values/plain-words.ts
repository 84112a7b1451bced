// One value as people write it, the same in arguments, data and tables.
import { strings } from '../../i18n/strings.ts';

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
const decimalsIn = (value: number): number => /\.(\d+)$/u.exec(String(value))?.[1]?.length ?? 0;

/** How the values of one column are written: numbers with equally many decimals, so that these are below each other. */
export function columnWords(values: readonly unknown[]): (value: unknown) => string | null {
  const most = values.reduce<number>((max, one) => (typeof one === 'number' ? Math.max(max, decimalsIn(one)) : max), 0);
  if (most === 0 || most > mostDecimals) return plainWords;
  const numbers = numbersWith(most);
  return (value) => (typeof value === 'number' ? numbers.format(value) : plainWords(value));
}

/** Statements, a script, indented text: most of its lines end or begin as in no letter. */
export function isCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const like = lines.filter((line) => /^\s{2,}\S|^[#$>@]|[;{}()[\]>|\\]$/u.test(line.trimEnd()));
  return lines.length > 1 && like.length * 2 > lines.length;
}
