// The product as users start it: `standfast up`, or `standfast api` and `standfast worker` apart.

import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { follow, openRun, runAgent, type RunRequest, type RunResult } from '../streams/agui.ts';
import { checkLast } from './last-look.ts';
import type { SseStream } from '../streams/sse-stream.ts';
import { createDatabase, dropDatabase } from '../process/postgres.ts';
import type { RigProcess, Supervisor } from '../process/supervisor.ts';
import { leastBoundMs } from '../wait-for.ts';

export const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
/** As the program's first line gives them. */
const nodeFlags = ['--max-semi-space-size=8'];
const nodeSettings = { MALLOC_ARENA_MAX: '2' };
const repository = fileURLToPath(new URL('../../..', import.meta.url));

export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** The outside of a running api (docs/spec.md), with an optional key. */
export interface StandfastClient {
  url: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  run(agent: string, request: Omit<RunRequest, 'url'>, boundMs?: number): Promise<RunResult>;
  openRun(agent: string, request: Omit<RunRequest, 'url'>): Promise<SseStream & { runId: string }>;
  follow(agent: string, threadId: string, options?: { lastEventId?: string; query?: string }): Promise<SseStream>;
  /** The same api as another caller. */
  as(apiKey: string): StandfastClient;
}

export interface Up extends StandfastClient {
  process: RigProcess;
  temporalAddress: string;
  temporalUiUrl: string;
  dataDir: string;
  stop(): Promise<void>;
}

export interface UpOptions {
  /** Kept over restarts by giving it again. */
  dataDir: string;
  /** Text of standfast.yaml. */
  configText: string;
  /** On PGlite in the data directory, where a journey is about that; else on the PostgreSQL of the test run. */
  isEmbedded?: boolean;
  env?: NodeJS.ProcessEnv;
  ports?: { api?: number; temporal?: number; temporalUi?: number };
  /** Another copy of the program than this tree's build. */
  file?: string;
  boundMs?: number;
}

/** `standfast up` without the demo agent, on free ports, ready to serve. */
export async function startUp(supervisor: Supervisor, options: UpOptions): Promise<Up> {
  const api = options.ports?.api ?? (await supervisor.freePort());
  const temporal = options.ports?.temporal ?? (await supervisor.freePort());
  const temporalUi = options.ports?.temporalUi ?? (await supervisor.freePort());
  const config = await writeConfig(supervisor, options.configText);
  const args = ['up', '--config', config, '--data-dir', options.dataDir, '--no-demo', '--port', String(api)];
  args.push('--temporal-port', String(temporal), '--temporal-ui-port', String(temporalUi));
  const env = { ...(await databaseOf(supervisor, options)), ...options.env };
  const running = startProgram(supervisor, 'standfast up', args, env, options.file);
  const url = await readyUrl(running, options.boundMs ?? leastBoundMs);
  checkLast(supervisor, running, { temporalAddress: `127.0.0.1:${temporal}`, env: options.env ?? {} });
  return {
    ...createStandfastClient(url),
    process: running,
    temporalAddress: `127.0.0.1:${temporal}`,
    temporalUiUrl: `http://127.0.0.1:${temporalUi}`,
    dataDir: options.dataDir,
    stop: async () => void (await running.stop(12_000)),
  };
}

const databases = new Map<string, Promise<string>>();

/** Started again on the same data directory it has the same database. PGlite takes half of the CPU that `up` takes to start. */
async function databaseOf(
  supervisor: Supervisor,
  { dataDir, isEmbedded = false }: UpOptions,
): Promise<NodeJS.ProcessEnv> {
  const server = process.env['STANDFAST_TEST_PG'];
  if (isEmbedded || server === undefined) return {};
  const known = databases.get(dataDir);
  const url = known ?? createDatabase(server, process.env['STANDFAST_TEST_PG_TEMPLATE']);
  if (known === undefined) {
    databases.set(dataDir, url);
    supervisor.defer(async () => dropDatabase(await url));
  }
  return { DATABASE_URL: await url };
}

export interface RoleOptions {
  configText: string;
  temporalAddress: string;
  databaseUrl: string;
  namespace?: string;
  /** Port of the api; a free one by default. */
  port?: number;
  /** In place of the built one. */
  program?: string;
  env?: NodeJS.ProcessEnv;
  boundMs?: number;
}

export async function startApi(
  supervisor: Supervisor,
  options: RoleOptions,
): Promise<StandfastClient & { process: RigProcess }> {
  const port = options.port ?? (await supervisor.freePort());
  const running = await startRole(supervisor, 'api', {
    ...options,
    env: { ...options.env, STANDFAST_PORT: String(port) },
  });
  const url = await readyUrl(running, options.boundMs ?? leastBoundMs);
  checkLast(supervisor, running, options);
  return { ...createStandfastClient(url), process: running };
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
  const running = startProgram(supervisor, `standfast ${args[0] ?? ''}`, args, options.env);
  const timer = setTimeout(() => void running.kill9(), Math.max(options.boundMs ?? 0, leastBoundMs));
  const { code } = await running.exited;
  clearTimeout(timer);
  return { code, output: running.output() };
}

export async function writeConfig(supervisor: Supervisor, text: string): Promise<string> {
  const path = join(await supervisor.tempDir('config'), 'standfast.yaml');
  await writeFile(path, text);
  return path;
}

export function createStandfastClient(url: string, apiKey?: string): StandfastClient {
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
    as: (key) => createStandfastClient(url, key),
  };
}

async function startRole(supervisor: Supervisor, role: 'api' | 'worker', options: RoleOptions): Promise<RigProcess> {
  const config = await writeConfig(supervisor, options.configText);
  const env = {
    TEMPORAL_ADDRESS: options.temporalAddress,
    DATABASE_URL: options.databaseUrl,
    ...(options.namespace !== undefined && { TEMPORAL_NAMESPACE: options.namespace }),
    ...options.env,
  };
  return startProgram(supervisor, `standfast ${role}`, [role, '--config', config], env, options.program);
}

export function startProgram(
  supervisor: Supervisor,
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
  file = program,
): RigProcess {
  if (!existsSync(file)) throw new Error(`${file} is missing: run \`npm run build\` first`);
  return supervisor.start({
    name,
    command: process.execPath,
    args: [...nodeFlags, file, ...args],
    cwd: repository,
    env: { ...nodeSettings, ...env },
  });
}

/** The command `standfast` of this build, in a folder for PATH below `dir`. */
export async function commandDir(dir: string): Promise<string> {
  const bin = join(dir, 'bin');
  await mkdir(bin);
  const file = join(bin, 'standfast');
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(file, 0o755);
  return bin;
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
