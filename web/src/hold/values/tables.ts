// What is a table and comes as something else: a list of like objects, or CSV; pure.
import { isCurrencyField } from '../../../../src/core/consent/money-fields.ts';
import { visible } from '../../base/text/visible.ts';
import { type Dict, isDict } from './dict.ts';
import { humanise } from './humanise.ts';
import { columnWords, isPercent, plainWords } from './plain-words.ts';

export interface Table {
  columns: string[];
  rows: string[][];
  /** The columns that are amounts in this currency, where all rows have the same. */
  money?: Money;
}

/** What has more columns is read as rows. */
const maxColumns = 12;

const isPlain = (value: unknown): boolean => value === null || value === undefined || typeof value !== 'object';

const cellOf = (value: unknown, words: (value: unknown) => string | null): string =>
  value === null || value === undefined ? '' : (words(value) ?? String(value));

/** Of a list whose members are objects of plain values; null: it is none. */
export function tableOf(value: unknown): Table | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const members: unknown[] = value;
  const objects = members.filter(isDict);
  if (objects.length < members.length || !objects.every((one) => Object.values(one).every(isPlain))) return null;
  const columns = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  if (columns.length === 0 || columns.length > maxColumns) return null;
  const money = moneyOf(columns, objects);
  const shown = columns.filter((name) => name !== money?.leftOut);
  const words = shown.map((name) => columnWords(name, objects));
  const rows = objects.map((one) => shown.map((name, at) => cellOf(one[name], words[at] ?? plainWords)));
  return { columns: shown, rows, ...(money && { money }) };
}

/** The names of its columns as words, amounts with their currency. */
export const headsOf = ({ columns, money }: Table): string[] =>
  columns.map((name) => humanise(visible(name)) + (money?.amounts.includes(name) === true ? ` (${money.code})` : ''));

interface Money {
  amounts: readonly string[];
  code: string;
  /** The column of the currency, unless something else needs it. */
  leftOut: string;
}

// The last word of a name: consumption is no sum.
const moneyWord = /^(?:amount|total|price|sum|cost|fee)s?$/u;
const isMoney = (name: string): boolean => moneyWord.test(humanise(name).split(' ').at(-1)?.toLowerCase() ?? '');

/** Null: its rows are about no amount, or not all about the same currency. */
function moneyOf(columns: readonly string[], rows: readonly Dict[]): Money | null {
  const isCurrency = (name: string): boolean =>
    rows.every((row) => isCurrencyField(name, row[name]) && row[name] === rows[0]?.[name]);
  const name = columns.find(isCurrency);
  const numbers = columns.filter((one) => rows.some((row) => typeof row[one] === 'number'));
  const amounts = numbers.filter(isMoney);
  if (name === undefined || amounts.length === 0) return null;
  // Another number may be money, too: the currency stays next to it.
  const isKnown = numbers.every((one) => isMoney(one) || isPercent(one, rows) || /count$/iu.test(one));
  return { amounts, code: String(rows[0]?.[name]), leftOut: isKnown ? name : '' };
}

/** Rows of text in which one sign parts the cells (RFC 4180); null: a quote is left open. */
function cellsOf(text: string, sign: string): string[][] | null {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = (): void => {
    rows.push([...row, cell]);
    [row, cell] = [[], ''];
  };
  for (let at = 0; at < text.length; at += 1) {
    const here = text[at] ?? '';
    if (isQuoted) {
      if (here !== '"') cell += here;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (here === '"' && cell === '') isQuoted = true;
    else if (here === sign) {
      row.push(cell);
      cell = '';
    } else if (here === '\n') endRow();
    else if (here !== '\r') cell += here;
  }
  if (isQuoted) return null;
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/** Text of which each line has as many cells as the first; null: it is no such text, and stays text. */
export function readCsv(text: string): Table | null {
  for (const sign of [',', ';', '\t']) {
    const cells = cellsOf(text.replace(/^\u{feff}/u, ''), sign);
    const [head, ...rows] = cells ?? [];
    if (head === undefined || rows.length === 0 || head.length < 2 || head.length > maxColumns) continue;
    if (rows.every((row) => row.length === head.length)) return { columns: head, rows };
  }
  return null;
}

const [leastChars, mostChars, longChars, gapChars] = [4, 20, 40, 2];

/** How wide each column is to be, in letters, where rows are laid out apart from each other. */
export function columnChars({ columns, rows }: Table): number[] {
  return columns.map((name, index) => {
    let most = Math.min(name.length, mostChars);
    for (const row of rows) most = Math.max(most, row[index]?.length ?? 0);
    return Math.max(leastChars, Math.min(most, most > 1_000 ? longChars : mostChars)) + gapChars;
  });
}
