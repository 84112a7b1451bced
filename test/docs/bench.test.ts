import { describe, expect, test } from '@jest/globals';
import { summaryOf } from '../../bench/summary.mjs';
import { filesBelow, read } from '../source-tree.ts';

const results = filesBelow('bench/results', (path) => path.endsWith('.md')).map((path) => ({
  lane: path.replace('bench/results/', '').replace('.md', ''),
  text: read(path),
}));

/** The rows of a table, without the spaces that the formatter puts in. */
const rowsOf = (table: string): string[] =>
  table
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s:|-]+$/.test(line))
    .map((line) => line.replaceAll(/ *\| */g, '|'));

describe('docs/bench.md', () => {
  const page = read('docs/bench.md');
  const { aims, systems } = summaryOf(results);

  test.each([
    ['aims', aims, 30],
    ['systems', systems, 10],
  ])('docs/bench.md has the %s that bench/results has, and no others', (name, table, least) => {
    const [, written = ''] =
      new RegExp(`<!-- bench:${name}:begin -->([^]*?)<!-- bench:${name}:end -->`).exec(page) ?? [];
    expect(rowsOf(written)).toEqual(rowsOf(table));
    expect(rowsOf(written).length).toBeGreaterThan(least);
  });

  test('docs/bench.md says of each row when and on which Node it was measured', () => {
    const undated = [aims, systems].flatMap((table) =>
      rowsOf(table)
        .slice(1)
        .filter((row) => !/\|\d{4}-\d{2}-\d{2}(?: \(quick\))?, Node v\d+\|$/.test(row)),
    );
    expect(undated).toEqual([]);
  });

  test('docs/bench.md has two tables, and those of a run are in bench/results', () => {
    expect(page.match(/^\| -/gm)).toHaveLength(2);
  });
});
