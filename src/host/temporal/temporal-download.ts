import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EnvHttpProxyAgent, request } from 'undici';
import { errnoCode } from '../process/errno.ts';
import { within } from '../process/time-limit.ts';

/** One way to get the program: puts it into `dir` and returns its path. */
export interface GetTemporalCli {
  version: string;
  env: NodeJS.ProcessEnv;
  dir: string;
  onProgress: (message: string) => void;
  signal: AbortSignal | undefined;
  url: string | undefined;
}

const connectTimeoutMs = 5000;
const totalTimeoutMs = 60_000;
const maxRedirects = 5;

const platforms: Record<string, string> = { linux: 'linux', darwin: 'darwin' };
const archs: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

function releaseUrl(version: string): string {
  const [platform, arch] = [platforms[process.platform], archs[process.arch]];
  if (platform === undefined || arch === undefined) {
    throw new Error(`there is no release for ${process.platform} on ${process.arch}`);
  }
  return `https://github.com/temporalio/cli/releases/download/v${version}/temporal_cli_${version}_${platform}_${arch}.tar.gz`;
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

/** Unpacks only the program from the archive; `tar` is on every system we support. */
async function unpack(archive: Readable, dir: string, signal: AbortSignal): Promise<void> {
  const tar = spawn('tar', ['-xzf', '-', '-C', dir, 'temporal'], { stdio: ['pipe', 'ignore', 'pipe'] });
  let complaint = '';
  tar.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-500);
  });
  const ended = new Promise<void>((done, fail) => {
    tar.once('error', fail);
    tar.once('close', (code) => (code === 0 ? done() : fail(new Error(`tar failed: ${complaint.trim()}`))));
  });
  try {
    // tar may stop reading once it has what it wants; whether it went well is what tar says.
    const sent = pipeline(archive, tar.stdin, { signal }).catch((error: NodeJS.ErrnoException) => {
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
export async function downloadTemporalCli({ version, dir, onProgress, url, ...call }: GetTemporalCli): Promise<string> {
  const from = url ?? releaseUrl(version);
  onProgress(`downloading the Temporal CLI ${version} from ${new URL(from).host}`);
  const { signal } = within(call.signal, totalTimeoutMs);
  const dispatcher = new EnvHttpProxyAgent({ connect: { timeout: connectTimeoutMs } });
  try {
    await unpack(await open(from, dispatcher, signal), dir, signal);
    return join(dir, 'temporal');
  } catch (error) {
    throw new Error(`${from}: ${causeOf(signal.aborted ? signal.reason : error)}`, { cause: error });
  } finally {
    await dispatcher.destroy();
  }
}
