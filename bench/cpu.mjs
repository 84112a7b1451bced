// CPU time of processes from /proc: unlike the clock it tells the same on a busy machine. Elsewhere it is not known.
import { readdirSync, readFileSync } from 'node:fs';
import { sum } from './numbers.mjs';

const ticksPerSecond = 100;

/** What the kernel counts of a process, from its state on; nothing where that cannot be read. */
function statsOf(/** @type {number | string} */ pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return [];
  }
}

/** Milliseconds of CPU a process has used so far; NaN where that cannot be read. */
export function cpuMs(/** @type {number | string} */ pid) {
  const [user = Number.NaN, system = Number.NaN] = statsOf(pid).slice(11, 13);
  return ((user + system) / ticksPerSecond) * 1000;
}

/** The same of a server that has a process for each connection, those included that ended meanwhile. */
export function cpuMsOfServer(/** @type {number} */ pid) {
  const all = statsOf(pid).slice(11, 15);
  if (all.length === 0) return Number.NaN;
  for (const name of readdirSync('/proc')) {
    const stats = /^\d+$/.test(name) ? statsOf(name) : [];
    if (stats[1] === pid) all.push(...stats.slice(11, 13));
  }
  return (sum(all) / ticksPerSecond) * 1000;
}

/**
 * The same by thread, added up by name: V8's helpers, the engine's core and the main thread can be distinguished.
 * @param {number} pid
 * @returns {Record<string, number>}
 */
export function cpuMsOfThreads(pid) {
  const byName = {};
  let ids;
  try {
    ids = readdirSync(`/proc/${pid}/task`);
  } catch {
    return byName;
  }
  for (const id of ids) {
    const name = id === String(pid) ? 'main' : threadName(pid, id);
    byName[name] = (byName[name] ?? 0) + cpuMs(`${pid}/task/${id}`);
  }
  return byName;
}

/** Node gives its threads few names: what is not V8's or libuv's is the engine's core, or an isolate of its own. */
function threadName(pid, id) {
  try {
    const name = readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim();
    if (/tokio|temporal/i.test(name)) return 'engine core';
    return name === 'node' || name === 'MainThread' ? 'V8, workflow thread and others' : name;
  } catch {
    return 'ended';
  }
}

/** Resident memory of a process in MiB; NaN where that cannot be read. */
export function rssMiB(/** @type {number} */ pid) {
  try {
    const [, kiB] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kiB) / 1024;
  } catch {
    return Number.NaN;
  }
}

/**
 * Share of the machine that others use: busy time of all cores less that of the processes measured.
 * @param {number[]} pids
 */
export function watchOthers(pids) {
  const read = () => {
    try {
      const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').trim().split(/\s+/);
      const ticks = fields.slice(0, 8).map(Number);
      const total = ticks.reduce((all, one) => all + one, 0);
      const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
      const own = pids.reduce((all, pid) => all + cpuMs(pid), 0) / (1000 / ticksPerSecond);
      return { total, busy: total - idle, own };
    } catch {
      return { total: Number.NaN, busy: Number.NaN, own: Number.NaN };
    }
  };
  const before = read();
  return () => {
    const after = read();
    return (after.busy - before.busy - (after.own - before.own)) / (after.total - before.total);
  };
}
