// CPU time of processes from /proc: unlike the clock it tells the same on a busy machine. Elsewhere it is not known.
import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Milliseconds of CPU a process has used so far; NaN where that cannot be read. */
export function cpuMs(/** @type {number} */ pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
  } catch {
    return Number.NaN;
  }
}

/**
 * Share of the machine that others use: busy time of all cores less that of our processes.
 * @param {number[]} pids
 */
export function watchOthers(pids) {
  const read = () => {
    try {
      const [, ...fields] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').trim().split(/\s+/);
      const ticks = fields.slice(0, 8).map(Number);
      const total = ticks.reduce((all, one) => all + one, 0);
      const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
      const ours = pids.reduce((all, pid) => all + cpuMs(pid), 0) / (1000 / ticksPerSecond);
      return { total, busy: total - idle, ours };
    } catch {
      return { total: Number.NaN, busy: Number.NaN, ours: Number.NaN };
    }
  };
  const before = read();
  return () => {
    const after = read();
    return (after.busy - before.busy - (after.ours - before.ours)) / (after.total - before.total);
  };
}
