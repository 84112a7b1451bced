// `npm run bench -- streams`: many readers of threads on one api: what each takes, what they cost while nothing happens, how late a
// token is meanwhile, and how soon all are served again who come back in the same moment.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMs, rssMiB } from '../cpu.mjs';
import { repeat } from '../load.mjs';
import { percentile, show, table } from '../numbers.mjs';
import { standfastDelays } from '../tokens.mjs';
import { askOf, atOnce } from './calls.mjs';
import { startInstallation } from './installation.mjs';

const threads = 50;
const restMs = 10_000;
const openWithinMs = 60_000;
const tokens = { streams: 20, tokens: 240, perSecond: 20 };

/** @param {{ readers: number, temporal?: 'postgres' | 'sqlite' }} plan @param {string} dir @param {(what: string) => void} say */
export async function measureStreams(plan, dir, say) {
  const installation = await startInstallation(
    { dir, apis: 1, workers: 1, temporal: plan.temporal ?? 'sqlite', storm: 1 },
    say,
  );
  try {
    const [url] = installation.urls();
    const { pid } = installation.roles.find(({ role }) => role === 'api').process;
    const names = Array.from({ length: threads }, () => randomUUID());
    await repeat(names, { atOnce }, async (threadId) => (await askOf(() => url, 'bench')(threadId)).ms);
    await standfastDelays(`${url}/agents/bench/run`, tokens);
    const tokensAloneMs = await standfastDelays(`${url}/agents/bench/run`, tokens);
    await delay(restMs);
    const before = rssMiB(pid);
    const alone = await idleCost(pid);
    say(`${plan.readers} readers`);
    const paths = Array.from({ length: plan.readers }, (_, n) => `/agents/bench/threads/${names[n % threads]}/events`);
    const opened = await openAll(url, paths);
    await delay(restMs);
    const idle = await idleCost(pid);
    const rss = rssMiB(pid);
    say('tokens');
    const tokensAmongMs = await standfastDelays(`${url}/agents/bench/run`, tokens);
    const cut = opened.sockets.filter(({ isOver }) => isOver).length;
    say('all come back at once');
    for (const { leave } of opened.sockets) leave();
    const again = await openAll(url, paths);
    await delay(restMs);
    const rssAgain = rssMiB(pid);
    for (const { leave } of again.sockets) leave();
    const delaysMs = { alone: tokensAloneMs, amongReaders: tokensAmongMs };
    return { ...plan, before, rss, rssAgain, alone, idle, opened, again, cut, delaysMs, kind: installation.kind };
  } finally {
    await installation.end();
  }
}

/** Milliseconds of CPU a second. */
async function idleCost(pid) {
  const before = cpuMs(pid);
  await delay(restMs);
  return (cpuMs(pid) - before) / (restMs / 1000);
}

/** Opens all in one moment, and tries again what was refused, as front ends do; resolves when all have their first byte. */
async function openAll(url, paths) {
  const startedAt = performance.now();
  const again = {};
  const open = async (path) => {
    for (;;) {
      const reader = await openOne(url, path).catch((error) => ({ failed: error.code ?? error.message }));
      if (reader.failed === undefined) return Object.assign(reader, { ms: performance.now() - startedAt });
      again[reader.failed] = (again[reader.failed] ?? 0) + 1;
      if (performance.now() - startedAt > openWithinMs) throw new Error(`no place for a reader: ${reader.failed}`);
      await delay(200 + Math.random() * 300);
    }
  };
  const sockets = await Promise.all(paths.map(open));
  return { sockets, again, ms: sockets.map(({ ms }) => ms) };
}

function openOne(url, path) {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { agent: false, headers: { accept: 'text/event-stream' } }, (response) => {
      if (response.statusCode !== 200) {
        response.destroy();
        reject(new Error(String(response.statusCode)));
        return;
      }
      const one = { isOver: false, leave: () => response.destroy() };
      response.on('error', () => undefined);
      response.on('close', () => {
        one.isOver = true;
        reject(new Error('cut before its first byte'));
      });
      response.once('data', () => resolve(one));
      response.resume();
    });
    asked.on('error', reject);
    asked.end();
  });
}

export function streamsReport({ readers, before, rss, rssAgain, alone, idle, opened, again, cut, delaysMs, kind }) {
  const kiB = (more) => (more * 1024) / readers;
  const isMet = (is) => (is ? 'yes' : '**no**');
  const last = (block) => Math.max(...block.ms) / 1000;
  const delays = (where, ms) => [
    `delay of a token at ${tokens.streams} streams ${where}, p50 / p99 ms`,
    `${show(percentile(ms, 0.5))} / ${show(percentile(ms, 0.99))}`,
    'p99 ≤ 15',
    isMet(percentile(ms, 0.99) <= 15),
  ];
  const tried = ({ again: of }) =>
    Object.entries(of)
      .map(([what, count]) => `, ${what}: ${count}`)
      .join('');
  const rows = [
    [
      'memory of the api: without, with them, after all came back, MiB',
      [before, rss, rssAgain].map(show).join(' / '),
      '',
      '–',
    ],
    ['– of each reader, KiB', show(kiB(rss - before)), '', '–'],
    [
      'CPU of the api while nothing happens, ms a second: without, with them',
      `${show(alone)} / ${show(idle)}`,
      '',
      '–',
    ],
    ['first opening of all, s', `${show(last(opened))}${tried(opened)}`, '', '–'],
    [
      'all come back in one moment: all served after, s',
      `${show(last(again))}${tried(again)}`,
      '≤ 10',
      isMet(last(again) <= 10),
    ],
    ['readers cut by the api meanwhile', String(cut), '0', isMet(cut === 0)],
    delays('alone', delaysMs.alone),
    delays('next to them', delaysMs.amongReaders),
  ];
  const layout = `1 api, 1 worker, PostgreSQL, Temporal on ${kind}; ${readers} readers of ${threads} threads.`;
  return [layout, table(['streams', 'measured', 'wanted', 'met'], rows)].join('\n\n');
}
