import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { GetTemporalCli } from './temporal-download.ts';
import { within } from '../process/time-limit.ts';

const progressEveryMs = 5000;
const totalTimeoutMs = 20 * 60_000;

/** Builds the Temporal CLI with the Go toolchain of the PATH: some two minutes, once. */
export async function buildTemporalCli({ version, env, dir, onProgress, signal }: GetTemporalCli): Promise<string> {
  const module = `github.com/temporalio/cli/cmd/temporal@v${version}`;
  // GOBIN is not allowed together with a foreign target, and a program for another machine is of no use here.
  const { GOOS: _os, GOARCH: _arch, ...own } = env;
  const startedAt = performance.now();
  const go = spawn('go', ['install', module], {
    env: { ...own, GOBIN: dir },
    ...within(signal, totalTimeoutMs),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  go.once('spawn', () => onProgress('building the Temporal CLI with Go; this takes about two minutes, and only once'));
  const progress = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    onProgress(`still building the Temporal CLI with Go (${seconds} s)`);
  }, progressEveryMs);
  let complaint = '';
  go.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2000);
  });
  try {
    await new Promise<void>((done, fail) => {
      go.once('error', (error: NodeJS.ErrnoException) =>
        fail(error.code === 'ENOENT' ? new Error('there is no `go` on the PATH') : error),
      );
      go.once('close', (code) => {
        const lastLines = complaint.trim().split('\n').slice(-3).join(' | ');
        if (code === 0) done();
        else fail(new Error(`\`go install ${module}\` failed: ${lastLines}`));
      });
    });
  } finally {
    clearInterval(progress);
  }
  return join(dir, 'temporal');
}
