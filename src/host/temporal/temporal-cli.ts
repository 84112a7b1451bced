import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { errorText } from '../process/errno.ts';
import { buildTemporalCli } from './temporal-build.ts';
import { downloadTemporalCli, type OnProgress } from './temporal-download.ts';

const run = promisify(execFile);

/** The version that is downloaded or built: server 1.29.1 with its web UI. */
const temporalCliVersion = '1.5.1';

export type TemporalSource =
  /** A server is there already: none is started. */
  | { use: 'address'; address: string }
  | { use: 'cli'; path: string; from: 'TEMPORAL_CLI' | 'PATH' | 'cache' | 'download' | 'go' };

export interface ResolveTemporalOptions {
  env: NodeJS.ProcessEnv;
  /** Called with what is being done when it takes long: one sentence, every few seconds. */
  onProgress?: OnProgress;
  signal?: AbortSignal;
  /** Where the released program is fetched, and the SHA-256 of what must come; a test gives its own. */
  download?: { url: string; sha256: string };
}

/** No Temporal CLI can be had; the message says what was tried and what the user can do. */
class TemporalCliMissingError extends Error {
  override name = 'TemporalCliMissingError';
}

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** A quarter of a gigabyte that is read from a slow disk on a busy machine takes its time: not a fault of the program. */
const versionMs = 60_000;

/** Why this file is not a Temporal CLI that runs here, or null when it is one. */
async function faultOf(path: string): Promise<string | null> {
  if (!isExecutable(path)) return 'is not an executable file';
  try {
    const { stdout } = await run(path, ['--version'], { timeout: versionMs });
    return /temporal version/i.test(stdout)
      ? null
      : 'is not the Temporal CLI (its --version does not say "temporal version")';
  } catch (error) {
    return `does not run: ${errorText(error).split('\n')[0] ?? ''}`;
  }
}

/** Directory of what Standfast fetches once: `$XDG_CACHE_HOME/standfast`, else `~/.cache/standfast`. */
function cacheDirOf(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'standfast');
}

function onPath(env: NodeJS.ProcessEnv): string[] {
  const dirs = (env['PATH'] ?? '').split(delimiter).filter((dir) => dir !== '');
  return dirs.map((dir) => resolve(dir, 'temporal')).filter(isExecutable);
}

/**
 * Finds a Temporal server or the program to start one: TEMPORAL_ADDRESS, TEMPORAL_CLI, PATH, the cache, the official
 * release, and last a Go toolchain that builds it. What is fetched or built stays in the cache.
 */
export async function resolveTemporal(options: ResolveTemporalOptions): Promise<TemporalSource> {
  const { env, onProgress = () => {}, signal } = options;
  if (env['TEMPORAL_ADDRESS']) return { use: 'address', address: env['TEMPORAL_ADDRESS'] };
  const named = env['TEMPORAL_CLI'];
  if (named) {
    const fault = await faultOf(resolve(named));
    // Named explicitly: taking another one in silence would hide the mistake.
    if (fault !== null) throw new TemporalCliMissingError(`TEMPORAL_CLI=${named} ${fault}`);
    return { use: 'cli', path: resolve(named), from: 'TEMPORAL_CLI' };
  }
  const tried: string[] = [];
  for (const path of onPath(env)) {
    const fault = await faultOf(path);
    if (fault === null) return { use: 'cli', path, from: 'PATH' };
    tried.push(`${path} ${fault}`);
  }
  const binDir = join(cacheDirOf(env), 'bin');
  const cached = join(binDir, 'temporal');
  if (isExecutable(cached)) {
    const fault = await faultOf(cached);
    if (fault === null) return { use: 'cli', path: cached, from: 'cache' };
    tried.push(`${cached} ${fault}`);
  }
  // Made in a directory of its own and moved when whole: a second start, or a kill, never sees half a program.
  mkdirSync(binDir, { recursive: true });
  const staging = mkdtempSync(join(binDir, '.new-'));
  try {
    const ways = [
      { from: 'download', get: downloadTemporalCli, what: 'download' },
      { from: 'go', get: buildTemporalCli, what: 'build with Go' },
    ] as const;
    for (const { from, get, what } of ways) {
      try {
        const path = await get({
          version: temporalCliVersion,
          env,
          dir: staging,
          onProgress,
          signal,
          url: options.download?.url,
          sha256: options.download?.sha256,
        });
        const fault = await faultOf(path);
        if (fault !== null) throw new Error(`what came ${fault}`);
        renameSync(path, cached);
        return { use: 'cli', path: cached, from };
      } catch (error) {
        signal?.throwIfAborted();
        tried.push(`${what}: ${errorText(error)}`);
      }
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  throw new TemporalCliMissingError(
    [
      'Standfast needs a Temporal server and found none. Do one of these:',
      '  1. install the Temporal CLI (https://docs.temporal.io/cli) so that `temporal` is on the PATH, or name it: TEMPORAL_CLI=/path/to/temporal',
      '  2. use a Temporal server that runs already: TEMPORAL_ADDRESS=host:7233',
      `  3. install Go (https://go.dev/dl): Standfast then builds the Temporal CLI ${temporalCliVersion} itself`,
      'What was tried:',
      ...(tried.length > 0 ? tried : ['nothing']).map((line) => `  - ${line}`),
    ].join('\n'),
  );
}
