// `npm run bench -- scale`: what happens to times, memory, connections and bytes as parked tasks grow, and then under 200 answers at
// once, a storm of deadlines, a cold restart and a rolling one. Each result is written down at once: a run that is ended goes on
// where it was.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { repeat, times } from '../load.mjs';
import { percentile } from '../numbers.mjs';
import { answerOf, askOf, atOnce, createCalls } from './calls.mjs';
import { startInstallation } from './installation.mjs';
import { stormOfDeadlines } from './storm.mjs';

/** What was only needed to get here has been collected by then. */
const restMs = 10_000;
const answersAStep = 100;
const listTimes = 20;

/** @typedef {{ parked: number, step: number, storm: number, apis: number, workers: number, temporal?: 'postgres' | 'sqlite', workflowCache?: number, minutes: number, only?: string }} ScalePlan */

const events = { coldRestart, decidedAtOnce, stormOfDeadlines, rollingRestart };
/** What `--only` names. */
export const eventNames = Object.keys(events);

/** @param {ScalePlan} plan @param {string} dir @param {(what: string) => void} say */
export async function measureScale(plan, dir, say) {
  const startedAt = performance.now();
  const file = join(dir, 'scale.json');
  const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { asked: 0, rows: [], events: {} };
  const save = () => {
    writeFileSync(`${file}.new`, JSON.stringify(state, null, 1));
    renameSync(`${file}.new`, file);
  };
  const installation = await startInstallation({ dir, ...plan }, say);
  Object.assign(state, { apis: plan.apis, workers: plan.workers, temporal: installation.kind });
  const calls = createCalls(installation.urls);
  const parts = { installation, calls, state, say, plan };
  try {
    if (state.rows.length === 0) state.rows.push(await look(parts, {}));
    save();
    const isInTime = () => performance.now() - startedAt < plan.minutes * 60_000;
    while (state.rows.at(-1).parked < plan.parked && isInTime()) {
      state.rows.push(await parkStep(parts, save));
      save();
    }
    const isParked = state.rows.at(-1).parked >= plan.parked;
    const wanted = eventNames.filter((name) => plan.only === undefined || name === plan.only);
    for (const name of wanted) {
      if (state.events[name] !== undefined || !isParked || !isInTime()) continue;
      say(name);
      state.events[name] = await events[name](parts);
      save();
    }
    state.counts = { ...state.counts };
    for (const [what, count] of Object.entries(calls.counts)) state.counts[what] = (state.counts[what] ?? 0) + count;
    state.isWhole = isParked && wanted.every((name) => state.events[name] !== undefined);
    save();
    return state;
  } finally {
    await installation.end();
  }
}

async function parkStep({ installation, calls, state, plan, say }, save) {
  const interrupts = new Map();
  const ask = askOf(calls.next, 'bench');
  const park = async (threadId) => {
    const { ms, interruptId } = await ask(threadId);
    interrupts.set(threadId, interruptId);
    return ms;
  };
  const count = Math.min(plan.step, plan.parked - state.rows.at(-1).parked);
  const names = Array.from({ length: count + answersAStep }, (_, n) => `t-${state.asked + n}`);
  // Written down first: threads of a step that was cut short are not asked again, and count as parked.
  state.asked += names.length;
  save();
  const starts = await repeat(names, { atOnce }, park);
  const give = answerOf(calls.next, 'bench');
  const answered = names.filter((_, n) => n % Math.ceil(names.length / answersAStep) === 0);
  const answers = await repeat(answered, { atOnce }, (threadId) => give(threadId, interrupts.get(threadId)));
  const lists = await repeat(Array(listTimes).fill(''), { atOnce: 1 }, async () => {
    const startedAt = performance.now();
    await calls.call('/api/holds?limit=50');
    return performance.now() - startedAt;
  });
  const row = await look({ installation }, { starts, answers, lists });
  say(`${row.parked} parked: ${row.startsPerSecond?.toFixed(1)} starts/s, ${JSON.stringify(row.memory)}`);
  return row;
}

/**
 * The state of everything, after a rest.
 * @param {{ installation: any }} parts
 * @param {{ starts?: any, answers?: any, lists?: any }} did
 */
async function look({ installation }, { starts, answers, lists }) {
  await delay(restMs);
  const { database } = installation;
  const one = async (sql) => Number((await database.query(sql)).rows[0].value);
  const sizes = await database.query('select datname, pg_database_size(datname)::float8 as bytes from pg_database');
  const sizeOf = (name) => sizes.rows.find(({ datname }) => datname === name)?.bytes ?? null;
  return {
    parked: await one(`select count(*) as value from holds where status = 'open'`),
    tasks: await one('select count(*) as value from tasks'),
    startsPerSecond: starts ? starts.done.length / starts.seconds : null,
    answersPerSecond: answers ? answers.done.length / answers.seconds : null,
    start: starts ? times(starts) : null,
    answer: answers ? times(answers) : null,
    list: lists ? times(lists) : null,
    memory: installation.memory(),
    connections: await one(`select count(*) as value from pg_stat_activity where datname = 'standfast'`),
    bytes: { standfast: sizeOf('standfast'), temporal: sizeOf('temporal'), visibility: sizeOf('temporal_visibility') },
  };
}

const openIds = async ({ database }, count) =>
  (
    await database.query(
      `select hold_id from holds where status = 'open' and agent = 'bench' order by opened_at limit $1`,
      [count],
    )
  ).rows.map(({ hold_id: id }) => id);

async function decideAll({ installation, calls }, ids, lanes) {
  const block = await repeat(ids, { atOnce: lanes }, async (id) => {
    const startedAt = performance.now();
    await calls.call(`/api/holds/${encodeURIComponent(id)}/decision`, {
      status: 'resolved',
      values: { colour: 'green' },
    });
    return performance.now() - startedAt;
  });
  const decidedAt = performance.now();
  const open = async () =>
    Number(
      (
        await installation.database.query(
          `select count(*) as value from tasks join holds using (task_id)
            where holds.hold_id = any($1) and tasks.status <> 'DONE'`,
          [ids],
        )
      ).rows[0].value,
    );
  const limit = decidedAt + 120_000;
  let left;
  while ((left = await open()) > 0 && performance.now() < limit) await delay(50);
  const tailMs = performance.now() - decidedAt;
  return { ...times(block), count: ids.length, seconds: block.seconds + tailMs / 1000, lost: left };
}

async function decidedAtOnce(parts) {
  return decideAll(parts, await openIds(parts.installation, 200), 200);
}

async function coldRestart(parts) {
  const { installation, calls } = parts;
  const before = installation.memory();
  const readyMs = await installation.restartAll();
  const startedAt = performance.now();
  await calls.call('/api/holds?limit=50');
  const firstListMs = performance.now() - startedAt;
  const ids = await openIds(installation, 101);
  const first = await decideAll(parts, ids.slice(0, 1), 1);
  const cold = await decideAll(parts, ids.slice(1), 16);
  return {
    readyMs,
    firstListMs,
    firstAnswerMs: first.p50,
    cold,
    lost: first.lost + cold.lost,
    memory: { before, after: installation.memory() },
  };
}

/** Each role stopped and started, one after the other, while tasks start and are decided. */
async function rollingRestart({ installation, calls }) {
  const counted = { ...calls.counts };
  const run = Date.now().toString(36);
  let isOver = false;
  let n = 0;
  const asked = [];
  const decided = [];
  const askers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const threadId = `r-${run}-${(n += 1)}`;
      asked.push(threadId);
      for (let tries = 1; ; tries += 1) {
        try {
          await askOf(calls.next, 'bench')(threadId);
          break;
        } catch (error) {
          // A connection that ends with its api; the same run again reads it.
          calls.note('run cut');
          if (tries === 20) throw error;
          await delay(500);
        }
      }
    }
  });
  const decider = (async () => {
    const ids = await openIds(installation, 2_000);
    while (!isOver && ids.length > 0) {
      const id = ids.shift();
      await calls.call(`/api/holds/${encodeURIComponent(id)}/decision`, {
        status: 'resolved',
        values: { colour: 'green' },
      });
      decided.push(id);
    }
  })();
  const readyMs = [];
  for (const one of installation.roles) {
    readyMs.push(await installation.restart(one));
    await delay(2_000);
  }
  isOver = true;
  await Promise.all([...askers, decider]);
  const { database } = installation;
  const unended = async () =>
    Number(
      (
        await database.query(
          `select count(*) as value from tasks join holds using (task_id)
            where hold_id = any($1) and tasks.status <> 'DONE'`,
          [decided],
        )
      ).rows[0].value,
    );
  const limit = performance.now() + 60_000;
  let left;
  while ((left = await unended()) > 0 && performance.now() < limit) await delay(200);
  const there = await database.query(
    `select count(distinct thread_id) as value from holds where agent = 'bench' and thread_id = any($1)`,
    [asked],
  );
  const answers = {};
  for (const [what, count] of Object.entries(calls.counts)) {
    const more = count - (counted[what] ?? 0);
    if (more > 0) answers[what] = more;
  }
  return {
    started: asked.length,
    decided: decided.length,
    lost: left + asked.length - Number(there.rows[0].value),
    readyMs: percentile(readyMs, 0.5),
    answers,
  };
}
