// `npm run bench -- memory`: resident memory of each process as users start it, at rest and with questions open: `up` on its
// embedded database, and `api` and `worker` apart on PostgreSQL.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { tsImport } from 'tsx/esm/api';
import { startChild } from './child.mjs';
import { rssMiB } from './cpu.mjs';
import { repeat } from './load.mjs';
import { table } from './numbers.mjs';
import { readRun } from './sse.mjs';

const agent = 'bench';
const atOnce = 20;
const limitMs = 240_000;
const wanted = { up: 350, api: 200, worker: 350 };

/**
 * @typedef {{ name: string, wanted: number, rss: number[] }} Row
 *
 * @param {import('./plan.mjs').MemoryPlan} plan
 * @param {(what: string) => void} say
 */
export async function measureMemory(plan, say) {
  const { createSupervisor } = await tsImport('../test/rigs/process/supervisor.ts', import.meta.url);
  const asking = startChild('./agent.mjs');
  try {
    const { url } = await asking.ask('start');
    const configText = `agents:\n  ${agent}: { url: '${url}' }\n`;
    const lanes = [];
    for (const start of [startUp, startRoles]) {
      const supervisor = createSupervisor();
      try {
        say(start === startUp ? 'up' : 'api and worker');
        const started = await start(supervisor, configText);
        lanes.push(...(await measureLane(started, plan, say)));
      } finally {
        await supervisor.end();
      }
    }
    return { lanes, plan };
  } finally {
    await asking.stop();
  }
}

async function startUp(supervisor, configText) {
  const rig = await tsImport('../test/rigs/product/standfast.ts', import.meta.url);
  const dataDir = await supervisor.tempDir('bench-memory');
  const up = await rig.startUp(supervisor, { dataDir, configText, boundMs: 120_000 });
  return { url: up.url, pids: { up: up.process.pid } };
}

async function startRoles(supervisor, configText) {
  const { startSplit } = await tsImport('../test/journeys/split/split.ts', import.meta.url);
  const split = await startSplit(supervisor, configText);
  const [api, worker] = [await split.startApi(), await split.startWorker()];
  return { url: api.url, pids: { api: api.process.pid, worker: worker.pid, Temporal: split.temporal.process().pid } };
}

/** @returns {Promise<Row[]>} */
async function measureLane({ url, pids }, { restMs, parked }, say) {
  const rows = Object.entries(pids).map(([name, pid]) => ({
    name,
    pid,
    wanted: wanted[name] ?? Number.NaN,
    rss: /** @type {number[]} */ ([]),
  }));
  const look = async () => {
    // What was only needed to get here has been collected by then.
    await delay(restMs);
    for (const row of rows) row.rss.push(rssMiB(row.pid));
  };
  await look();
  let there = 0;
  for (const count of parked) {
    say(`parking ${count - there} more`);
    const names = Array.from({ length: count - there }, () => randomUUID());
    const { done } = await repeat(names, { atOnce, limitMs }, async (threadId) => {
      await readRun(`${url}/agents/${agent}/run`, { threadId, runId: 'ask', text: 'ask' });
      return 0;
    });
    if (done.length < names.length) throw new Error(`only ${there + done.length} of ${count} were parked in time`);
    there = count;
    await look();
  }
  return rows;
}

/** @param {Awaited<ReturnType<typeof measureMemory>>} figures */
export function memoryReport({ lanes, plan }) {
  const met = (most, rest) => (Number.isNaN(most) ? '–' : rest <= most ? 'yes' : '**no**');
  return table(
    ['resident memory at rest, MiB', 'wanted', 'measured', 'met', ...plan.parked.map((count) => `${count} parked`)],
    lanes.map(({ name, wanted: most, rss: [rest, ...parked] }) => [
      name,
      Number.isNaN(most) ? '' : `≤ ${most}`,
      rest,
      met(most, rest),
      ...parked,
    ]),
  );
}
