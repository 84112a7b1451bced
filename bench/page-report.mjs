// What the pages cost, as Markdown: each budget, what was measured, and a plain page of 50 links to compare with where there is one.
import { percentile, show, table } from './numbers.mjs';

const p50 = (values) => percentile(values, 0.5);
const p95 = (values) => percentile(values, 0.95);
const ms = (value) => `${show(value)} ms`;
const both = (values) => `${show(p50(values))} / ${show(p95(values))} ms`;
const times = (value, floor) => `${show(value / floor)} ×`;

/** @param {Awaited<ReturnType<typeof import('./page.mjs').measurePage>>} figures */
export function pageReport({ cold, keys, opened, typed, list, crowds, heap }) {
  const of = (loads, name) => loads.map((load) => load[name]);
  const content = p50(of(cold.page, 'contentMs'));
  const usable = p50(of(cold.page, 'usableMs'));
  const shift = Math.max(...of(cold.page, 'shift'));
  const task = Math.max(keys.page.longestTaskMs, typed.longestTaskMs, ...of(cold.page, 'longestTaskMs'));
  const growth = heap.samples.at(-1) - heap.before;
  const row = (what, wanted, measured, isMet, { floor = '', cpu = '' } = {}) => [
    what,
    wanted,
    measured,
    floor,
    cpu,
    isMet ? 'yes' : '**no**',
  ];
  const budgets = [
    row('cold, first content, p50', '≤ 1000 ms', ms(content), content <= 1000, {
      floor: times(content, p50(of(cold.floor, 'contentMs'))),
    }),
    row('cold, list usable, p50', '≤ 1500 ms', ms(usable), usable <= 1500, {
      floor: times(usable, p50(of(cold.floor, 'usableMs'))),
      cpu: ms(p50(of(cold.page, 'cpuMs'))),
    }),
    row('key → paint on the list, p50 / p95', '≤ 100 ms p95', both(keys.page.keys), p95(keys.page.keys) <= 100, {
      floor: times(p95(keys.page.keys), p95(keys.floor.keys)),
      cpu: `${ms(keys.page.cpuMs)} a key (plain: ${show(keys.floor.cpuMs)})`,
    }),
    row('first question of a page opens, p50 / p95', '≤ 150 ms', both(opened.first), p95(opened.first) <= 150),
    row('those after it open, p50 / p95', '≤ 150 ms', both(opened.later), p95(opened.later) <= 150),
    row('decided → “Sending…”, p50 / p95', '≤ 50 ms', both(opened.sending), p95(opened.sending) <= 50),
    row('key → paint in a form of 500 fields, p50 / p95', '≤ 100 ms', both(typed.keys), p95(typed.keys) <= 100, {
      cpu: `${ms(typed.cpuMs)} a key`,
    }),
    row(
      `scrolling ${list.rows} rows, longest task`,
      '≤ 100 ms',
      ms(Math.max(0, ...list.scrollTasks)),
      Math.max(0, ...list.scrollTasks) <= 100,
    ),
    row('key → paint in the search, p50 / p95', '≤ 100 ms', both(list.keys), p95(list.keys) <= 100),
    row('longest task while searching', '≤ 100 ms', ms(Math.max(0, ...list.tasks)), Math.max(0, ...list.tasks) <= 100),
    row('last letter → rows found, p50', '≤ 1000 ms', ms(p50(list.foundMs)), p50(list.foundMs) <= 1000),
    row('longest task of all these', '≤ 200 ms', ms(task), task <= 200),
    row('layout shift while it loads, worst', '< 0.02', show(shift), shift < 0.02),
    row(
      `heap after ${heap.samples.length} min of changes`,
      'within 10 MiB',
      `${show(heap.before)} → ${show(heap.samples.at(-1))} MiB`,
      Math.abs(growth) <= 10,
    ),
  ];
  const crowded = crowds.map(({ rate, changes, draws, frames, tasks, keys: pressed, shift: moved, rows }) => [
    rate === 1 ? 'full' : `1/${rate}`,
    show(changes),
    show(draws),
    `${show(p50(frames))} / ${show(Math.max(...frames))}`,
    String(frames.filter((one) => one > 50).length),
    String(tasks.filter((one) => one > 50).length),
    `${show(p50(pressed))} / ${show(p95(pressed))}`,
    show(moved),
    String(rows),
  ]);
  const median = (name) => p50(of(cold.page, name));
  return [
    table(
      ['budget, at a quarter of the speed', 'wanted', 'measured', 'times a plain page', 'CPU of it', 'met'],
      budgets,
    ),
    table(
      [
        'speed, 5,000 questions',
        'changes/s',
        'draws of the list/s (≤ 4)',
        'frame p50 / longest ms',
        'frames > 50 ms',
        'tasks > 50 ms',
        'key → paint p50 / p95 ms',
        'shift',
        'rows',
      ],
      crowded,
    ),
    `A cold load asks ${median('requests')} times, for ${show(median('bytes') / 1024)} KiB; once it rests it fetches ${show(median('bytesAhead') / 1024)} KiB ahead, for the first question.\nThe page has ${heap.nodes} elements with 50 rows, ${list.elements} with ${list.rows}, the most that it keeps.`,
  ].join('\n\n');
}
