// The tables of what works with each framework are those that test/journeys/agents/framework-cells.test.ts plays.
import { expect, test } from '@jest/globals';
import { columns, frameworks } from '../rigs/agents/framework-cells.ts';
import { read } from '../source-tree.ts';

const lines = read('docs/agents.md').split('\n');
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Tables whose rows are these frameworks, side by side: what each column says of each of them. */
function written(): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = {};
  for (const [at, line] of lines.entries()) {
    const [first, ...heads] = cellsOf(line);
    if (first !== 'framework' || !heads.every((head) => columns.some((column) => column === head))) continue;
    const rest = lines.slice(at + 2);
    for (const row of rest.slice(0, rest.indexOf(''))) {
      const [name = '', ...cells] = cellsOf(row);
      found[name] = { ...found[name], ...Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? ''])) };
    }
  }
  return found;
}

test('docs/agents.md says of each framework what the journey of its cells holds, and no more', () => {
  const held = Object.values(frameworks).map(({ name, cells }) => [
    name,
    Object.fromEntries(columns.map((column) => [column, cells[column] === true ? 'yes' : `no (${cells[column]})`])),
  ]);
  expect(written()).toEqual(Object.fromEntries(held));
});

test('docs/agents.md explains each gap by the framework’s own limit', () => {
  const numbers = new Set(Object.values(frameworks).flatMap(({ cells }) => Object.values(cells)));
  numbers.delete(true);
  const isExplained = (number: number | true): boolean => lines.some((line) => line.startsWith(`- (${number}) `));
  expect([...numbers].filter((number) => !isExplained(number))).toEqual([]);
});
