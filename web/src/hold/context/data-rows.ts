// Data of an agent as lines of a table; pure. However deep or long it is, what is drawn is bounded.
import { isDict } from '../values/dict.ts';

export interface DataRow {
  /** Names on the way to the value, joined by a dot. */
  name: string;
  text: string;
}

const maxRows = 200;
const maxDepth = 4;
const maxText = 2000;

/** As JSON where it is not a text; what is nested more deeply than a row can show is in its text. */
function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= maxText ? text : `${text.slice(0, maxText)}…`;
}

/** The rows of one piece of data, and whether it has more than are shown. */
export function dataRows(data: unknown): { rows: DataRow[]; isAll: boolean } {
  const rows: DataRow[] = [];
  let isAll = true;
  const add = (path: string[], value: unknown): void => {
    if (rows.length >= maxRows) {
      isAll = false;
      return;
    }
    const entries = isDict(value) ? Object.entries(value) : Array.isArray(value) ? [...value.entries()] : [];
    const isPlainList = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
    if (entries.length === 0 || isPlainList || path.length >= maxDepth) {
      rows.push({
        name: path.join('.'),
        text: isPlainList && entries.length > 0 ? textOf(value.join(', ')) : textOf(value),
      });
      return;
    }
    for (const [key, member] of entries) add([...path, typeof key === 'number' ? String(key + 1) : key], member);
  };
  add([], data);
  return { rows, isAll };
}
