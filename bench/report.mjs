// The measurements as Markdown, each next to what it is measured against.
import { availableParallelism, cpus, platform, totalmem } from 'node:os';
import { percentile, show, table } from './numbers.mjs';

const p50 = (values) => percentile(values, 0.5);
const p99 = (values) => percentile(values, 0.99);
const systems = [
  ['floor', 'bare engine'],
  ['floorWithWork', 'bare engine, same work'],
  ['standfast', 'Standfast'],
];
const verdict = (isMet) => (isMet ? 'yes' : '**no**');

/**
 * @param {Awaited<ReturnType<typeof import('./measure.mjs').measure>> & { peers?: any[] }} figures
 * @param {{ plan: string, seconds: number, othersShare: number }} about
 */
export function report(figures, about) {
  return [
    aimsOf(figures),
    cyclesOf(figures),
    ...(figures.peers === undefined ? [] : [peersOf(figures.peers)]),
    cpuOf(figures),
    threadsOf(figures),
    tokensOf(figures),
    restOf(figures),
    surroundingsOf(about),
  ].join('\n\n');
}

function aimsOf({ cycles, events, tokens, rss }) {
  const at = (atOnce) => cycles.find((row) => row.atOnce === atOnce) ?? cycles.at(-1);
  const [one, twenty] = [at(1), at(20)];
  const answered = p50(one.standfast.answerMs) / p50(one.floor.answerMs);
  const added = Math.max(...tokens.map((load) => p50(load.standfast) - p50(load.direct)));
  const many = tokens.at(-1);
  const atLeast = (what, share, wanted) => [what, `≥ ${wanted}`, threeOf(share), verdict(share.median >= wanted)];
  const atMost = (what, value, wanted, text) => [what, `≤ ${wanted}`, text ?? show(value), verdict(value <= wanted)];
  return table(
    ['aim', 'wanted', 'measured', 'met'],
    [
      atMost('history events a cycle', events.standfast, 30, `${events.standfast} (floor: ${events.floor})`),
      atMost('own CPU a cycle at 20, ms', twenty.standfast.cpuMs.own, 48),
      atMost("Temporal server's CPU a cycle at 20, ms", twenty.standfast.cpuMs.server, 36),
      atLeast('cycles a second at 20, share of the floor', twenty.ofFloor, 0.5),
      atLeast('cycles a second at 1, share of the floor', one.ofFloor, 0.55),
      atLeast('cycles a second at 20, share of the floor with the same work', twenty.ofWork, 0.75),
      atMost('answer → completed p50 at 1, times the floor', answered, 1.8),
      atMost('added delay of a token p50, ms (worst of all rows)', added, 3),
      atMost(`delay of a token p99 at ${many.streams} streams, ms`, p99(many.standfast), 15),
      atMost('memory of worker, api and PGlite after the start, MiB', rss.started, 350),
    ],
  );
}

const threeOf = ({ min, median, max }) => `${show(min)} – **${show(median)}** – ${show(max)}`;

function peersOf(peers) {
  const row = (peer) =>
    'why' in peer
      ? [[peer.name, '–', '–', '–', '–', '–', `left out: ${peer.why}`]]
      : peer.blocks.map(({ atOnce, cyclesPerSecond, answersPerSecond, answerMs }) => [
          peer.name,
          String(atOnce),
          cyclesPerSecond,
          answersPerSecond,
          `${show(p50(answerMs))} / ${show(p99(answerMs))}`,
          peer.bytesKept / 1024,
          peer.what,
        ]);
  return table(
    [
      'what people could take instead',
      'at once',
      'cycles/s',
      'answers/s',
      'answer → completed p50 / p99 ms',
      'KiB a cycle keeps',
      'what it is',
    ],
    peers.flatMap(row),
  );
}

function threadsOf({ cycles }) {
  const row = cycles.find(({ atOnce }) => atOnce === 20) ?? cycles.at(-1);
  const names = [...new Set(systems.flatMap(([key]) => Object.keys(row[key].threadsMs)))];
  const worth = names.filter((name) => systems.some(([key]) => (row[key].threadsMs[name] ?? 0) >= 0.1));
  return table(
    [`own CPU a cycle at ${row.atOnce} by thread, ms`, ...worth],
    systems.map(([key, name]) => [name, ...worth.map((thread) => row[key].threadsMs[thread] ?? 0)]),
  );
}

function cyclesOf({ cycles: rows, http }) {
  const line = (name, atOnce, from, floor) => [
    name,
    String(atOnce),
    from.startsPerSecond ?? Number.NaN,
    from.answersPerSecond ?? Number.NaN,
    from.cyclesPerSecond,
    from.rounds === undefined ? '' : threeOf(from.rounds),
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
      'rounds: min – **median** – max',
      'of floor',
      'start → parked p50 / p99 ms',
      'answer → completed p50 / p99 ms',
    ],
    [
      ...rows.flatMap(({ atOnce, floor, floorWithWork, standfast }) => [
        line('bare engine', atOnce, floor, null),
        line('bare engine, same work', atOnce, floorWithWork, floor),
        line('Standfast', atOnce, standfast, floor),
      ]),
      ...http.map((row) => line('Standfast over HTTP (AG-UI)', row.atOnce, row, floorAt(row.atOnce))),
    ],
  );
}

function cpuOf({ cycles: rows }) {
  return table(
    [
      'CPU a cycle, ms',
      'at once',
      'Temporal server',
      'worker and client (Standfast: api and PGlite too)',
      'agent (SDK server)',
    ],
    rows.flatMap((row) =>
      systems.map(([key, name]) => [
        name,
        String(row.atOnce),
        row[key].cpuMs.server,
        row[key].cpuMs.own,
        key === 'floor' ? '–' : row[key].cpuMs.agent,
      ]),
    ),
  );
}

function tokensOf({ tokens: loads }) {
  return table(
    ['delay of a token', 'tokens', 'agent read directly p50 / p99', 'through Standfast p50 / p99', 'added p50 / p99'],
    loads.map(({ streams, perSecond, direct, standfast }) => [
      `${streams} stream${streams === 1 ? '' : 's'}, ${perSecond} a second each`,
      String(standfast.length),
      `${show(p50(direct))} / ${show(p99(direct))} ms`,
      `${show(p50(standfast))} / ${show(p99(standfast))} ms`,
      `${show(p50(standfast) - p50(direct))} / ${show(p99(standfast) - p99(direct))} ms`,
    ]),
  );
}

function restOf({ firstEvent, parked, late, rss, fanOut }) {
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
      [
        `one task's tokens at ${fanOut.readers} readers (${fanOut.delaysMs.length} of them), ${fanOut.perSecond} a second, delay p50 / p99`,
        `${show(p50(fanOut.delaysMs))} / ${show(p99(fanOut.delaysMs))} ms`,
      ],
      [
        `memory of Standfast's process: started / warm / ${parked.count} more parked`,
        `${show(rss.started)} / ${show(rss.warm)} / ${show(rss.parked)} MiB`,
      ],
      ['commands unanswered within 4 s (the same again is safe, and was done)', String(late)],
      ['database bytes a parked task', `${Math.round(parked.bytes)}`],
      [`sockets / timers of Standfast's process, idle`, held(resourcesIdle)],
      [`the same with ${parked.count} parked`, held(resourcesParked)],
    ],
  );
}

export function surroundingsOf({ plan, seconds, othersShare }) {
  const gib = Math.round(totalmem() / 2 ** 30);
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${gib} GiB, ${platform()}, Node ${process.version}`;
  const others = Number.isFinite(othersShare)
    ? `;\nothers used ${Math.round(100 * othersShare)} % of the machine meanwhile`
    : '';
  return `${new Date().toISOString().slice(0, 10)}, ${plan} run of ${Math.round(seconds)} s on ${machine}${others}.`;
}
