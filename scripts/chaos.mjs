// Kills, freezes and cuts off everything for a while, with users at work, and says what was lost, doubled or hung:
//   npm run chaos -- --minutes 30 --seed 7 --users 6
// In rounds until so many were killed, counted in a file over runs, so that it may be ended and started again:
//   npm run chaos -- --kills 1000 --kept chaos.jsonl --minutes 15
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { runChaos } from '../test/journeys/split/chaos-run.ts';
import { buildOnce } from '../test/journeys/setting.ts';
import { createSupervisor } from '../test/rigs/process/supervisor.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    users: { type: 'string', default: '4' },
    every: { type: 'string', default: '1500' },
    breakers: { type: 'string', default: '1' },
    kills: { type: 'string', default: '0' },
    kept: { type: 'string' },
  },
});
const { kept, ...texts } = values;
const numbers = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]));
// Of five sorts of things at most four break at once, so that a breaker finds one.
if (numbers.breakers > 4) throw new Error('--breakers: expected at most 4');
for (const [name, number] of Object.entries(numbers))
  if (!Number.isFinite(number) || number < 0) throw new Error(`--${name}: expected a number`);
if (numbers.kills > 0 && kept === undefined) throw new Error('--kills: expected --kept FILE, where rounds are counted');

const sumOf = (counts) => counts.reduce((sum, count) => sum + count, 0);
const killsOf = ({ faults }) =>
  sumOf(Object.entries(faults).map(([name, count]) => (name.startsWith('kill ') ? count : 0)));
/** Whole rounds of this and earlier runs. */
const rounds =
  kept === undefined || !existsSync(kept)
    ? []
    : readFileSync(kept, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));

/** One round; what was found is on the screen and in the file. */
async function play(seed) {
  const supervisor = createSupervisor();
  const startedMs = performance.now();
  const { minutes, users, every, breakers } = numbers;
  console.log(`chaos for ${minutes} minutes, seed ${seed}, ${users} users`);
  try {
    const log = (line) => console.log(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(7)} s  ${line}`);
    const report = await runChaos(supervisor, { seed, users, forMs: minutes * 60_000, everyMs: every, breakers, log });
    const faults = sumOf(Object.values(report.faults));
    console.log(`${report.tasks} tasks, ${faults} faults: ${JSON.stringify(report.faults)}`);
    for (const problem of report.problems) console.error(`- ${problem}`);
    console.log(report.problems.length === 0 ? 'nothing lost, doubled or hung' : `${report.problems.length} problems`);
    const round = {
      at: new Date().toISOString(),
      seed,
      minutes,
      users,
      every,
      breakers,
      load: loadavg()[0],
      ...report,
    };
    rounds.push(round);
    if (kept !== undefined) appendFileSync(kept, `${JSON.stringify(round)}\n`);
    return report.problems.length;
  } finally {
    await supervisor.end();
  }
}

const counted = () => {
  const tasks = sumOf(rounds.map((round) => round.tasks));
  const problems = sumOf(rounds.map((round) => round.problems.length));
  return `${rounds.length} rounds: ${sumOf(rounds.map(killsOf))} kills, ${tasks} tasks, ${problems} problems`;
};

buildOnce();
let problems = 0;
let { seed } = numbers;
// At least one round, also where the file counts enough.
do {
  problems += await play(seed);
  seed += 1;
  if (kept !== undefined) console.log(counted());
} while (sumOf(rounds.map(killsOf)) < numbers.kills);
process.exitCode = problems === 0 ? 0 : 1;
