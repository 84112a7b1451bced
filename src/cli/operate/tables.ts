// Renders lists as tables that fit the terminal, or uncut for programs.
import { oneLine } from '../../contract/base/text.ts';
import { visible } from '../../core/base/visible.ts';
import type { Style, Terminal } from './terminal.ts';

export interface Column<T> {
  name: string;
  of: (row: T) => string;
  /** Shrinks first when lines are too long, down to `least` columns. */
  flexible?: { least: number };
  /** Dropped when lines are still too long, highest number first. */
  spare?: number;
  style?: (row: T) => Style | null;
}

const gap = 2;
/** Maximum width of a cell, in columns. */
const maxCell = 120;

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\p{Extended_Pictographic}]/u;
const unseen = /\p{Mn}|[\u200b\u200c]|\u200d/u;

/** Terminal columns of a text; wide characters take two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) width += unseen.test(sign) ? 0 : wide.test(sign) ? 2 : 1;
  return width;
}

/** Truncates the text to a number of columns, with an ellipsis. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const sign of text) {
    const next = width + widthOf(sign);
    if (next > columns - 1) break;
    kept += sign;
    width = next;
  }
  return `${kept.trimEnd()}…`;
}

interface Laid<T> {
  column: Column<T>;
  cells: string[];
  width: number;
}

function layOut<T>(laid: Laid<T>[], columns: number): Laid<T>[] {
  const total = (all: Laid<T>[]): number => all.reduce((sum, { width }) => sum + width + gap, -gap);
  let kept = laid;
  for (;;) {
    const over = total(kept) - columns;
    if (over <= 0) return kept;
    const given = shrink(kept, over);
    if (total(given) <= columns) return given;
    const spare = kept.toSorted((a, b) => (b.column.spare ?? 0) - (a.column.spare ?? 0))[0];
    if (spare?.column.spare === undefined) return given;
    kept = kept.filter((one) => one !== spare);
  }
}

/** Shrinks the widest flexible column first. */
function shrink<T>(laid: Laid<T>[], over: number): Laid<T>[] {
  const widths = laid.map(({ width }) => width);
  const room = (at: number): number => (widths[at] ?? 0) - (laid[at]?.column.flexible?.least ?? Infinity);
  for (let left = over; left > 0; left -= 1) {
    const at = widths.reduce(
      (best, width, index) => (room(index) > 0 && (best < 0 || width > (widths[best] ?? 0)) ? index : best),
      -1,
    );
    if (at < 0) break;
    widths[at] = (widths[at] ?? 0) - 1;
  }
  return laid.map((one, at) => ({ ...one, width: widths[at] ?? one.width }));
}

export function table<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  terminal: Pick<Terminal, 'columns' | 'style'> = { columns: null, style: (_style, text) => text },
): string {
  if (rows.length === 0) return '(none)';
  const all = columns.map((column): Laid<T> => {
    const cells = rows.map((row) => cut(plain(column.of(row)), maxCell));
    return { column, cells, width: Math.max(widthOf(column.name), ...cells.map(widthOf)) };
  });
  // Columns that are empty in all rows are dropped.
  const laid = layOut(
    all.filter(({ cells }) => cells.some((cell) => cell !== '')),
    terminal.columns ?? Infinity,
  );
  const line = (cellOf: (one: Laid<T>, isLast: boolean) => string): string =>
    laid
      .map((one, at) => cellOf(one, at === laid.length - 1))
      .join(' '.repeat(gap))
      .trimEnd();
  const pad = (text: string, width: number, isLast: boolean): string =>
    isLast ? text : text + ' '.repeat(Math.max(0, width - widthOf(text)));
  const head = line(({ column, width }, isLast) =>
    terminal.style('bold', pad(cut(column.name.toUpperCase(), width), width, isLast)),
  );
  return [
    head,
    ...rows.map((row, index) =>
      line(({ column, cells, width }, isLast) => {
        const text = pad(cut(cells[index] ?? '', width), width, isLast);
        const style = column.style?.(row) ?? null;
        return style === null ? text : terminal.style(style, text);
      }),
    ),
  ].join('\n');
}

/** Without what would steer the terminal, and with what would hide or turn its neighbours written out. */
export const shown = (text: string): string => visible(text.replaceAll(/\p{Cc}/gu, ' '));

/** Agents' text on one line of a terminal. */
export const plain = (text: string): string => shown(oneLine(text));
