// What the checks of trust cost: two Standfasts side by side, one that makes each check several times (repeated-checks.mjs),
// in turns. The difference is a multiple of the cost, so that it is larger than what rounds differ by for other reasons.
import { randomUUID } from 'node:crypto';
import { cpuMs } from './cpu.mjs';
import { spread, sum, table } from './numbers.mjs';
import { times as timesChecked } from './repeated-checks-hooks.mjs';

const blockMs = 120_000;
const namesFor = (times) => Array.from({ length: times }, () => randomUUID());

/** Parks all, then answers all; CPU of Standfast's process, with its PGlite, a cycle. */
async function blockOf({ standfast }, { atOnce, times, limitMs }) {
  const before = cpuMs(standfast.pid);
  const park = await standfast.ask('park', { ids: namesFor(times), atOnce, limitMs }, blockMs);
  const { done } = await standfast.ask('answer', { ids: park.done, atOnce, limitMs: 2 * limitMs }, blockMs);
  return { cycles: done.length, cpu: cpuMs(standfast.pid) - before };
}

/**
 * @param {import('./plan.mjs').ChecksPlan} plan
 * @param {Record<'once' | 'repeated', { standfast: import('./child.mjs').Child }>} parts
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
      say(`round ${round + 1} of ${plan.rounds}: checks ${name}`);
      each[name] = await blockOf(system, plan);
    }
    rounds.push(each);
  }
  return { ...plan, rounds };
}

export function checksReport({ atOnce, rounds }) {
  const perCycle = ({ cpu, cycles }) => cpu / cycles;
  const shares = rounds.map(({ once, repeated }) => {
    const checks = (perCycle(repeated) - perCycle(once)) / (timesChecked - 1);
    return checks / (perCycle(once) - checks);
  });
  const { min, median, max } = spread(shares);
  const total = (name) => sum(rounds.map((each) => each[name].cpu)) / sum(rounds.map((each) => each[name].cycles));
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  return [
    table(
      [
        'what checks add to own CPU a cycle',
        'as it is, ms',
        `${timesChecked} times, ms`,
        'wanted',
        'measured',
        'rounds',
        'met',
      ],
      [
        [
          `median of rounds at ${atOnce}`,
          total('once'),
          total('repeated'),
          '≤ 5 %',
          percent(median),
          `${percent(min)} – ${percent(max)}`,
          median <= 0.05 ? 'yes' : '**no**',
        ],
      ],
    ),
    `${rounds.length} rounds in turns, ${sum(rounds.map(({ once }) => once.cycles))} cycles as it is.`,
  ].join('\n\n');
}
