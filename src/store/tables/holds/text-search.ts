// Text search of lists: each term alone, case-insensitive; people also by their configured names.
import { or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { isAnyOf } from '../../database/database.ts';
import type { SearchAliases } from '../../ports/tasks.ts';
import { searchable } from './hold-columns.ts';

/** Further terms are ignored. */
const maxTerms = 20;

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Splits a search into terms, escaped for LIKE. */
export const searchTerms = (q: string): string[] =>
  searchable(q).split(/\s+/).filter(Boolean).slice(0, maxTerms).map(escaped);

/** Returns the ids whose names contain this escaped term. */
export function idsNamed(term: string, names: readonly { id: string; name: string }[] = []): string[] {
  const plain = term.replaceAll(/\\([\\%_])/g, '$1');
  return names.filter(({ name }) => searchable(name).includes(plain)).map(({ id }) => id);
}

/** Condition that a column's id, or its configured name, contains this text. */
export function isPerson(column: SQLWrapper, letters: string, aliases: SearchAliases | undefined): SQL | undefined {
  const plain = searchable(letters).trim();
  const ids = idsNamed(escaped(plain), aliases?.owners);
  return or(sql`lower(${column}) like ${`%${escaped(plain)}%`}`, ids.length === 0 ? undefined : isAnyOf(column, ids));
}
