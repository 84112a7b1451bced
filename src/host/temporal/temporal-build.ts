import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { GetTemporalCli } from './temporal-download.ts';
import { within } from '../process/time-limit.ts';

const progressEveryMs = 5000;
/** Packages that Go compiles for it (`go list -deps`); fewer if some are in Go's own cache. */
const packageCount = 1298;
/** Further reports come at each such part of them, and every few seconds. */
const reportEvery = Math.ceil(packageCount / 20);
const totalTimeoutMs = 20 * 60_000;

/** Builds the Temporal CLI with the Go toolchain of the PATH: some two minutes, once. */
export async function buildTemporalCli({ version, env, dir, onProgress, signal }: GetTemporalCli): Promise<string> {
  const module = `github.com/temporalio/cli/cmd/temporal@v${version}`;
  // GOBIN is not allowed together with a foreign target, and a program for another machine is of no use here.
  const { GOOS: _os, GOARCH: _arch, ...own } = env;
  const startedAt = performance.now();
  // -v names each package as it is compiled.
  const go = spawn('go', ['install', '-v', module], {
    env: { ...own, GOBIN: dir },
    ...within(signal, totalTimeoutMs),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  go.once('spawn', () => onProgress('building the Temporal CLI with Go; this takes about two minutes, and only once'));
  let compiled = 0;
  const report = (): void => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const part = Math.min(99, Math.floor((compiled / packageCount) * 100));
    onProgress(`building the Temporal CLI with Go: ${part} % (${seconds} s)`, true);
  };
  const progress = setInterval(report, progressEveryMs);
  let complaint = '';
  createInterface({ input: go.stderr }).on('line', (line) => {
    complaint = `${complaint}${line}\n`.slice(-2000);
    if (!/^[\w.]+(?:\/[\w.~-]+)*$/.test(line)) return;
    compiled += 1;
    if (compiled % reportEvery === 0) report();
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
