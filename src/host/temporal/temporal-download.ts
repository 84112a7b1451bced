import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, request } from 'undici';
import { errnoCode } from '../process/errno.ts';
import { within } from '../process/time-limit.ts';

/** Reports what is being done, one sentence; `isFurther`: what was reported before, further on. */
export type OnProgress = (message: string, isFurther?: boolean) => void;

/** One way to get the program: puts it into `dir` and returns its path. */
export interface GetTemporalCli {
  version: string;
  env: NodeJS.ProcessEnv;
  dir: string;
  onProgress: OnProgress;
  signal: AbortSignal | undefined;
  url: string | undefined;
  /** SHA-256 of the archive at `url`, in place of the release's. */
  sha256: string | undefined;
}

const connectTimeoutMs = 5000;
const totalTimeoutMs = 60_000;
const maxRedirects = 5;

const platforms: Record<string, string> = { linux: 'linux', darwin: 'darwin' };
const archs: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

/** SHA-256 of the archives of a release, by version, platform and processor: what runs here is what was published then. */
const releaseSums: Record<string, string> = {
  '1.5.1_linux_amd64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  '1.5.1_linux_arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  '1.5.1_darwin_amd64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  '1.5.1_darwin_arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
};

function releaseOf(version: string): { url: string; sha256: string } {
  const name = `${version}_${platforms[process.platform]}_${archs[process.arch]}`;
  const sha256 = releaseSums[name];
  if (sha256 === undefined) throw new Error(`there is no release for ${process.platform} on ${process.arch}`);
  return {
    url: `https://github.com/temporalio/cli/releases/download/v${version}/temporal_cli_${name}.tar.gz`,
    sha256,
  };
}

async function open(url: string, dispatcher: EnvHttpProxyAgent, signal: AbortSignal): Promise<Readable> {
  let next = url;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await request(next, { dispatcher, signal, headersTimeout: 10_000 });
    const { location } = response.headers;
    if (response.statusCode >= 300 && response.statusCode < 400 && typeof location === 'string') {
      await response.body.dump();
      next = new URL(location, next).href;
      // The program is run afterwards: it never comes over an open line.
      if (url.startsWith('https:') && !next.startsWith('https:')) throw new Error(`refused the redirect to ${next}`);
      continue;
    }
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw new Error(`HTTP status ${response.statusCode}`);
    }
    return response.body;
  }
  throw new Error('too many redirects');
}

/** The whole archive is compared before anything of it is unpacked, let alone run. */
async function save(body: Readable, file: string, sha256: string, signal: AbortSignal): Promise<void> {
  const sum = createHash('sha256');
  body.on('data', (chunk: Buffer) => sum.update(chunk));
  await pipeline(body, createWriteStream(file), { signal });
  const got = sum.digest('hex');
  if (got !== sha256) throw new Error(`its SHA-256 is ${got}, expected ${sha256}: it is not run`);
}

/** Unpacks only the program from the archive; `tar` is on every system we support. */
async function unpack(
  file: string,
  { dir, env }: Pick<GetTemporalCli, 'dir' | 'env'>,
  signal: AbortSignal,
): Promise<void> {
  const tar = spawn('tar', ['-xzf', '-', '-C', dir, 'temporal'], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  let complaint = '';
  tar.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-500);
  });
  const ended = new Promise<void>((done, fail) => {
    tar.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ENOENT' ? new Error('there is no `tar` on the PATH to unpack it: install tar') : error),
    );
    tar.once('close', (code) => (code === 0 ? done() : fail(new Error(`tar failed: ${complaint.trim()}`))));
  });
  try {
    // tar may stop reading once it has what it wants; whether it went well is what tar says.
    const sent = pipeline(createReadStream(file), tar.stdin, { signal }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
    await Promise.all([sent, ended]);
  } catch (error) {
    tar.kill();
    throw error;
  }
}

const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `not done within ${totalTimeoutMs / 1000} s`;
  const codes =
    error instanceof AggregateError ? error.errors.map((one: Error) => one.message).join(', ') : error.message;
  return codes === '' ? (errnoCode(error) ?? error.name) : codes;
};

/**
 * Fetches the official release. Bounded everywhere (5 s to connect, 60 s in all): in a closed network the next way is
 * tried soon. Proxy variables of the environment are honoured.
 */
export async function downloadTemporalCli({ version, dir, env, onProgress, ...call }: GetTemporalCli): Promise<string> {
  const { url, sha256 } = call;
  const release = url !== undefined && sha256 !== undefined ? { url, sha256 } : releaseOf(version);
  const { url: from } = release;
  onProgress(`downloading the Temporal CLI ${version} from ${new URL(from).host}`);
  const { signal } = within(call.signal, totalTimeoutMs);
  const dispatcher = new EnvHttpProxyAgent({ connect: { timeout: connectTimeoutMs } });
  const archive = join(dir, 'archive.tar.gz');
  try {
    await save(await open(from, dispatcher, signal), archive, release.sha256, signal);
    await unpack(archive, { dir, env }, signal);
    return join(dir, 'temporal');
  } catch (error) {
    throw new Error(`${from}: ${causeOf(signal.aborted ? signal.reason : error)}`, { cause: error });
  } finally {
    rmSync(archive, { force: true });
    await dispatcher.destroy();
  }
}
