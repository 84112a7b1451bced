// `npm run bench -- unasked`: how much later each event of an agent that never asks arrives through Standfast than from the
// agent itself. Both are read in turns within one run, so that what disturbs the machine for a while disturbs both.
import { percentile, show, spread, table } from './numbers.mjs';
import { directDelays, standfastDelays } from './tokens.mjs';

const wantedMs = 3;
const p50 = (values) => percentile(values, 0.5);
const p99 = (values) => percentile(values, 0.99);

/**
 * @param {import('./plan.mjs').UnaskedPlan} plan
 * @param {{ agentUrl: string, runUrl: string }} parts
 * @param {(what: string) => void} say
 */
export async function measureUnasked({ warmUp, rounds, loads }, { agentUrl, runUrl }, say) {
  say('warming up');
  for (let n = 0; n < warmUp; n += 1) await standfastDelays(runUrl, { streams: 20, tokens: 120, perSecond: 20 });
  const rows = [];
  for (const load of loads) {
    const turns = [];
    for (let round = 0; round < rounds; round += 1) {
      say(`${load.streams} streams of ${load.perSecond} a second, round ${round + 1}`);
      const direct = await directDelays(agentUrl, load);
      turns.push({ direct, standfast: await standfastDelays(runUrl, load) });
    }
    rows.push({ ...load, turns });
  }
  return rows;
}

/** @param {Awaited<ReturnType<typeof measureUnasked>>} rows */
export const unaskedReport = (rows) =>
  table(
    [
      'an agent that never asks',
      'events',
      'read directly p50 / p99',
      'through Standfast p50 / p99',
      'added p50, rounds: min – **median** – max',
      'wanted',
      'met',
    ],
    rows.map(({ streams, perSecond, turns }) => {
      const [direct, through] = ['direct', 'standfast'].map((side) => turns.flatMap((turn) => turn[side]));
      const added = spread(turns.map((turn) => p50(turn.standfast) - p50(turn.direct)));
      return [
        `${streams} stream${streams === 1 ? '' : 's'}, ${perSecond} a second each`,
        `${direct.length} / ${through.length}`,
        `${show(p50(direct))} / ${show(p99(direct))} ms`,
        `${show(p50(through))} / ${show(p99(through))} ms`,
        `${show(added.min)} – **${show(added.median)}** – ${show(added.max)} ms`,
        `≤ ${wantedMs} ms`,
        added.median <= wantedMs ? 'yes' : '**no**',
      ];
    }),
  );
