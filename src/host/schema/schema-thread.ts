// One thread that applies foreign schemas, one at a time; it is ended when one takes longer than its limit.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { valueErrors, type ValueError } from './schema-errors.ts';
import type { SchemaJob, SchemaReport } from './schema-worker.ts';

export type SchemaVerdict =
  | { ok: true }
  | { ok: false; errors: ValueError[] }
  /** The schema itself cannot be used: not valid, not supported, or too costly. In words. */
  | { ok: false; unusable: string };

export interface SchemaThread {
  /** Ready, and without a job. */
  isFree(): boolean;
  /** `isCostly`: the thread had to be ended for it. */
  apply(job: SchemaJob, timeoutMs: number, settle: (verdict: SchemaVerdict, isCostly: boolean) => void): void;
  /** Whether it keeps the process alive. */
  hold(isNeeded: boolean): void;
  /** Drops its job unsettled. */
  end(): Promise<void>;
}

interface SchemaThreadEvents {
  onFree(): void;
  /** It is gone, with its job settled; `error` when it ended by itself, without one. */
  onGone(thread: SchemaThread, error: Error | null): void;
}

const timeParts = 10;
const startTimeoutMs = 15_000;
const memoryMb = 256;
/** V8's default would let this thread keep 48 MiB for short-lived objects of which it makes few. */
const youngMb = 6;

/**
 * Compiled, the thread is `schema-worker.js` next to this file. From source (tests, `tsx`) Node 20 cannot load a `.ts`
 * file in a thread, so there the development tool `tsx` loads it.
 */
function startWorker(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb };
  // No environment: nothing in there may know our secrets.
  const options = { env: {}, resourceLimits };
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./schema-worker.js', import.meta.url), options);
  const file = fileURLToPath(new URL('./schema-worker.ts', import.meta.url));
  const tsx = createRequire(import.meta.url).resolve('tsx/cjs/api');
  const code = `require(${JSON.stringify(tsx)}).require(${JSON.stringify(file)}, ${JSON.stringify(file)})`;
  return new Worker(code, { ...options, eval: true });
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
      // Counted in parts: when this process itself stood still, an answer that waits here is read before the time is over.
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
    // Its last words, after this, concern nobody.
    worker.on('error', () => {});
  }

  function finish(verdict: SchemaVerdict): void {
    clearTimeout(limit);
    const done = current;
    current = null;
    done?.settle(verdict, false);
    onFree();
  }

  /** Past saving: its job gets the verdict. */
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
