// Of five agents two are killed, two frozen and one is slow: what that costs a healthy one, and how soon the answers of people
// are at an agent that is back. On a quiet machine: `npm run away -- --runs 300 --messages 20`
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { percentile } from '../bench/numbers.mjs';
import { measureAway } from '../test/journeys/split/away-run.ts';
import { buildOnce } from '../test/journeys/setting.ts';
import { createSupervisor } from '../test/rigs/process/supervisor.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '300' }, messages: { type: 'string', default: '20' } },
});
const [runs, messages] = [Number(values.runs), Number(values.messages)];
if (!(runs >= 1) || !(messages >= 1)) throw new Error('--runs, --messages: expected a number from 1');
const supervisor = createSupervisor();
const load = loadavg()[0];
try {
  buildOnce();
  const { alone, crowded, answers } = await measureAway(supervisor, {
    runs,
    messages,
    log: (line) => console.log(line),
  });
  const [own, withOthers] = [alone, crowded].map((times) => percentile(times, 0.99));
  const ms = (value) => `${Math.round(value)} ms`;
  console.log(`healthy agent, p99 of ${runs} runs: alone ${ms(own)}, with the others ${ms(withOthers)}`);
  console.log(`that is ${(withOthers / own).toFixed(2)} times (1.5 wanted)`);
  for (const { agent, ms: took } of answers)
    console.log(`answer at ${agent}: ${ms(took)} after it was back (2,000 wanted)`);
  console.log(`load of the machine before: ${load.toFixed(1)}; Node ${process.versions.node}`);
} finally {
  await supervisor.end();
}
