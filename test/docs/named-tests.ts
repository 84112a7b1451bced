// The tests that documents name, and the titles that tests have.
import { filesBelow, read } from '../source-tree.ts';

/** Titles of `describe` and `test` as written, per file; of `.each` the pattern. */
export const titles = new Map(
  filesBelow('test', (path) => path.endsWith('.test.ts')).map((path) => {
    const calls =
      /(?:\b(?:test|describe)(?:\.concurrent)?(?:\.each(?:<[^>]*>)?)?|\))\s*\(\s*(['"`])((?:\\.|(?!\1).)*)\1\s*,/g;
    const found = [...read(path).matchAll(calls)].map(([, , title = '']) => title.replaceAll(/\\(['"`])/g, '$1'));
    return [path, new Set(found)];
  }),
);

/** `title` or `describe › title`, both in one file. */
export function isTested(name: string): boolean {
  const parts = name.split(' › ');
  return [...titles.values()].some((inFile) => parts.every((part) => inFile.has(part)));
}

/** Every test a document names: in code spans with ` › `, or alone on a line of a list below its promise. */
export function namedTests(path: string): string[] {
  const spans = (text: string): string[] =>
    [...text.matchAll(/``\s?(.+?)\s?``|`([^`\n]+)`/g)].map(([, double, single]) => double ?? single ?? '');
  const lines = read(path).split('\n');
  const cells = lines.flatMap((line) => (/^\|.*\|$/.test(line) ? spans(line.split(' | ').at(-1) ?? '') : []));
  const listed = lines.flatMap((line) => (/^ +- `.*`$/.test(line) ? spans(line) : []));
  const elsewhere = lines.flatMap(spans).filter((name) => name.includes(' › '));
  const isName = (name: string): boolean => name.includes(' ') && !name.includes('…');
  return [...new Set([...cells, ...listed, ...elsewhere])].filter(isName);
}
