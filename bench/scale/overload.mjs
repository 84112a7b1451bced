// `npm run bench -- overload`: for a while four times as many starts as one worker can take, and answers of people meanwhile. What
// is accepted must be there in the end, what is not must be refused at once with Retry-After, and answers must not wait.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { repeat, times } from '../load.mjs';
import { show, table } from '../numbers.mjs';
import { askOf, atOnce, createCalls } from './calls.mjs';
import { startInstallation } from './installation.mjs';

const tooMuch = 4;
/** Starts whose rate is taken for what one worker can do. */
const warmUp = 60;
const answersEveryMs = 500;
const timeoutMs = 120_000;

/** @param {{ seconds: number, temporal?: 'postgres' | 'sqlite' }} plan @param {string} dir @param {(what: string) => void} say */
export async function measureOverload(plan, dir, say) {
  const installation = await startInstallation(
    { dir, apis: 1, workers: 1, temporal: plan.temporal ?? 'sqlite', storm: 1 },
    say,
  );
  try {
    const calls = createCalls(installation.urls);
    const names = (count) => Array.from({ length: count }, () => randomUUID());
    await repeat(names(warmUp / 2), { atOnce }, async (threadId) => (await askOf(calls.next, 'bench')(threadId)).ms);
    const known = names(warmUp);
    const warm = await repeat(known, { atOnce }, async (threadId) => (await askOf(calls.next, 'bench')(threadId)).ms);
    const rate = warm.done.length / warm.seconds;
    say(`${rate.toFixed(1)} starts a second; now ${(tooMuch * rate).toFixed(1)} for ${plan.seconds} s`);
    const before = installation.memory();
    const parked = [...known];
    const starts = { accepted: [], refused: [], refusedMs: [], without: 0, other: {} };
    const answers = { latenciesMs: [], notTaken: {} };
    const startedAt = performance.now();
    const isOver = () => performance.now() - startedAt > plan.seconds * 1000;
    const answering = answerAll({ installation, calls, parked, isOver, answers });
    const under = [];
    for (let n = 0; !isOver(); n += 1) {
      under.push(offer(calls.next(), randomUUID(), parked, starts));
      await delay(Math.max(0, startedAt + ((n + 1) * 1000) / (tooMuch * rate) - performance.now()));
    }
    await answering;
    const memory = installation.memory();
    await Promise.all(under);
    return {
      rate,
      seconds: plan.seconds,
      starts,
      answers,
      before,
      memory,
      kind: installation.kind,
      lost: await missing(installation.database, starts.accepted),
      keptThoughRefused: await kept(installation.database, starts.refused),
    };
  } finally {
    await installation.end();
  }
}

/** One start, not tried again: accepted is what was answered by 200. */
async function offer(url, threadId, parked, starts) {
  const startedAt = performance.now();
  try {
    const response = await fetch(`${url}/agents/bench/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({
        threadId,
        runId: 'ask',
        protocolVersion: '1.0',
        state: {},
        tools: [],
        context: [],
        forwardedProps: {},
        messages: [{ id: 'm', role: 'user', content: 'ask' }],
      }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const ms = performance.now() - startedAt;
    if (response.ok) starts.accepted.push(threadId);
    else if (response.status === 429 || response.status === 503) {
      starts.refused.push(threadId);
      starts.refusedMs.push(ms);
      if (response.headers.get('retry-after') === null) starts.without += 1;
    } else starts.other[response.status] = (starts.other[response.status] ?? 0) + 1;
    const text = await response.text();
    if (text.includes('"type":"interrupt"')) parked.push(threadId);
  } catch (error) {
    const what = error.cause?.code ?? error.name;
    starts.other[what] = (starts.other[what] ?? 0) + 1;
  }
}

/** People who answer what is parked, two a second, as long as it lasts. */
async function answerAll({ installation, calls, parked, isOver, answers }) {
  const all = [];
  while (!isOver()) {
    const threadId = parked.shift();
    if (threadId !== undefined) all.push(answerOne({ installation, calls, answers }, threadId));
    await delay(answersEveryMs);
  }
  await Promise.all(all);
}

async function answerOne({ installation, calls, answers }, threadId) {
  const { rows } = await installation.database.query('select hold_id from holds where thread_id = $1', [threadId]);
  const startedAt = performance.now();
  const response = await fetch(`${calls.next()}/api/holds/${encodeURIComponent(rows[0].hold_id)}/decision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ status: 'resolved', values: { colour: 'green' } }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.text();
  if (response.ok) answers.latenciesMs.push(performance.now() - startedAt);
  else answers.notTaken[response.status] = (answers.notTaken[response.status] ?? 0) + 1;
}

/** Accepted starts without a question, once all had time. */
async function missing(database, threads) {
  for (const limit = performance.now() + timeoutMs; ;) {
    const { rows } = await database.query(
      `select count(distinct thread_id)::int as there from holds where thread_id = any($1)`,
      [threads],
    );
    const left = threads.length - rows[0].there;
    if (left === 0 || performance.now() > limit) return left;
    await delay(500);
  }
}

const kept = async (database, threads) =>
  (await database.query(`select count(*)::int as there from intake where thread_id = any($1)`, [threads])).rows[0]
    .there;

export function overloadReport({ rate, seconds, starts, answers, before, memory, lost, keptThoughRefused, kind }) {
  const ms = (block) => `p50 ${show(times(block).p50)}, p99 ${show(times(block).p99)} ms`;
  const counts = (of) =>
    Object.entries(of)
      .map(([what, count]) => `${what}: ${count}`)
      .join(', ') || 'none';
  const answered = times(answers).p99;
  const isMet = (is) => (is ? 'yes' : '**no**');
  const offered = starts.accepted.length + starts.refused.length;
  const rows = [
    ['starts offered a second', `${show(offered / seconds)} (${show(rate)} can be taken)`, `${tooMuch} times`, '–'],
    ['accepted, a second', show(starts.accepted.length / seconds), '', '–'],
    ['accepted, and without a question in the end', String(lost), '0', isMet(lost === 0)],
    ['refused by 429 or 503', `${starts.refused.length}, ${ms({ latenciesMs: starts.refusedMs })}`, '', '–'],
    ['– without Retry-After', String(starts.without), '0', isMet(starts.without === 0)],
    ['– and kept all the same', String(keptThoughRefused), '0', isMet(keptThoughRefused === 0)],
    ['any other failure of a start', counts(starts.other), 'none', isMet(Object.keys(starts.other).length === 0)],
    [`${answers.latenciesMs.length} answers meanwhile`, ms(answers), 'p99 ≤ 2 s', isMet(answered <= 2_000)],
    ['answers not taken', counts(answers.notTaken), 'none', isMet(Object.keys(answers.notTaken).length === 0)],
    ...Object.entries(memory).map(([name, mib]) => [`MiB of ${name}`, `${show(before[name])} → ${show(mib)}`, '', '–']),
  ];
  const layout = `1 api, 1 worker, PostgreSQL, Temporal on ${kind}; ${seconds} s.`;
  return [layout, table(['overload', 'measured', 'wanted', 'met'], rows)].join('\n\n');
}
