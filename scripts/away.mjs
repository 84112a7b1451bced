// Of five agents two are killed, two frozen and one is slow: what that costs a healthy one, and how soon the answers of people
// are at an agent that is back. On a quiet machine: `npm run away -- --runs 300 --messages 20`
// Or what so many messages cost that wait for an agent that is killed: `npm run away -- --waiting 10000`
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { cpuMs } from '../bench/cpu.mjs';
import { percentile } from '../bench/numbers.mjs';
import { measureAway, measureWaiting } from '../test/journeys/split/away-run.ts';
import { buildOnce } from '../test/journeys/setting.ts';
import { createSupervisor } from '../test/rigs/process/supervisor.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    messages: { type: 'string', default: '20' },
    waiting: { type: 'string' },
  },
});
const [runs, messages] = [Number(values.runs), Number(values.messages)];
if (!(runs >= 1) || !(messages >= 1)) throw new Error('--runs, --messages: expected a number from 1');
const waiting = values.waiting === undefined ? null : Number(values.waiting);
if (waiting !== null && !(waiting >= 1)) throw new Error('--waiting: expected a number from 1');
const supervisor = createSupervisor();
const load = loadavg()[0];
const log = (line) => console.log(line);

async function away() {
  const { alone, crowded, answers } = await measureAway(supervisor, { runs, messages, log });
  const [own, withOthers] = [alone, crowded].map((times) => percentile(times, 0.99));
  const ms = (value) => `${Math.round(value)} ms`;
  log(`healthy agent, p99 of ${runs} runs: alone ${ms(own)}, with the others ${ms(withOthers)}`);
  log(`that is ${(withOthers / own).toFixed(2)} times (1.5 wanted)`);
  for (const { agent, ms: took } of answers) log(`answer at ${agent}: ${ms(took)} after it was back (2,000 wanted)`);
}

async function wait() {
  const figures = await measureWaiting(supervisor, { messages: waiting, forMs: 60_000, cpuMs, log });
  const words = (shares) =>
    Object.entries(shares)
      .map(([name, share]) => `${name} ${(share * 100).toFixed(1)} %`)
      .join(', ');
  log(`of a core, in a minute, at rest: ${words(figures.before)}`);
  log(`with ${figures.waiting} messages that wait: ${words(figures.meanwhile)} (5 % of a worker wanted)`);
}

try {
  buildOnce();
  await (waiting === null ? away() : wait());
  log(`load of the machine before: ${load.toFixed(1)}; Node ${process.versions.node}`);
} finally {
  await supervisor.end();
}
