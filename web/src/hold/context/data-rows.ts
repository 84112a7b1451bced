// Data of an agent as lines of a table, all of it; pure.
import { type Dict, dictOf, isDict } from '../values/dict.ts';
import { columnWords, fieldWords } from '../values/plain-words.ts';

export interface DataRow {
  /** Names on the way to the value, joined by a dot. */
  name: string;
  text: string;
}

const maxDepth = 4;

/** As people write it, else as JSON where it is not a text; what is nested more deeply than a row can show is in its text. */
const textOf = (value: unknown, name: string, fields: Dict): string =>
  typeof value === 'string' ? value : (fieldWords(value, name, fields) ?? JSON.stringify(value));

export function dataRows(data: unknown): DataRow[] {
  const rows: DataRow[] = [];
  const add = (path: string[], value: unknown, fields: Dict): void => {
    const entries = isDict(value) ? Object.entries(value) : Array.isArray(value) ? [...value.entries()] : [];
    const isPlainList = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
    if (entries.length === 0 || isPlainList || path.length >= maxDepth) {
      const name = path.at(-1) ?? '';
      const words = columnWords(
        name,
        entries.map(([, item]) => ({ ...fields, [name]: item })),
      );
      const text =
        isPlainList && entries.length > 0
          ? value.map((item) => words(item) ?? String(item)).join(', ')
          : textOf(value, name, fields);
      rows.push({ name: path.join('.'), text });
      return;
    }
    for (const [key, member] of entries)
      add([...path, typeof key === 'number' ? String(key + 1) : key], member, dictOf(value));
  };
  add([], data, {});
  return rows;
}
