// The two tables of docs/bench.md, made from what each lane wrote into bench/results.
import { table } from './numbers.mjs';

/** @typedef {{ lane: string, text: string }} Result */
/** @typedef {{ head: string[], rows: string[][], from: string }} Read a table and what it was measured on */

const cellsOf = (/** @type {string} */ line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const surroundings = /^(\d{4}-\d{2}-\d{2}), (full|quick) run [^]*?Node (v[\d.]+)/m;

/** @param {string} text @returns {Read[]} the tables that a run wrote, and not those that are written by hand */
function tablesOf(text) {
  const written = [...text.matchAll(/<!-- bench(?::\w+)?:begin -->([^]*?)<!-- bench(?::\w+)?:end -->/g)];
  return written.flatMap(([, block = '']) => {
    const [, date = '', size = '', node = ''] = surroundings.exec(block) ?? [];
    const from = `${date}${size === 'quick' ? ' (quick)' : ''}, Node ${node.split('.')[0]}`;
    return (block.match(/(?:^\|.*\n?)+/gm) ?? []).map((lines) => {
      const [head = [], , ...rows] = lines.trim().split('\n').map(cellsOf);
      return { head, rows, from };
    });
  });
}

/** @param {string[]} head where the measured value is: in a column of that name, else in that of the rounds */
const measuredAt = (head) =>
  head.includes('measured') ? head.indexOf('measured') : head.findIndex((name) => name.includes('rounds:'));

/** @param {string[]} head @param {string[]} row */
const aimOf = ([about = ''], [name = '']) => (about === 'aim' ? name : `${about}: ${name}`);

/** @param {Result} result */
function aimsOf({ lane, text }) {
  return tablesOf(text).flatMap(({ head, rows, from }) => {
    const [wanted, met, measured] = [head.indexOf('wanted'), head.indexOf('met'), measuredAt(head)];
    if (wanted < 0 || met < 0 || measured < 0) return [];
    const link = `[${lane}](../bench/results/${lane}.md)`;
    return rows
      .filter((row) => row[wanted] !== '' && row[met] !== '–')
      .map((row) => [link, aimOf(head, row), row[wanted] ?? '', row[measured] ?? '', row[met] ?? '', from]);
  });
}

const columns = ['at once', 'cycles/s', 'answer → completed p50 / p99 ms'];

/** @param {Result} result the systems side by side, alone and with twenty at once */
function systemsOf({ text }) {
  return tablesOf(text).flatMap(({ head, rows, from }) => {
    const at = columns.map((name) => head.indexOf(name));
    if (!head.includes('cycles/s') || at.includes(-1)) return [];
    return rows
      .filter((row) => ['1', '20'].includes(row[at[0] ?? 0] ?? ''))
      .map((row) => [row[0] ?? '', ...at.map((index) => row[index] ?? ''), from]);
  });
}

/** @param {Result[]} results @returns {{ aims: string, systems: string }} */
export function summaryOf(results) {
  const engine = results.filter(({ lane }) => lane === 'engine');
  return {
    aims: table(['lane', 'aim', 'wanted', 'measured', 'met', 'of'], results.flatMap(aimsOf)),
    systems: table(['system', ...columns, 'of'], engine.flatMap(systemsOf)),
  };
}
