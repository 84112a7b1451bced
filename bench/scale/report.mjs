// The tables of `npm run bench -- scale`.
import { show, table } from '../numbers.mjs';

const mean = (values) => values.reduce((all, one) => all + one, 0) / values.length;
const kiB = (bytes) => (Number.isFinite(bytes) ? bytes / 1024 : Number.NaN);

const memoryOf = (memory, role) =>
  mean(
    Object.entries(memory)
      .filter(([name]) => name.startsWith(role))
      .map(([, value]) => value),
  );

/** Bytes that each parked task took since the first row. */
function perTask(row, first, name) {
  const more = row.tasks - first.tasks;
  return more > 0 && row.bytes[name] !== null ? kiB((row.bytes[name] - first.bytes[name]) / more) : Number.NaN;
}

export function scaleReport(state) {
  const [first] = state.rows;
  const rows = state.rows.map((row) => [
    String(row.parked),
    row.startsPerSecond ?? Number.NaN,
    row.answersPerSecond ?? Number.NaN,
    row.start === null ? '–' : `${show(row.start.p50)} / ${show(row.start.p99)}`,
    row.answer === null ? '–' : `${show(row.answer.p50)} / ${show(row.answer.p99)}`,
    row.list === null ? '–' : `${show(row.list.p50)} / ${show(row.list.p99)}`,
    perTask(row, first, 'standfast'),
    perTask(row, first, 'temporal') + perTask(row, first, 'visibility'),
    memoryOf(row.memory, 'api'),
    memoryOf(row.memory, 'worker'),
    row.memory.Temporal,
    String(row.connections),
  ]);
  const head = ['parked', 'starts/s', 'answers/s', 'start → parked p50 / p99 ms', 'answer → completed p50 / p99 ms'];
  head.push(
    'list of 50 p50 / p99 ms',
    'KiB a task, Standfast’s',
    'KiB a task, Temporal’s',
    'MiB an api',
    'MiB a worker',
  );
  head.push('MiB Temporal', 'connections');
  const layout = `${state.apis} apis, ${state.workers} workers, PostgreSQL, Temporal on ${state.temporal}; 20 at once.`;
  return [layout, table(head, rows), eventsTable(state.events), refusals(state)].filter(Boolean).join('\n\n');
}

/** Of the storm alone, with its aims. */
export function stormReport(state) {
  const { stormOfDeadlines: storm } = state.events;
  if (storm === undefined) return `${scaleReport(state)}\n\nThe storm was not reached: the same again goes on.`;
  const cpu = Object.values(storm.cpu).reduce((all, used) => all + used, 0);
  const aim = (what, wanted, measured, isMet) => [what, wanted, measured, isMet ? 'yes' : '**no**'];
  const aims = [
    aim('shown as open after its time', '0', String(storm.shown.open), storm.shown.open === 0),
    aim('a row ends late, p99', '≤ 5000 ms', `${show(storm.p99)} ms`, storm.p99 <= 5_000),
    aim('CPU an expiry', '≤ 57 ms', `${show(cpu)} ms`, cpu <= 57),
    aim('lost', '0', String(storm.lost), storm.lost === 0),
  ];
  return [table(['deadlines in a minute', 'wanted', 'measured', 'met'], aims), scaleReport(state)].join('\n\n');
}

function eventsTable({ coldRestart, decidedAtOnce, stormOfDeadlines, rollingRestart }) {
  const rows = [];
  const ms = ({ p50, p99 }) => `p50 ${show(p50)}, p99 ${show(p99)} ms`;
  if (coldRestart) {
    const { readyMs, firstListMs, firstAnswerMs, cold, lost } = coldRestart;
    rows.push(['all roles restarted, until all are ready', `${show(readyMs / 1000)} s`, '–']);
    rows.push([
      'the first list and the first decision then',
      `${show(firstListMs)} and ${show(firstAnswerMs)} ms`,
      '–',
    ]);
    rows.push([`${cold.count} cold questions decided, 16 at once`, ms(cold), String(lost)]);
  }
  if (decidedAtOnce) {
    const { count, seconds, lost } = decidedAtOnce;
    rows.push([
      `${count} decided at once`,
      `${ms(decidedAtOnce)}; all completed after ${show(seconds)} s`,
      String(lost),
    ]);
  }
  if (stormOfDeadlines) {
    const { count, withinS, max, lists, answers, lost, shown, cpu } = stormOfDeadlines;
    const met = Object.entries(answers).filter(([, n]) => n > 0);
    rows.push([
      `${count} deadlines within ${show(withinS)} s, how late the row of each ends`,
      `${ms(stormOfDeadlines)}, at most ${show(max)} ms`,
      String(lost),
    ]);
    rows.push([
      'questions opened after their deadline while the row was open: shown as open',
      `${shown.open} of ${shown.asked}${shown.open === 0 ? '' : `, up to ${show(shown.lateMs)} ms late`}`,
      '–',
    ]);
    const each = Object.entries(cpu).map(([part, used]) => `${part} ${show(used)}`);
    const total = Object.values(cpu).reduce((all, used) => all + used, 0);
    rows.push(['CPU an expiry, ms', `**${show(total)}**: ${each.join(', ')}`, '–']);
    rows.push([
      'lists meanwhile',
      `${ms(lists)}; ${met.length === 0 ? 'none refused' : met.map(([what, n]) => `${what}: ${n}`).join(', ')}`,
      '–',
    ]);
  }
  if (rollingRestart) {
    const { started, decided, lost, answers } = rollingRestart;
    const met = Object.entries(answers).map(([what, count]) => `${what}: ${count}`);
    rows.push([
      `each role restarted in turn under load (${started} started, ${decided} decided)`,
      met.length === 0 ? 'no call was refused' : `tried again: ${met.join(', ')}`,
      String(lost),
    ]);
  }
  return rows.length === 0 ? '' : table(['what happens then', 'measured', 'lost'], rows);
}

function refusals({ counts }) {
  const met = Object.entries(counts ?? {}).map(([what, count]) => `${what}: ${count}`);
  return met.length === 0 ? 'No call was refused.' : `Calls that were tried again: ${met.join(', ')}.`;
}
