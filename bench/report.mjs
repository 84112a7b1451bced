// The figures as Markdown, each beside what it is measured against.
import { availableParallelism, cpus, platform, totalmem } from 'node:os';
import { percentile, show, table } from './numbers.mjs';

const p50 = (values) => percentile(values, 0.5);
const p99 = (values) => percentile(values, 0.99);
const ms = (value) => `${show(value)} ms`;
const verdict = (isMet) => (isMet ? 'yes' : '**no**');

/**
 * @param {Awaited<ReturnType<typeof import('./measure.mjs').measure>>} figures
 * @param {{ plan: string, seconds: number, othersShare: number }} about
 */
export function report(figures, about) {
  return [
    aimsOf(figures),
    cyclesOf(figures),
    cpuOf(figures),
    tokensOf(figures),
    restOf(figures),
    surroundingsOf(about),
  ].join('\n\n');
}

function aimsOf({ cycles, events, tokens }) {
  const ratio = Math.min(...cycles.map(({ floor, holdpoint }) => holdpoint.cyclesPerSecond / floor.cyclesPerSecond));
  const one = cycles[0];
  const added = Math.max(...tokens.map((load) => p50(load.holdpoint) - p50(load.direct)));
  const answered = p50(one.holdpoint.answerMs) / p50(one.floor.answerMs);
  const history = events.holdpoint / events.floor;
  return table(
    ['aim', 'wanted', 'measured', 'met'],
    [
      ['cycles a second, share of the floor (worst of all rows)', '≥ 0.5', ratio, verdict(ratio >= 0.5)],
      [
        'history events a cycle, times the floor',
        '≤ 1.5',
        `${show(history)} (${events.holdpoint} / ${events.floor})`,
        verdict(history <= 1.5),
      ],
      ['answer → completed p50 at concurrency 1, times the floor', '≤ 2', answered, verdict(answered <= 2)],
      ['added delay of a token p50 (worst of all rows)', '≤ 25 ms', ms(added), verdict(added <= 25)],
    ],
  );
}

function cyclesOf({ cycles: rows, http }) {
  const line = (name, atOnce, from, floor) => [
    name,
    String(atOnce),
    from.startsPerSecond ?? Number.NaN,
    from.answersPerSecond ?? Number.NaN,
    from.cyclesPerSecond,
    floor === null ? '' : show(from.cyclesPerSecond / floor.cyclesPerSecond),
    `${show(p50(from.parkMs))} / ${show(p99(from.parkMs))}`,
    `${show(p50(from.answerMs))} / ${show(p99(from.answerMs))}`,
  ];
  const floorAt = (atOnce) => rows.find((row) => row.atOnce === atOnce)?.floor ?? null;
  return table(
    [
      'system',
      'at once',
      'starts/s',
      'answers/s',
      'cycles/s',
      'of floor',
      'start → parked p50 / p99 ms',
      'answer → completed p50 / p99 ms',
    ],
    [
      ...rows.flatMap(({ atOnce, floor, holdpoint }) => [
        line('bare engine', atOnce, floor, null),
        line('Holdpoint', atOnce, holdpoint, floor),
      ]),
      ...http.map((row) => line('Holdpoint over HTTP (AG-UI)', row.atOnce, row, floorAt(row.atOnce))),
    ],
  );
}

function cpuOf({ cycles: rows }) {
  return table(
    [
      'CPU a cycle, ms',
      'at once',
      'Temporal server',
      'worker and client (Holdpoint: api and PGlite too)',
      'agent (SDK server)',
    ],
    rows.flatMap(({ atOnce, floor, holdpoint }) => [
      ['bare engine', String(atOnce), floor.cpuMs.server, floor.cpuMs.own, '–'],
      ['Holdpoint', String(atOnce), holdpoint.cpuMs.server, holdpoint.cpuMs.own, holdpoint.cpuMs.agent],
    ]),
  );
}

function tokensOf({ tokens: loads }) {
  return table(
    ['delay of a token', 'tokens', 'agent read directly p50 / p99', 'through Holdpoint p50 / p99', 'added p50 / p99'],
    loads.map(({ streams, perSecond, direct, holdpoint }) => [
      `${streams} stream${streams === 1 ? '' : 's'}, ${perSecond} a second each`,
      String(holdpoint.length),
      `${show(p50(direct))} / ${show(p99(direct))} ms`,
      `${show(p50(holdpoint))} / ${show(p99(holdpoint))} ms`,
      `${show(p50(holdpoint) - p50(direct))} / ${show(p99(holdpoint) - p99(direct))} ms`,
    ]),
  );
}

function restOf({ firstEvent, parked, late }) {
  const { idle, loaded, streams, perSecond } = firstEvent;
  const { resourcesIdle, resourcesParked } = parked;
  const held = (resources) => `${resources.sockets} / ${resources.timers}`;
  return table(
    ['what else', 'value'],
    [
      ['new run → first event, idle, p50 / max', `${show(p50(idle))} / ${show(Math.max(...idle))} ms`],
      [
        `new run → first event, ${firstEvent.parked} tasks parked and ${streams} turns streaming ${perSecond} tokens a second each, p50 / max`,
        `${show(p50(loaded))} / ${show(Math.max(...loaded))} ms`,
      ],
      ['doors unanswered within 4 s (the same again is safe, and was done)', String(late)],
      ['database bytes a parked task', `${Math.round(parked.bytes)}`],
      [`sockets / timers of Holdpoint's process, idle`, held(resourcesIdle)],
      [`the same with ${parked.count} parked`, held(resourcesParked)],
    ],
  );
}

export function surroundingsOf({ plan, seconds, othersShare }) {
  const gib = Math.round(totalmem() / 2 ** 30);
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${gib} GiB, ${platform()}, Node ${process.version}`;
  const others = Number.isFinite(othersShare)
    ? `; others used ${Math.round(100 * othersShare)} % of the machine meanwhile`
    : '';
  return `${new Date().toISOString().slice(0, 10)}, ${plan} run of ${Math.round(seconds)} s on ${machine}${others}.`;
}
