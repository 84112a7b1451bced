// Kills, freezes and cuts off everything for a while, with users at work, and says what was lost, doubled or hung:
//   npm run chaos -- --minutes 30 --seed 7 --users 6
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
  },
});
const numbers = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
// Of five sorts of things at most four break at once, so that a breaker finds one.
if (numbers.breakers > 4) throw new Error('--breakers: expected at most 4');
for (const [name, number] of Object.entries(numbers))
  if (!Number.isFinite(number) || number < 0) throw new Error(`--${name}: expected a number`);

const supervisor = createSupervisor();
const startedMs = performance.now();
console.log(`chaos for ${numbers.minutes} minutes, seed ${numbers.seed}, ${numbers.users} users`);
try {
  buildOnce();
  const { minutes, seed, users, every, breakers } = numbers;
  const log = (line) => console.log(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(7)} s  ${line}`);
  const report = await runChaos(supervisor, { seed, users, forMs: minutes * 60_000, everyMs: every, breakers, log });
  const faults = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
  console.log(`${report.tasks} tasks, ${faults} faults: ${JSON.stringify(report.faults)}`);
  for (const problem of report.problems) console.error(`- ${problem}`);
  console.log(report.problems.length === 0 ? 'nothing lost, doubled or hung' : `${report.problems.length} problems`);
  process.exitCode = report.problems.length === 0 ? 0 : 1;
} finally {
  await supervisor.end();
}
