// How lists find what somebody typed: each word by itself, case ignored, and people by their names as well.
import { or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { listParam } from '../../database/database.ts';
import type { SearchAliases } from '../../ports/tasks.ts';
import { searchable } from './hold-columns.ts';

/** Words of a search; what follows them narrows nothing. */
const maxTerms = 20;

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** The words of a search, each as a pattern may hold it. */
export const searchTerms = (q: string): string[] =>
  searchable(q).split(/\s+/).filter(Boolean).slice(0, maxTerms).map(escaped);

/** Ids of those whose name has the words of this term. */
export function idsNamed(term: string, names: readonly { id: string; name: string }[] = []): string[] {
  const plain = term.replaceAll(/\\([\\%_])/g, '$1');
  return names.filter(({ name }) => searchable(name).includes(plain)).map(({ id }) => id);
}

/** Somebody whose id or name has these letters. */
export function isPerson(column: SQLWrapper, letters: string, aliases: SearchAliases | undefined): SQL | undefined {
  const plain = searchable(letters).trim();
  const ids = idsNamed(escaped(plain), aliases?.owners);
  return or(
    sql`lower(${column}) like ${`%${escaped(plain)}%`}`,
    ids.length === 0 ? undefined : sql`${column} = any(${listParam(ids, 'text')})`,
  );
}
