// The parts of a long form in one line each, and which of them have what they need; pure.
import { oneLine } from '../../base/text/visible.ts';
import { type Dict, dictOf, listOf } from '../values/dict.ts';
import { labelOf } from '../values/humanise.ts';
import type { Block } from './form-context.ts';

export interface OutlineEntry {
  /** Its first field's name. */
  key: string;
  title: string;
  names: readonly string[];
}

/** Shorter forms are read at a glance. */
export const outlineFrom = 15;

/** Its groups, or its fields where it has none. */
export function outlineOf(schema: Dict, blocks: readonly Block[]): OutlineEntry[] {
  const properties = dictOf(schema['properties']);
  return blocks.flatMap(({ key, title, names }): OutlineEntry[] =>
    title === null
      ? names.map((name) => ({ key: name, title: oneLine(labelOf(name, properties[name]), 60), names: [name] }))
      : [{ key, title, names }],
  );
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Keys of the entries with something in them, and all that they must have. */
export function doneIn(entries: readonly OutlineEntry[], schema: Dict, values: Dict): string[] {
  const required = listOf(schema['required']);
  return entries
    .filter(
      ({ names }) =>
        names.some((name) => !isEmpty(values[name])) &&
        names.every((name) => !required.includes(name) || !isEmpty(values[name])),
    )
    .map(({ key }) => key);
}
