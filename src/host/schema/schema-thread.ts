// A worker thread that applies untrusted schemas one at a time, terminated if one exceeds its time limit.
import { Worker } from 'node:worker_threads';
import type { SchemaVerdict } from '../../contract/holds/schema-verdict.ts';
import { valueErrors } from './schema-errors.ts';
import type { SchemaJob, SchemaReport } from './schema-worker.ts';

export interface SchemaThread {
  /** Whether the thread is ready and has no job. */
  isFree(): boolean;
  /** Runs a job; `isCostly` means that the thread was terminated for it. */
  apply(job: SchemaJob, timeoutMs: number, settle: (verdict: SchemaVerdict, isCostly: boolean) => void): void;
  /** Sets whether the thread keeps the process alive. */
  hold(isNeeded: boolean): void;
  /** Terminates the thread without settling its job. */
  end(): Promise<void>;
}

interface SchemaThreadEvents {
  onFree(): void;
  /** Called when the thread has ended and its job is settled; `error` if it failed without a job. */
  onGone(thread: SchemaThread, error: Error | null): void;
}

const timeParts = 10;
const startTimeoutMs = 15_000;
const memoryMb = 256;
/** V8's default young generation would take up to 48 MiB, although the thread allocates little. */
const youngMb = 6;

/** From source the built one is taken: Node 20 loads no `.ts` file in a worker. */
const workerDir = import.meta.url.endsWith('.ts') ? '../../../dist/cli/bundle/' : './';

function startWorker(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb };
  // No environment, since it contains secrets.
  return new Worker(new URL(`${workerDir}schema-worker.js`, import.meta.url), { env: {}, resourceLimits });
}

interface Current {
  id: number;
  isCompiled: boolean;
  settle: (verdict: SchemaVerdict, isCostly: boolean) => void;
}

const unusable = (why: string): SchemaVerdict => ({
  ok: false,
  unusable: `the form's schema cannot be used: ${why}`,
});

export function startSchemaThread({ onFree, onGone }: SchemaThreadEvents): SchemaThread {
  const worker = startWorker();
  let current: Current | null = null;
  let isReady = false;
  let isOver = false;
  let limit: NodeJS.Timeout | undefined = setTimeout(
    () => lose(new Error('the schema thread did not start')),
    startTimeoutMs,
  );
  limit.unref();

  const thread: SchemaThread = {
    isFree: () => isReady && !isOver && current === null,
    hold: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
    apply(job, timeoutMs, settle) {
      const mine: Current = { id: job.id, isCompiled: false, settle };
      current = mine;
      // Several short timers, so that after a pause of this process a queued result is read before the limit.
      let parts = timeParts;
      const count = (): void => {
        parts -= 1;
        if (parts > 0) {
          limit = setTimeout(count, timeoutMs / timeParts);
          return;
        }
        const what = mine.isCompiled ? 'applying it' : 'reading it';
        leave(unusable(`${what} took longer than ${timeoutMs} ms`));
      };
      limit = setTimeout(count, timeoutMs / timeParts);
      worker.postMessage(job);
    },
    async end() {
      stop();
      await worker.terminate();
    },
  };

  function stop(): void {
    isOver = true;
    clearTimeout(limit);
    worker.removeAllListeners();
    // Later errors are irrelevant, but unhandled they would end the process.
    worker.on('error', () => {});
  }

  function finish(verdict: SchemaVerdict): void {
    clearTimeout(limit);
    const done = current;
    current = null;
    done?.settle(verdict, false);
    onFree();
  }

  /** Terminates the thread and settles its job with this verdict. */
  function leave(verdict: SchemaVerdict): void {
    const done = current;
    stop();
    void worker.terminate();
    done?.settle(verdict, true);
    onGone(thread, null);
  }

  function lose(error: Error & { code?: string }): void {
    if (isOver) return;
    if (current !== null) {
      leave(unusable(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needs too much memory' : 'it broke the checker'));
      return;
    }
    stop();
    void worker.terminate();
    onGone(thread, error);
  }

  function receive(report: SchemaReport): void {
    if (report.kind === 'ready') {
      clearTimeout(limit);
      isReady = true;
      onFree();
      return;
    }
    if (current === null || report.id !== current.id) return;
    if (report.kind === 'compiled') current.isCompiled = true;
    else if (report.kind === 'unusable') finish(unusable(report.why));
    else if (report.faults.length === 0) finish({ ok: true });
    else finish({ ok: false, errors: valueErrors(report.faults) });
  }

  worker.unref();
  worker.on('message', receive);
  worker.on('error', lose);
  worker.on('exit', () => lose(new Error('the schema thread ended')));
  return thread;
}
