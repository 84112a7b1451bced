// The product as users start it: `holdpoint up`, or `holdpoint api` and `holdpoint worker` apart.

import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { follow, openRun, runAgent, type RunRequest, type RunResult } from '../streams/agui.ts';
import { localTarget } from '../../../src/host/temporal/temporal-connection.ts';
import type { TemporalTarget } from '../../../src/host/temporal/temporal-connection.ts';
import { startTemporal } from '../engine/temporal.ts';
import { checkLast } from './last-look.ts';
import type { SseStream } from '../streams/sse-stream.ts';
import { createDatabase, dropDatabase } from '../process/postgres.ts';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';
import { leastBoundMs } from '../wait-for.ts';

export const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
/** As the program's first line gives them. */
const nodeFlags = ['--max-semi-space-size=8'];
const repository = fileURLToPath(new URL('../../..', import.meta.url));

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** The outside of a running api (docs/spec.md), with an optional key. */
export interface HoldpointClient {
  url: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  run(agent: string, request: Omit<RunRequest, 'url'>, boundMs?: number): Promise<RunResult>;
  openRun(agent: string, request: Omit<RunRequest, 'url'>): Promise<SseStream & { runId: string }>;
  follow(agent: string, threadId: string, options?: { lastEventId?: string; query?: string }): Promise<SseStream>;
  /** The same api as another caller. */
  as(apiKey: string): HoldpointClient;
}

export interface Up extends HoldpointClient {
  process: RigProcess;
  temporal: TemporalTarget;
  dataDir: string;
  stop(): Promise<void>;
}

export interface UpOptions {
  /** Kept over restarts by giving it again. */
  dataDir: string;
  /** Text of holdpoint.yaml. */
  configText: string;
  /** With PGlite and a Temporal server of its own, where a journey is about them; else on those of the test run. */
  isEmbedded?: boolean;
  env?: NodeJS.ProcessEnv;
  /** Those of Temporal are for what is embedded. */
  ports?: { api?: number; temporal?: number; temporalUi?: number };
  boundMs?: number;
}

/** `holdpoint up` without the demo agent, on free ports, ready to serve. */
export async function startUp(supervisor: Supervisor, options: UpOptions): Promise<Up> {
  const api = options.ports?.api ?? (await supervisor.freePort());
  const config = await writeConfig(supervisor, options.configText);
  const args = ['up', '--config', config, '--data-dir', options.dataDir, '--no-demo', '--port', String(api)];
  const engine = await engineOf(supervisor, options);
  const running = startProgram(supervisor, 'holdpoint up', [...args, ...engine.args], {
    ...engine.env,
    ...options.env,
  });
  const url = await readyUrl(running, options.boundMs ?? leastBoundMs);
  checkLast(supervisor, running, engine.temporal);
  return {
    ...createHoldpointClient(url),
    process: running,
    temporal: engine.temporal,
    dataDir: options.dataDir,
    stop: async () => void (await running.stop(12_000)),
  };
}

interface Engine {
  temporal: TemporalTarget;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** What `up` stands on: its own, or a namespace and a database of what the test run has started, which takes less CPU. */
async function engineOf(supervisor: Supervisor, { dataDir, ports, isEmbedded = false }: UpOptions): Promise<Engine> {
  const server = process.env['HOLDPOINT_TEST_PG'];
  if (!isEmbedded && server !== undefined) {
    const known = shared.get(dataDir) ?? shareServers(supervisor, server);
    shared.set(dataDir, known);
    return known;
  }
  const port = ports?.temporal ?? (await supervisor.freePort());
  const uiPort = ports?.temporalUi ?? (await supervisor.freePort());
  const args = ['--temporal-port', String(port), '--temporal-ui-port', String(uiPort)];
  return { temporal: localTarget(`127.0.0.1:${port}`), args, env: {} };
}

/** By data directory: started again on the same one, `up` finds the same. */
const shared = new Map<string, Promise<Engine>>();

async function shareServers(supervisor: Supervisor, server: string): Promise<Engine> {
  const url = await createDatabase(server, process.env['HOLDPOINT_TEST_PG_TEMPLATE']);
  supervisor.defer(() => dropDatabase(url));
  const { target } = await startTemporal(supervisor);
  const env = { DATABASE_URL: url, TEMPORAL_ADDRESS: target.address, TEMPORAL_NAMESPACE: target.namespace };
  return { temporal: target, args: [], env };
}

export interface RoleOptions {
  configText: string;
  temporal: TemporalTarget;
  databaseUrl: string;
  /** Port of the api; a free one by default. */
  port?: number;
  env?: NodeJS.ProcessEnv;
  boundMs?: number;
}

export async function startApi(
  supervisor: Supervisor,
  options: RoleOptions,
): Promise<HoldpointClient & { process: RigProcess }> {
  const port = options.port ?? (await supervisor.freePort());
  const running = await startRole(supervisor, 'api', {
    ...options,
    env: { ...options.env, HOLDPOINT_PORT: String(port) },
  });
  const url = await readyUrl(running, options.boundMs ?? leastBoundMs);
  checkLast(supervisor, running, options.temporal);
  return { ...createHoldpointClient(url), process: running };
}

/** A worker that polls; it prints a line that begins with `ready` as the other roles do. */
export async function startWorker(supervisor: Supervisor, options: RoleOptions): Promise<RigProcess> {
  const running = await startRole(supervisor, 'worker', options);
  await running.waitForLine(/^ready\b/, options.boundMs ?? leastBoundMs);
  return running;
}

/** Runs a command of the program to its end, as an operator does. */
export async function runProgram(
  supervisor: Supervisor,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; boundMs?: number } = {},
): Promise<{ code: number | null; output: string }> {
  const running = startProgram(supervisor, `holdpoint ${args[0] ?? ''}`, args, options.env);
  const timer = setTimeout(() => void running.kill9(), Math.max(options.boundMs ?? 0, leastBoundMs));
  const { code } = await running.exited;
  clearTimeout(timer);
  return { code, output: running.output() };
}

export async function writeConfig(supervisor: Supervisor, text: string): Promise<string> {
  const path = join(await supervisor.tempDir('config'), 'holdpoint.yaml');
  await writeFile(path, text);
  return path;
}

export function createHoldpointClient(url: string, apiKey?: string): HoldpointClient {
  const auth: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const call = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...auth, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(leastBoundMs),
    });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  };
  const withUrl = (agent: string, request: Omit<RunRequest, 'url'>): RunRequest => ({
    ...request,
    url: `${url}/agents/${agent}/run`,
    headers: { ...auth, ...request.headers },
  });
  return {
    url,
    get: (path, headers = {}) => call('GET', path, headers),
    post: (path, body = {}, headers = {}) => call('POST', path, headers, body),
    run: (agent, request, boundMs) => runAgent(withUrl(agent, request), boundMs),
    openRun: (agent, request) => openRun(withUrl(agent, request)),
    follow: (agent, threadId, { lastEventId, query = '' } = {}) =>
      follow(`${url}/agents/${agent}/threads/${encodeURIComponent(threadId)}/events${query}`, lastEventId, auth),
    as: (key) => createHoldpointClient(url, key),
  };
}

async function startRole(supervisor: Supervisor, role: 'api' | 'worker', options: RoleOptions): Promise<RigProcess> {
  const config = await writeConfig(supervisor, options.configText);
  return startProgram(supervisor, `holdpoint ${role}`, [role, '--config', config], {
    TEMPORAL_ADDRESS: options.temporal.address,
    TEMPORAL_NAMESPACE: options.temporal.namespace,
    DATABASE_URL: options.databaseUrl,
    ...options.env,
  });
}

export function startProgram(
  supervisor: Supervisor,
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): RigProcess {
  if (!existsSync(program)) throw new Error(`${program} is missing: run \`npm run build\` first`);
  return supervisor.start({
    name,
    command: process.execPath,
    args: [...nodeFlags, program, ...args],
    cwd: repository,
    env,
  });
}

async function readyUrl(running: RigProcess, boundMs: number): Promise<string> {
  const [, url = ''] = await running.waitForLine(/ready (http:\/\/\S+)/, boundMs);
  return url.replace(/\/$/, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
