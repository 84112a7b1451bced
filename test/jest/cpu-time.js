// The CPU time of this process and of all it has started and seen end, in seconds.
import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;

export function cpuSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name, in parentheses, may hold spaces; what follows it begins with the third field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return ticks / ticksPerSecond;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
