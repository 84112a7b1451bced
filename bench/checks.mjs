// What the checks of trust cost: two Holdpoints side by side, one without them (without-checks.mjs), in turns.
import { randomUUID } from 'node:crypto';
import { cpuMs } from './cpu.mjs';
import { percentile, show, sum, table } from './numbers.mjs';

const blockMs = 120_000;
const namesFor = (times) => Array.from({ length: times }, () => randomUUID());

/** Parks all, then answers all; CPU of Holdpoint's process, with its PGlite, a cycle. */
async function blockOf({ holdpoint }, { atOnce, times, limitMs }) {
  const before = cpuMs(holdpoint.pid);
  const park = await holdpoint.ask('park', { ids: namesFor(times), atOnce, limitMs }, blockMs);
  const { done } = await holdpoint.ask('answer', { ids: park.done, atOnce, limitMs: 2 * limitMs }, blockMs);
  return { cycles: done.length, cpu: cpuMs(holdpoint.pid) - before };
}

/**
 * @param {import('./plan.mjs').ChecksPlan} plan
 * @param {Record<'with' | 'without', { holdpoint: import('./child.mjs').Child }>} parts
 * @param {(what: string) => void} say
 */
export async function measureChecks(plan, parts, say) {
  const systems = Object.entries(parts);
  say('warming up');
  for (const [, system] of systems) await blockOf(system, { ...plan, times: plan.warmUp });
  const rounds = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    const each = {};
    // The other one first in every second round.
    for (const [name, system] of round % 2 === 0 ? systems : systems.toReversed()) {
      say(`round ${round + 1} of ${plan.rounds}: ${name} the checks`);
      each[name] = await blockOf(system, plan);
    }
    rounds.push(each);
  }
  return { ...plan, rounds };
}

export function checksReport({ atOnce, rounds }) {
  const perCycle = (name) => sum(rounds.map((each) => each[name].cpu)) / sum(rounds.map((each) => each[name].cycles));
  const ratios = rounds.map((each) => each.with.cpu / each.with.cycles / (each.without.cpu / each.without.cycles));
  const median = percentile(ratios, 0.5);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const cycles = sum(rounds.map((each) => each.with.cycles));
  return [
    table(
      [
        `own CPU a cycle at ${atOnce}, ms`,
        'with the checks',
        'without',
        'with / without, median of rounds',
        'least and most',
        '≤ 1.05',
      ],
      [
        [
          '',
          perCycle('with'),
          perCycle('without'),
          median,
          `${show(least)} – ${show(most)}`,
          median <= 1.05 ? 'yes' : '**no**',
        ],
      ],
    ),
    `${rounds.length} rounds in turns, ${cycles} cycles with the checks.`,
  ].join('\n\n');
}
