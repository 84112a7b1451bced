// Where a long list of rows is parted, so that what was read is laid out no more; pure.

/** Drawn in one frame even on a slow machine. */
export const sectionRows = 100;
const sectionChars = 65_536;

export interface Section<T> {
  /** Of its first row, from 0 on. */
  from: number;
  rows: readonly T[];
}

/** All rows, in their order; each section has one at least. */
export function sectionsOf<T>(rows: readonly T[], charsOf: (row: T) => number): Section<T>[] {
  const sections: Section<T>[] = [];
  let from = 0;
  let chars = 0;
  for (const [at, row] of rows.entries()) {
    const own = charsOf(row);
    if (at > from && (at - from >= sectionRows || chars + own > sectionChars)) {
      sections.push({ from, rows: rows.slice(from, at) });
      [from, chars] = [at, 0];
    }
    chars += own;
  }
  if (from < rows.length) sections.push({ from, rows: rows.slice(from) });
  return sections;
}
