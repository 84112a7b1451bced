import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { errnoCode } from './errno.ts';
import { sleep } from './sleep.ts';

const run = promisify(execFile);

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

const ps = async (pid: number, column: string): Promise<string | null> => {
  try {
    const { stdout } = await run('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { timeout: 3000 });
    return stdout.trim() === '' ? null : stdout.trim();
  } catch {
    return null;
  }
};

/**
 * When the process with this pid started, as an opaque text; null when there is none. A pid alone is not enough: it is
 * given out again, after a reboot in the very same order (hence the boot id).
 */
export async function processStart(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The command name, in parentheses, may hold spaces and parentheses; the fields are counted from after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTicks] = [fields[0], fields[19]];
  // A zombie or dead process holds nothing any more.
  if (state === 'Z' || state === 'X' || startTicks === undefined) return null;
  return `${readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}:${startTicks}`;
}

/** The command line of a process, words joined by spaces; null when there is none. */
export async function commandLine(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return ps(pid, 'args');
  const text = readText(`/proc/${pid}/cmdline`);
  return text === null || text === '' ? null : text.split('\0').join(' ').trim();
}

/** Returns the pids of all processes whose command line matches. */
export async function findProcesses(fits: (command: string) => boolean): Promise<number[]> {
  let pids: number[];
  if (process.platform === 'linux') {
    pids = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } else {
    const { stdout } = await run('ps', ['-axo', 'pid='], { timeout: 3000, maxBuffer: 8 * 1024 * 1024 });
    pids = stdout
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0);
  }
  const commands = await Promise.all(pids.map((pid) => commandLine(pid)));
  return pids.filter((_, index) => fits(commands[index] ?? ''));
}

/** Waits until this process has ended; false if it still runs after `withinMs`. */
export async function isGoneWithin(pid: number, start: string, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while ((await processStart(pid)) === start) {
    if (performance.now() >= until) return false;
    await sleep(20);
  }
  return true;
}

/** Ends this process with SIGTERM, after `retryForMs` with SIGKILL; no-op if the pid belongs to another process. */
export async function endProcess(pid: number, start: string, retryForMs: number): Promise<void> {
  const send = async (signal: NodeJS.Signals): Promise<void> => {
    if ((await processStart(pid)) !== start) return;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errnoCode(error) !== 'ESRCH') throw error;
    }
  };
  await send('SIGTERM');
  // A stopped process does not handle SIGTERM.
  await send('SIGCONT');
  if (await isGoneWithin(pid, start, retryForMs)) return;
  await send('SIGKILL');
  if (!(await isGoneWithin(pid, start, 5000))) throw new Error(`process ${pid} does not end, not even by SIGKILL`);
}
