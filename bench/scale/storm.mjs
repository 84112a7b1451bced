// Deadlines of many questions within one minute: how late people see each of them end, whether one is lost, and what else the apis
// answer meanwhile. A deadline is what the policy gives at the opening: so there are policies of many lengths, and each
// question gets the one that ends when its turn comes.
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs, cpuMsOfServer } from '../cpu.mjs';
import { repeat, times } from '../load.mjs';
import { percentile } from '../numbers.mjs';
import { askOf, atOnce } from './calls.mjs';

const stormMs = 60_000;
const lengths = 48;
const leastS = 15;
/** Starts a second that any machine manages, and what is taken for granted before a rate was seen. */
const [slowest, assumed] = [4, 8];
const pollMs = 250;
/** How long after the last deadline all must be over. */
const timeoutMs = 300_000;

/** Seconds that the policies of a storm of so many give; the agents and policies are named after them. */
export function stormLengths(count) {
  const stepS = Math.max(1, Math.ceil(count / slowest / lengths));
  return Array.from({ length: lengths }, (_, n) => leastS + n * stepS);
}

/** @param {number[]} seconds @param {number} forMs */
const nearest = (seconds, forMs) =>
  seconds.toSorted((a, b) => Math.abs(a * 1000 - forMs) - Math.abs(b * 1000 - forMs))[0];

export async function stormOfDeadlines({ installation, calls, state, plan, say }) {
  const { database } = installation;
  const seconds = stormLengths(plan.storm);
  const run = Date.now().toString(36);
  // Of this run alone: one that was cut short has left questions that were due meanwhile.
  const names = Array.from({ length: plan.storm }, (_, n) => `s-${run}-${n}`);
  const rate = Math.max(slowest, (state.rows.at(-1).startsPerSecond ?? assumed) * 0.9);
  const beginsAt = Date.now() + (names.length / rate + leastS) * 1000;
  let begun = 0;
  const starts = await repeat(names, { atOnce }, async (threadId) => {
    const wanted = beginsAt + (stormMs * begun) / names.length;
    begun += 1;
    return (await askOf(calls.next, `storm-${nearest(seconds, wanted - Date.now())}`)(threadId)).ms;
  });
  const early = beginsAt - Date.now();
  say(
    `${names.length} parked at ${(names.length / starts.seconds).toFixed(1)} a second; deadlines begin in ${(early / 1000).toFixed(0)} s`,
  );
  const before = { ...calls.counts };
  const reader = readList(calls);
  const asker = askAfter(calls, database, names);
  const usedBefore = cpuOf(installation);
  const { seenAt, due, left } = await watchEnds(database, names);
  const cpu = Object.entries(cpuOf(installation)).map(([part, ms]) => [part, (ms - usedBefore[part]) / due.size]);
  const lists = await reader.stop();
  const shown = await asker.stop();
  const late = [...seenAt].map(([id, at]) => at - due.get(id));
  const { rows } = await database.query(
    `select count(*)::int as failed from tasks where thread_id = any($1) and status = 'FAILED'`,
    [names],
  );
  const ends = [...due.values()];
  return {
    count: due.size,
    withinS: (Math.max(...ends) - Math.min(...ends)) / 1000,
    p50: percentile(late, 0.5),
    p99: percentile(late, 0.99),
    max: Math.max(...late),
    start: times(starts),
    startsPerSecond: names.length / starts.seconds,
    lists: times(lists),
    shown,
    cpu: Object.fromEntries(cpu),
    answers: Object.fromEntries(Object.entries(calls.counts).map(([what, n]) => [what, n - (before[what] ?? 0)])),
    lost: left + names.length - rows[0].failed,
    wereReady: early > 0,
  };
}

/** Milliseconds of CPU so far, by part. */
const cpuOf = ({ roles, temporal, agent, postgres }) => {
  const all = (wanted) =>
    roles.filter(({ role }) => role === wanted).reduce((total, one) => total + cpuMs(one.process.pid), 0);
  return {
    worker: all('worker'),
    api: all('api'),
    database: cpuMsOfServer(postgres.pid),
    Temporal: cpuMs(temporal.pid),
    agent: cpuMs(agent.pid),
  };
};

/**
 * A person or a program that opens questions whose time has just come, by the rows still open: how often the api showed one as
 * one that can be answered, and how late at most.
 */
function askAfter(calls, database, names) {
  const shown = { asked: 0, open: 0, lateMs: 0 };
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const { rows } = await database.query(
        `select hold_id as id, expires_at as due from holds
          where thread_id = any($1) and status = 'open' and expires_at <= now() order by random() limit 1`,
        [names],
      );
      for (const { id, due } of rows) {
        const askedAt = Date.now();
        const hold = await calls.call(`/api/holds/${encodeURIComponent(id)}`);
        shown.asked += 1;
        if (hold.status !== 'open' && hold.mayDecide !== true) continue;
        shown.open += 1;
        shown.lateMs = Math.max(shown.lateMs, askedAt - due.getTime());
      }
      await delay(rows.length === 0 ? 20 : 100);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await asking;
      return shown;
    },
  };
}

/** A person who reads the list all the while. */
function readList(calls) {
  const latenciesMs = [];
  let isOver = false;
  const reading = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await calls.call('/api/holds?limit=50');
      latenciesMs.push(performance.now() - startedAt);
      await delay(pollMs);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await reading;
      return { latenciesMs };
    },
  };
}

/** When each question was first seen closed in the database, which is where pages read it. */
async function watchEnds(database, names) {
  const seenAt = new Map();
  const due = new Map();
  for (;;) {
    const { rows } = await database.query(
      `select hold_id as id, status, expires_at as due from holds where thread_id = any($1)`,
      [names],
    );
    const now = Date.now();
    for (const row of rows) {
      due.set(row.id, row.due.getTime());
      if (row.status !== 'open' && !seenAt.has(row.id)) seenAt.set(row.id, now);
    }
    const left = rows.length - seenAt.size;
    if (left === 0 || now > Math.max(...due.values()) + timeoutMs) return { seenAt, due, left };
    await delay(pollMs);
  }
}
