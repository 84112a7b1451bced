import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { dirname, resolve, join } from 'node:path';
import { choosePort, isPortFree } from '../net/free-port.ts';
import { endProcess, isGoneWithin, processStart, commandLine, findProcesses } from '../process/process-identity.ts';
import { searchAttributes } from './search-attributes.ts';
import { defaultNamespace, localTarget, withConnection, type TemporalTarget } from './temporal-connection.ts';
import { sleep } from '../process/sleep.ts';
import { z } from 'zod';

const host = '127.0.0.1';
const defaultPort = 7233;
const defaultUiPort = 8233;
const healthWithinMs = 3000;
const startWithinMs = 30_000;
const maxLogBytes = 5_000_000;

/**
 * One history shard is polled at most 20 times a second by default, which is felt as 90 ms a step; with these a step
 * takes 20. The new matcher is what makes task priorities count.
 */
export const dynamicConfig = {
  'history.transferProcessorMaxPollRPS': '1000',
  'history.timerProcessorMaxPollRPS': '1000',
  'history.visibilityProcessorMaxPollRPS': '200',
  'system.enableActivityEagerExecution': 'true',
  'matching.useNewMatcher': 'true',
  // Of the same priority, agents take turns.
  'matching.enableFairness': 'true',
  // Priorities hold within one partition only: with the default of four an answer may wait behind new work.
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
};

interface EmbeddedTemporalOptions {
  cliPath: string;
  dataDir: string;
  /** Asked for explicitly: this one or fail. Else the last one, 7233 (UI 8233), or a free one; 0: not 7233. */
  port?: number | undefined;
  uiPort?: number | undefined;
  onProgress?: (message: string) => void;
  /** Where the server's own output goes. */
  logFile: string;
}

export interface EmbeddedTemporal {
  target: TemporalTarget;
  port: number;
  uiPort: number;
  uiUrl: string;
  pid: number;
  /** True when the server of an earlier process (killed, so not stopped) was found healthy and taken over. */
  isReused: boolean;
  /** Resolves with the reason when the server ends without `stop`; never, when it is stopped. */
  ended: Promise<string>;
  /** Ends the server: asked first, forced after 2 s, which loses nothing either. */
  stop(): Promise<void>;
}

/** The embedded server cannot be had; the message carries its last words. */
class TemporalServerError extends Error {
  override name = 'TemporalServerError';
}

const flags = (name: string, values: object): string[] =>
  Object.entries(values).flatMap(([key, value]) => [name, `${key}=${String(value)}`]);

function argsOf(dbFile: string, port: number, uiPort: number): string[] {
  const where = ['--ip', host, '--port', String(port), '--ui-port', String(uiPort), '--db-filename', dbFile];
  // A power cut may cost the last moments, a killed process nothing; ten times the speed of the defaults.
  const pragmas = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'];
  const settings = [
    ...flags('--dynamic-config-value', dynamicConfig),
    ...flags('--search-attribute', searchAttributes),
  ];
  return ['server', 'start-dev', '--headless=false', ...where, ...pragmas, ...settings];
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect({ port, host });
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      done(answer);
    };
    socket.once('connect', end(true)).once('error', end(false)).setTimeout(1000, end(false));
  });

async function isHealthy(port: number, withinMs: number): Promise<boolean> {
  if (!(await isListening(port))) return false;
  try {
    await withConnection(localTarget(`${host}:${port}`), withinMs, async ({ workflowService }) => {
      await workflowService.getSystemInfo({});
      await workflowService.describeNamespace({ namespace: defaultNamespace });
    });
    return true;
  } catch {
    return false;
  }
}

function openLog(logFile: string): { fd: number; lastLines: () => string } {
  mkdirSync(dirname(logFile), { recursive: true });
  const fd = openSync(logFile, 'a');
  let from = statSync(logFile).size;
  if (from > maxLogBytes) {
    truncateSync(logFile, 0);
    from = 0;
  }
  const lastLines = (): string => {
    // Asked when the server has died: the file may be gone with its directory by then.
    if (!existsSync(logFile)) return '';
    return readFileSync(logFile).subarray(from).toString().trim().split('\n').slice(-5).join('\n');
  };
  return { fd, lastLines };
}

interface Started {
  state: ServerState;
  ended: Promise<string>;
}

/** Starts the program and waits until it answers; fails with its last words when it ends before. */
async function launch(
  options: EmbeddedTemporalOptions,
  dbFile: string,
  port: number,
  uiPort: number,
): Promise<Started> {
  const { cliPath, dataDir, logFile } = options;
  const args = argsOf(dbFile, port, uiPort);
  const log = openLog(logFile);
  // It takes no settings from outside: TEMPORAL_* of the user's shell mean other servers.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')));
  // Output goes straight to the file, not through us: the server can outlive us without a broken pipe.
  const child = spawn(cliPath, args, { env, stdio: ['ignore', log.fd, log.fd], detached: true });
  closeSync(log.fd);
  let isEnded = false;
  const ended = new Promise<string>((done) => {
    const end = (reason: string): void => {
      isEnded = true;
      done(reason);
    };
    child.once('error', (error) => end(`it cannot be started: ${error.message}`));
    child.once('exit', (code, signal) => end(`it ended (${signal ?? `exit code ${code}`})\n${log.lastLines()}`));
  });
  const { pid } = child;
  if (pid === undefined) throw new TemporalServerError(`Temporal server ${cliPath}: ${await ended}`);
  const state = { pid, startTime: (await processStart(pid)) ?? '', port, uiPort, args };
  writeServerState(dataDir, state);
  const until = performance.now() + startWithinMs;
  while (!(await isHealthy(port, healthWithinMs))) {
    if (isEnded) throw new TemporalServerError(`Temporal server ${cliPath}: ${await ended}`);
    if (performance.now() >= until) {
      await endProcess(pid, state.startTime, 1000);
      throw new TemporalServerError(
        `the Temporal server did not answer within ${startWithinMs / 1000} s\n${log.lastLines()}`,
      );
    }
    await sleep(25);
  }
  // The right port, but perhaps another's server: the child would have ended by now or soon, being unable to listen.
  if (isEnded) throw new TemporalServerError(`Temporal server ${cliPath}: ${await ended}`);
  return { state, ended };
}

/** A server found running is not a child process: its end has to be polled for. */
async function watchFound(state: ServerState, isStopping: () => boolean): Promise<string> {
  while (!(await isGoneWithin(state.pid, state.startTime, 0))) {
    if (isStopping()) break;
    await sleep(500, { ref: false });
  }
  return 'it ended';
}

function embedded(
  options: EmbeddedTemporalOptions,
  { state, ended }: Started,
  isReused: boolean,
  onStop: () => void,
): EmbeddedTemporal {
  const { port, uiPort, pid, startTime } = state;
  let isStopping = false;
  const unlessStopped = async (): Promise<string> => {
    const reason = await ended;
    return isStopping ? new Promise<never>(() => {}) : reason;
  };
  return {
    target: localTarget(`${host}:${port}`),
    port,
    uiPort,
    uiUrl: `http://${host}:${uiPort}`,
    pid,
    isReused,
    ended: unlessStopped(),
    async stop() {
      isStopping = true;
      onStop();
      await endProcess(pid, startTime, 2000);
      // The ports are kept for the next start, so that addresses people noted stay true.
      writeServerState(options.dataDir, { ...state, pid: 0, startTime: '' });
    },
  };
}

const wanted = (port: number | undefined, is: number): boolean => port === undefined || port === 0 || port === is;

async function mustBeFree(port: number | undefined, what: string): Promise<void> {
  if (port === undefined || port === 0 || (await isPortFree(port, host))) return;
  throw new TemporalServerError(`port ${port}, asked for as ${what}, is taken on ${host}`);
}

/**
 * Starts the embedded Temporal server on `<dataDir>/temporal.db`, or takes over the one that an earlier process left
 * running there. One that is unhealthy, or runs with other settings, is ended and replaced. The caller holds the lock
 * of the data directory.
 */
export async function startEmbeddedTemporal(options: EmbeddedTemporalOptions): Promise<EmbeddedTemporal> {
  const { onProgress = () => {} } = options;
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  const dbFile = resolve(dataDir, 'temporal.db');
  const last = readServerState(dataDir);
  if (last !== null && (await isServing(last, dbFile))) {
    const isSame =
      JSON.stringify(last.args) === JSON.stringify(argsOf(dbFile, last.port, last.uiPort)) &&
      wanted(options.port, last.port) &&
      wanted(options.uiPort, last.uiPort);
    if (isSame && (await isHealthy(last.port, healthWithinMs))) {
      await endServersOf(dbFile, last.pid, 1000);
      onProgress(`using the Temporal server that is running already (pid ${last.pid})`);
      let isStopping = false;
      const ended = watchFound(last, () => isStopping);
      return embedded({ ...options, dataDir }, { state: last, ended }, true, () => {
        isStopping = true;
      });
    }
  }
  const replaced = await endServersOf(dbFile, 0, 2000);
  if (replaced.length > 0) onProgress(`ended the Temporal server left over from before (pid ${replaced.join(', ')})`);
  await mustBeFree(options.port, 'the Temporal port');
  await mustBeFree(options.uiPort, 'the port of the Temporal UI');
  for (let attempt = 1; ; attempt += 1) {
    // After a failed attempt, another process may have taken a port between our check and the server's start.
    const requests = (own: number | undefined, before: number | undefined, usual: number): number[] =>
      own ? [own] : attempt > 1 ? [] : [...(before === undefined ? [] : [before]), ...(own === 0 ? [] : [usual])];
    const port = await choosePort(requests(options.port, last?.port, defaultPort), { host });
    const uiPort = await choosePort(requests(options.uiPort, last?.uiPort, defaultUiPort), { host, not: [port] });
    try {
      const started = await launch({ ...options, dataDir }, dbFile, port, uiPort);
      return embedded({ ...options, dataDir }, started, false, () => {});
    } catch (error) {
      const isTaken = error instanceof Error && /address already in use/i.test(error.message);
      if (!isTaken || attempt >= 3) throw error;
      onProgress('a port was taken just now; trying others');
    }
  }
}

const StateSchema = z.object({
  /** Zero: no server of this directory is known to run; only its ports are remembered. */
  pid: z.int().min(0),
  startTime: z.string(),
  port: z.int(),
  uiPort: z.int(),
  args: z.array(z.string()),
});

/** What `<dataDir>/temporal.json` remembers of the embedded server. */
type ServerState = z.infer<typeof StateSchema>;

const stateFile = (dataDir: string): string => join(dataDir, 'temporal.json');

export function readServerState(dataDir: string): ServerState | null {
  try {
    return StateSchema.parse(JSON.parse(readFileSync(stateFile(dataDir), 'utf8')));
  } catch {
    // Missing, torn or of another version: the process list tells the rest.
    return null;
  }
}

/** The server that `up` runs in this directory; null: none runs. */
export async function runningTarget(dataDir: string): Promise<TemporalTarget | null> {
  const state = readServerState(resolve(dataDir));
  if (state === null || state.pid === 0) return null;
  return (await processStart(state.pid)) === state.startTime ? localTarget(`127.0.0.1:${state.port}`) : null;
}

function writeServerState(dataDir: string, state: ServerState): void {
  mkdirSync(dataDir, { recursive: true });
  const whole = `${stateFile(dataDir)}.${process.pid}.tmp`;
  writeFileSync(whole, JSON.stringify(state));
  renameSync(whole, stateFile(dataDir));
}

const serves = (command: string, dbFile: string): boolean =>
  command.includes(' server start-dev ') && `${command} `.includes(` --db-filename ${dbFile} `);

/** True when the process of this state still runs and serves this database file. */
async function isServing(state: ServerState, dbFile: string): Promise<boolean> {
  if (state.pid === 0 || (await processStart(state.pid)) !== state.startTime) return false;
  return serves((await commandLine(state.pid)) ?? '', dbFile);
}

/**
 * Ends every server on this database file except one: two of them on one SQLite file would spoil it. Found by their
 * command lines, since a kill may have come between starting one and noting it down.
 */
async function endServersOf(dbFile: string, exceptPid: number, retryForMs: number): Promise<number[]> {
  const pids = (await findProcesses((command) => serves(command, dbFile))).filter((pid) => pid !== exceptPid);
  await Promise.all(
    pids.map(async (pid) => {
      const start = await processStart(pid);
      if (start !== null) await endProcess(pid, start, retryForMs);
    }),
  );
  return pids;
}
