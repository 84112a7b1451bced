// `npm run bench -- fair`: Standfast, an api and a worker apart, in turns with the same product without trust around it on the
// same Temporal and PostgreSQL, and with that product on DBOS. CPU is that of every process, as the kernel counts it.
import { randomUUID } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { workflowIdOf } from '#dist/core/base/ids.js';
import { startChild } from '../child.mjs';
import { cpuMs, cpuMsOfServer } from '../cpu.mjs';
import { show, spread, sum, table } from '../numbers.mjs';
import { install } from '../peers.mjs';
import { blockOf, cyclesOver, p50Of } from '../scale/cycle.mjs';
import { startInstallation } from '../scale/installation.mjs';

const startMs = 180_000;
const dbosVersion = '5.3.0';
const here = (file) => fileURLToPath(new URL(file, import.meta.url));

/** Each system by the processes that only it has; the agent's time counts for none. */
const own = { standfast: ['api', 'worker'], fair: ['fair api', 'fair worker'], dbos: ['dbos'] };
const names = { standfast: 'Standfast', fair: 'fair floor', dbos: 'the same product on DBOS, one process' };
const wanted = { ownAndDatabase: 1.6, temporal: 1.15, sum: 1.35 };

/** @param {import('../plan.mjs').FairPlan & { temporal?: 'postgres' | 'sqlite' }} plan @param {string} dir @param {(what: string) => void} say */
export async function measureFair(plan, dir, say) {
  const layout = { apis: 1, workers: 1, temporal: plan.temporal ?? 'sqlite', storm: 1, agentPort: 0 };
  const installation = await startInstallation({ dir, ...layout }, say);
  const { agent, postgres, roles, temporal } = installation;
  const children = [];
  const begin = async (file, given, execArgv) => {
    const child = startChild(file, execArgv);
    children.push(child);
    return { child, ...(await child.ask('start', given, startMs)) };
  };
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const client = new Client({ connection });
    const where = { address: temporal.address, agentUrl: agent.url, databaseUrl: await postgres.newDatabase('fair') };
    const worker = await begin('./fair/worker.mjs', where);
    const api = await begin('./fair/api.mjs', where);
    const dbos = await beginDbos(begin, { agentUrl: agent.url, newDatabase: postgres.newDatabase }, say);
    const pidOf = (role) => roles.find((one) => one.role === role).process.pid;
    const pids = {
      api: pidOf('api'),
      worker: pidOf('worker'),
      'fair api': api.child.pid,
      'fair worker': worker.child.pid,
      ...(dbos.url === undefined ? {} : { dbos: dbos.child.pid }),
      Temporal: temporal.pid,
      agent: agent.pid,
    };
    const cpu = () => ({
      ...Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuMs(pid)])),
      database: cpuMsOfServer(postgres.pid),
    });
    const completed = (nameOf) => (threadId) => client.workflow.getHandle(nameOf(threadId)).result();
    const systems = {
      standfast: cyclesOver(
        () => installation.urls()[0],
        completed((id) => workflowIdOf('bench', id)),
      ),
      fair: cyclesOver(
        () => api.url,
        completed((id) => id),
      ),
      ...(dbos.url === undefined
        ? {}
        : {
            dbos: cyclesOver(
              () => dbos.url,
              async () => undefined,
            ),
          }),
    };
    say('warming up');
    for (const system of Object.values(systems)) await blockOf(system, { atOnce: 20, times: plan.warmUp }, cpu);
    const rounds = [];
    for (let round = 1; round <= plan.rounds; round += 1) {
      say(`${plan.times} cycles of each, ${plan.atOnce} at once, round ${round} of ${plan.rounds}`);
      // Mirrored: none is always the first.
      const order = Object.keys(systems);
      const one = {};
      for (const name of round % 2 === 1 ? order : order.toReversed())
        one[name] = await blockOf(systems[name], plan, cpu);
      rounds.push(one);
    }
    const events = {
      standfast: await eventsOf(systems.standfast, client, (id) => workflowIdOf('bench', id)),
      fair: await eventsOf(systems.fair, client, (id) => id),
    };
    // Where a cycle failed, others still wait for the ends of their workflows: closed then, it would throw in place of the reason.
    await connection.close();
    return { ...plan, rounds, events, kind: installation.kind, dbosFault: dbos.fault };
  } finally {
    for (const child of children) await child.stop();
    await installation.end();
  }
}

/** Kept where bench's peers are: outside the tree. Without its registry the row has the reason. */
async function beginDbos(begin, { agentUrl, newDatabase }, say) {
  try {
    const { dependencies } = JSON.parse(readFileSync(here('../../package.json'), 'utf8'));
    const packages = Object.fromEntries(['@a2a-js/sdk', 'fastify', 'pg'].map((name) => [name, dependencies[name]]));
    const dir = await install({ '@dbos-inc/dbos-sdk': dbosVersion, ...packages }, say);
    for (const file of ['../peers/fair-dbos.mjs', './product.mjs', '../child.mjs'])
      cpSync(here(file), join(dir, basename(file)));
    return await begin(pathToFileURL(join(dir, 'fair-dbos.mjs')).href, {
      agentUrl,
      databaseUrl: await newDatabase('dbos'),
    });
  } catch (error) {
    const [fault = ''] = String(error.message ?? error).split('\n');
    say(`no DBOS: ${fault}`);
    return { fault: fault.replaceAll('|', '/').slice(0, 160) };
  }
}

async function eventsOf(system, client, workflowIdFor) {
  const id = randomUUID();
  await system.park([id], { atOnce: 1 });
  await system.answer([id], { atOnce: 1 });
  return (await client.workflow.getHandle(workflowIdFor(id)).describe()).historyLength;
}

const figuresOf = ({ cpu }, key) => {
  const ownMs = sum(own[key].map((part) => cpu[part]));
  const temporal = key === 'dbos' ? 0 : cpu.Temporal;
  return {
    own: ownMs,
    database: cpu.database,
    temporal,
    ownAndDatabase: ownMs + cpu.database,
    sum: ownMs + cpu.database + temporal,
  };
};

export function fairReport({ rounds, events, kind, atOnce, times, dbosFault }) {
  const ratio = (figure) =>
    spread(
      rounds.map(({ standfast, fair }) => figuresOf(standfast, 'standfast')[figure] / figuresOf(fair, 'fair')[figure]),
    );
  const aim = (what, figure) => {
    const { min, median, max } = ratio(figure);
    return [
      `${what}, times the fair floor’s`,
      `≤ ${wanted[figure]}`,
      `${show(min)} – **${show(median)}** – ${show(max)}`,
      median <= wanted[figure] ? 'yes' : '**no**',
    ];
  };
  const median = (key, of) => spread(rounds.map((round) => of(round[key], key))).median;
  const row = (key) => {
    const figure = (name) => median(key, (block) => figuresOf(block, key)[name]);
    const each = own[key].map((part) => show(median(key, ({ cpu }) => cpu[part])));
    return [
      names[key],
      key === 'dbos' ? '–' : String(events[key]),
      each.length === 2 ? each.join(' + ') : each[0],
      figure('database'),
      key === 'dbos' ? '–' : figure('temporal'),
      figure('sum'),
      median(key, ({ cpu }) => cpu.agent),
      median(key, p50Of),
    ];
  };
  const head = [
    'CPU a cycle, ms',
    'events',
    'own (api + worker)',
    'database',
    'Temporal',
    'sum',
    'agent',
    'answer → completed p50 ms',
  ];
  const rows = Object.keys(own)
    .filter((key) => rounds[0][key] !== undefined)
    .map(row);
  return [
    `1 api, 1 worker, PostgreSQL, Temporal on ${kind}; ${rounds.length} rounds of ${times} cycles in turns, ${atOnce} at once; medians.`,
    table(
      ['roles apart', 'wanted', 'rounds: min – **median** – max', 'met'],
      [aim('own and database', 'ownAndDatabase'), aim('Temporal', 'temporal'), aim('sum', 'sum')],
    ),
    table(head, rows),
    ...(dbosFault === undefined ? [] : [`DBOS is left out: ${dbosFault}`]),
  ].join('\n\n');
}
