// One value as people write it, the same in arguments, data and tables.
import { strings } from '../../i18n/strings.ts';

const grouped = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20, useGrouping: 'always' });

/** Of a number or of yes and no; null: it is neither, and is shown as it came. */
export function plainWords(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? strings.hold.yes : strings.hold.no;
  return typeof value === 'number' ? grouped.format(value) : null;
}

/** Statements, a script, indented text: most of its lines end or begin as in no letter. */
export function isCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const like = lines.filter((line) => /^\s{2,}\S|^[#$>@]|[;{}()[\]>|\\]$/u.test(line.trimEnd()));
  return lines.length > 1 && like.length * 2 > lines.length;
}
