// `npm run bench -- cycle`: what a cycle costs the way it runs in production, an api and a worker apart on PostgreSQL, in turns
// with the floor that does the same work on the same servers. CPU is that of every process, as the kernel counts it.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { workflowIdOf } from '#dist/core/base/ids.js';
import { startChild } from '../child.mjs';
import { cpuMs, cpuMsOfServer } from '../cpu.mjs';
import { repeat } from '../load.mjs';
import { percentile, show, spread, sum, table } from '../numbers.mjs';
import { answerOf, askOf } from './calls.mjs';
import { startInstallation } from './installation.mjs';

const blockMs = 300_000;

/** @param {import('../plan.mjs').CyclePlan & { temporal?: 'postgres' | 'sqlite' }} plan @param {string} dir @param {(what: string) => void} say */
export async function measureCycle(plan, dir, say) {
  const layout = { apis: 1, workers: 1, temporal: plan.temporal ?? 'sqlite', storm: 1, agentPort: 0 };
  const installation = await startInstallation({ dir, ...layout }, say);
  const floor = startChild('./floor/process.mjs');
  try {
    const { agent, postgres, roles, temporal } = installation;
    const databaseUrl = await postgres.newDatabase('floor');
    const where = { address: temporal.address, agentUrl: agent.url, dataDir: join(dir, 'floor'), databaseUrl };
    await floor.ask('start', where, blockMs);
    const connection = await Connection.connect({ address: temporal.address });
    const pidOf = (wanted) => roles.find(({ role }) => role === wanted).process.pid;
    const pids = {
      api: pidOf('api'),
      worker: pidOf('worker'),
      floor: floor.pid,
      Temporal: temporal.pid,
      agent: agent.pid,
    };
    const cpu = () => {
      const each = Object.entries(pids).map(([name, pid]) => [name, cpuMs(pid)]);
      return { ...Object.fromEntries(each), database: cpuMsOfServer(postgres.pid) };
    };
    const client = new Client({ connection });
    const completed = (threadId) => client.workflow.getHandle(workflowIdOf('bench', threadId)).result();
    const systems = { floor: floorOf(floor), standfast: cyclesOver(() => installation.urls()[0], completed) };
    say('warming up');
    for (const system of Object.values(systems)) await blockOf(system, { atOnce: 20, times: plan.warmUp }, cpu);
    const loads = [];
    for (const load of plan.loads) {
      const rounds = [];
      for (let round = 1; round <= plan.rounds; round += 1) {
        say(`${load.times} cycles, ${load.atOnce} at once, round ${round} of ${plan.rounds}`);
        const one = {};
        for (const [name, system] of Object.entries(systems)) one[name] = await blockOf(system, load, cpu);
        rounds.push(one);
      }
      loads.push({ ...load, rounds });
    }
    await connection.close();
    return { loads, kind: installation.kind };
  } finally {
    await floor.stop();
    await installation.end();
  }
}

const floorOf = (child) => ({
  park: (ids, bounds) => child.ask('park', { ids, ...bounds }, blockMs),
  answer: (ids, bounds) => child.ask('answer', { ids, ...bounds }, blockMs),
});

/**
 * Cycles over HTTP, as a front end has them; an answer is over once its run's end was read and the workflow is `completed`.
 * @param {() => string} url @param {(threadId: string) => Promise<unknown>} completed
 */
export function cyclesOver(url, completed) {
  const [ask, give] = [askOf(url, 'bench'), answerOf(url, 'bench')];
  const questions = new Map();
  const park = async (threadId) => {
    const { ms, interruptId } = await ask(threadId);
    questions.set(threadId, interruptId);
    return ms;
  };
  const answer = async (threadId) => {
    const startedAt = performance.now();
    await Promise.all([give(threadId, questions.get(threadId)), completed(threadId)]);
    return performance.now() - startedAt;
  };
  return {
    park: (ids, bounds) => repeat(ids, bounds, park),
    answer: (ids, bounds) => repeat(ids, bounds, answer),
  };
}

/** Parks all, then answers all; milliseconds of CPU a cycle by part. */
export async function blockOf(system, { atOnce, times }, cpu) {
  const before = cpu();
  const { done } = await system.park(
    Array.from({ length: times }, () => randomUUID()),
    { atOnce },
  );
  const { latenciesMs } = await system.answer(done, { atOnce });
  const after = cpu();
  const each = Object.keys(after).map((part) => [part, (after[part] - before[part]) / times]);
  return { cpu: Object.fromEntries(each), latenciesMs };
}

/** The processes of each, less what the other one's do meanwhile at rest. */
const own = { floor: ['floor', 'database'], standfast: ['api', 'worker', 'database'] };
const ownOf = ({ cpu }, key) => sum(own[key].map((part) => cpu[part]));
export const p50Of = ({ latenciesMs }) => percentile(latenciesMs, 0.5);

export function cycleReport({ loads, kind }) {
  const timesFloor = (load, of) =>
    spread(load.rounds.map(({ standfast, floor }) => of(standfast, 'standfast') / of(floor, 'floor')));
  const aim = (what, { min, median, max }, wanted) => [
    what,
    `≤ ${wanted}`,
    `${show(min)} – **${show(median)}** – ${show(max)}`,
    median <= wanted ? 'yes' : '**no**',
  ];
  const at = (atOnce) => loads.find((load) => load.atOnce === atOnce);
  const aims = [
    ...loads.map((load) =>
      aim(`own CPU a cycle (api, worker, database) at ${load.atOnce}, times the floor’s`, timesFloor(load, ownOf), 1.6),
    ),
    aim('answer → completed p50 at 1, times the floor’s', timesFloor(at(1), p50Of), 1.8),
  ];
  const row = ({ atOnce, rounds }, name, key) => {
    const blocks = rounds.map((round) => round[key]);
    const mean = (part) => sum(blocks.map(({ cpu }) => cpu[part])) / blocks.length;
    const processes = key === 'floor' ? [mean('floor'), '–', '–'] : ['–', mean('api'), mean('worker')];
    const answers = { latenciesMs: blocks.flatMap(({ latenciesMs }) => latenciesMs) };
    return [name, String(atOnce), ...processes, mean('database'), mean('Temporal'), mean('agent'), p50Of(answers)];
  };
  const rows = loads.flatMap((load) => [
    row(load, 'bare engine, same work', 'floor'),
    row(load, 'Standfast', 'standfast'),
  ]);
  return [
    `1 api, 1 worker, PostgreSQL, Temporal on ${kind}; ${loads[0].rounds.length} rounds in turns.`,
    table(['roles apart', 'wanted', 'rounds: min – **median** – max', 'met'], aims),
    table(
      [
        'CPU a cycle, ms',
        'at once',
        'worker and client',
        'api',
        'worker',
        'database',
        'Temporal server',
        'agent',
        'answer → completed p50 ms',
      ],
      rows,
    ),
  ].join('\n\n');
}
