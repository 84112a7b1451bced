// Starts, watches and kills real processes. All of them carry a mark in their environment, so that none outlives the
// test: `end()` kills every process that has it, and a small reaper does the same when the test process itself dies.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markedPids, markName } from './marked-pids.js';
import { leastBoundMs, waitAtMost, waitFor } from '../wait-for.ts';

const outputLimit = 256 * 1024;

export interface ProcessSpec {
  /** For messages: `worker`, `fake agent`. */
  name: string;
  command: string;
  args: string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface RigProcess {
  name: string;
  pid: number;
  /** stdout and stderr as they came, the last 256 KiB. */
  output(): string;
  isRunning(): boolean;
  exited: Promise<Exit>;
  /** First line (also one that was printed already) that matches. */
  waitForLine(pattern: RegExp, boundMs: number): Promise<RegExpMatchArray>;
  /** SIGKILL to this process alone, and waits until it is gone. */
  kill9(): Promise<void>;
  /** Asks it to stop; SIGKILL after the bound. Returns how it ended. */
  stop(boundMs?: number, signal?: NodeJS.Signals): Promise<Exit>;
}

export interface Supervisor {
  start(spec: ProcessSpec): RigProcess;
  /** A port that was free a moment ago and was not given out by this supervisor before. */
  freePort(): Promise<number>;
  /** A fresh directory, removed by `end()`. */
  tempDir(name?: string): Promise<string>;
  /** Runs first at `end()`, while all that was started still runs; what it throws fails the test file. */
  checkLast(check: () => Promise<unknown>): void;
  /** Runs at `end()`, last one first. */
  defer(undo: () => Promise<unknown>): void;
  /** Pids of all that runs: what was started, and what that started itself. */
  pids(): number[];
  /** kill -9 of everything at once; returns the pids. */
  killAll9(): Promise<number[]>;
  end(): Promise<void>;
}

export function createSupervisor(): Supervisor {
  const mark = randomUUID();
  const processes: RigProcess[] = [];
  const undos: (() => Promise<unknown>)[] = [];
  const lastChecks: (() => Promise<unknown>)[] = [];
  const ports = new Set<number>();
  let reaper: ChildProcess | null = null;

  const pids = (): number[] => {
    const started = processes.filter((entry) => entry.isRunning()).map((entry) => entry.pid);
    return [...new Set([...started, ...markedPids(mark)])];
  };
  const killAll9 = async (): Promise<number[]> => {
    const killed = new Set<number>();
    // Each time, since what was just being started comes after the first.
    const areOver = (): boolean => {
      const left = pids();
      for (const pid of left) {
        killed.add(pid);
        signalQuietly(pid, 'SIGKILL');
      }
      return left.length === 0;
    };
    await waitFor(areOver, 5_000, 'the end of all processes');
    return [...killed];
  };

  return {
    start(spec) {
      reaper ??= startReaper(mark);
      const started = startProcess({ ...spec, env: { ...process.env, ...spec.env, [markName]: mark } });
      processes.push(started);
      return started;
    },
    async freePort() {
      for (;;) {
        const port = await anyFreePort();
        if (ports.has(port)) continue;
        ports.add(port);
        return port;
      }
    },
    async tempDir(name = 'rig') {
      const dir = await mkdtemp(join(tmpdir(), `standfast-${name}-`));
      undos.push(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
      return dir;
    },
    checkLast: (check) => void lastChecks.push(check),
    defer: (undo) => void undos.push(undo),
    pids,
    killAll9,
    async end() {
      const errors: unknown[] = [];
      const attempt = (step: () => Promise<unknown>): Promise<unknown> => step().catch((error) => errors.push(error));
      for (const check of lastChecks.splice(0)) await attempt(check);
      await attempt(killAll9);
      for (const undo of undos.splice(0).toReversed()) await attempt(undo);
      reaper?.stdin?.end();
      if (errors.length > 0) throw new AggregateError(errors, 'the rig did not end cleanly');
    },
  };
}

function startProcess(spec: ProcessSpec): RigProcess {
  // A group of its own: Ctrl-C on the test run does not reach it before the test's own clean-up does.
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-outputLimit);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let exit: Exit | null = null;
  const exited = new Promise<Exit>((resolve) => {
    const ended = (code: number | null, signal: NodeJS.Signals | null): void => resolve((exit ??= { code, signal }));
    child.once('exit', ended);
    child.once('error', (error) => {
      output += `\n${error.message}`;
      ended(null, null);
    });
  });
  const pid = child.pid ?? -1;
  const tail = (): string => `\n--- last output of ${spec.name} (pid ${pid}) ---\n${output.slice(-4_000)}`;
  const signalAndWait = async (signal: NodeJS.Signals, boundMs: number): Promise<Exit> => {
    if (!exit) signalQuietly(pid, signal);
    return waitAtMost(() => exit ?? undefined, boundMs, `the end of ${spec.name} after ${signal}`, tail);
  };

  return {
    name: spec.name,
    pid,
    output: () => output,
    isRunning: () => exit === null,
    exited,
    async waitForLine(pattern, boundMs) {
      const found = await waitFor(
        () => {
          const match = lineMatching(output, pattern);
          return match ?? (exit ? ('ended' as const) : undefined);
        },
        boundMs,
        `a line of ${spec.name} like ${pattern}`,
        tail,
      );
      if (found === 'ended') throw new Error(`${spec.name} ended before a line like ${pattern} came${tail()}`);
      return found;
    },
    async kill9() {
      await signalAndWait('SIGKILL', leastBoundMs);
    },
    async stop(boundMs = 10_000, signal = 'SIGTERM') {
      try {
        return await signalAndWait(signal, boundMs);
      } catch {
        return signalAndWait('SIGKILL', leastBoundMs);
      }
    },
  };
}

function lineMatching(output: string, pattern: RegExp): RegExpMatchArray | null {
  for (const line of output.split('\n')) {
    const match = line.match(pattern);
    if (match) return match;
  }
  return null;
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  if (pid <= 1) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already, which is what was wanted.
  }
}

function startReaper(mark: string): ChildProcess {
  const path = fileURLToPath(new URL('./reaper.js', import.meta.url));
  const reaper = spawn(process.execPath, [path, mark], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  reaper.unref();
  return reaper;
}

// Below the range from which systems take the ports of outgoing connections (32768 on Linux, 49152 elsewhere): there, a port
// that was free a moment ago is soon somebody's. Each worker of jest has its own, so that no two choose one that neither
// listens at yet.
const portsOfWorker = 2_000;
const firstPort = 15_000 + (Number(process.env['JEST_WORKER_ID'] ?? 0) % 8) * portsOfWorker;

async function anyFreePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * portsOfWorker);
    const server = createServer();
    server.listen(port, '127.0.0.1');
    const isListening = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isListening) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
