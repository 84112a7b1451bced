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

export interface SchemaRunner {
  /** Applies a foreign JSON Schema (2020-12) to values; never throws for what the schema is. */
  check(schema: unknown, values: unknown, options?: { timeoutMs?: number }): Promise<SchemaVerdict>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 1000;
const timeParts = 10;
const startTimeoutMs = 15_000;
const maxTextChars = 2_000_000;
const memoryMb = 256;
/** V8's default would let this thread keep 48 MiB for short-lived objects of which it makes few. */
const youngMb = 6;

/**
 * Compiled, the thread is `schema-worker.js` beside this file. From source (tests, `tsx`) Node 20 cannot load a `.ts`
 * file in a thread, so there the development tool `tsx` loads it.
 */
function startThread(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb };
  // No environment: nothing in there may know our secrets.
  const options = { env: {}, resourceLimits };
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./schema-worker.js', import.meta.url), options);
  const file = fileURLToPath(new URL('./schema-worker.ts', import.meta.url));
  const tsx = createRequire(import.meta.url).resolve('tsx/cjs/api');
  const code = `require(${JSON.stringify(tsx)}).require(${JSON.stringify(file)}, ${JSON.stringify(file)})`;
  return new Worker(code, { ...options, eval: true });
}

interface Waiting {
  job: SchemaJob;
  timeoutMs: number;
  isCompiled: boolean;
  settle: (verdict: SchemaVerdict) => void;
  fail: (error: Error) => void;
}

/** JSON as text, or why there is none. */
function asText(value: unknown): { text: string } | { why: string } {
  try {
    const text = JSON.stringify(value);
    if (text === undefined) return { why: 'it is not JSON' };
    return text.length > maxTextChars ? { why: 'it is too large' } : { text };
  } catch {
    return { why: 'it is nested too deeply or not JSON' };
  }
}

/**
 * Schemas come from agents and are hostile until shown otherwise: they are compiled and applied in one thread, one at
 * a time, and the thread is ended and replaced when it takes longer than its limit (default 1 s, counted from when the
 * job's turn comes). The thread is started at once, so that the first person does not wait for it.
 */
export function createSchemaRunner(): SchemaRunner {
  const queue: Waiting[] = [];
  let current: Waiting | null = null;
  let limit: NodeJS.Timeout | undefined;
  let isReady = false;
  let isClosed = false;
  let failedStarts = 0;
  let isBroken = false;
  let thread = start();

  function start(): Worker {
    isReady = false;
    const worker = startThread();
    worker.unref();
    worker.on('message', (report: SchemaReport) => {
      if (worker === thread) receive(report);
    });
    worker.on('error', (error: Error & { code?: string }) => {
      if (worker === thread) lose(error);
    });
    worker.on('exit', () => {
      if (worker === thread && !isClosed && !isBroken) lose(new Error('the schema thread ended'));
    });
    return worker;
  }

  function receive(report: SchemaReport): void {
    if (report.kind === 'ready') {
      isReady = true;
      failedStarts = 0;
      next();
      return;
    }
    if (current === null || report.id !== current.job.id) return;
    if (report.kind === 'compiled') {
      current.isCompiled = true;
      return;
    }
    if (report.kind === 'unusable') finish({ ok: false, unusable: `the form's schema cannot be used: ${report.why}` });
    else if (report.faults.length === 0) finish({ ok: true });
    else finish({ ok: false, errors: valueErrors(report.faults) });
  }

  function next(): void {
    if (current !== null || isClosed) return;
    const first = queue[0];
    if (first === undefined) {
      // Nothing is asked of it: the thread must not keep the process alive.
      thread.unref();
      return;
    }
    thread.ref();
    if (!isReady) {
      limit ??= setTimeout(() => lose(new Error('the schema thread did not start')), startTimeoutMs);
      return;
    }
    clearTimeout(limit);
    queue.shift();
    current = first;
    // Counted in parts: when this thread itself stood still, an answer that waits here is heard before the time is over.
    let parts = timeParts;
    const count = (): void => {
      parts -= 1;
      if (parts > 0) {
        limit = setTimeout(count, first.timeoutMs / timeParts);
        return;
      }
      const what = first.isCompiled ? 'applying it' : 'reading it';
      replace({
        ok: false,
        unusable: `the form's schema cannot be used: ${what} took longer than ${first.timeoutMs} ms`,
      });
    };
    limit = setTimeout(count, first.timeoutMs / timeParts);
    thread.postMessage(first.job);
  }

  function finish(verdict: SchemaVerdict): void {
    clearTimeout(limit);
    limit = undefined;
    const done = current;
    current = null;
    done?.settle(verdict);
    next();
  }

  /** The thread is past saving: its job gets the verdict, the others go on in a new one. */
  function replace(verdict: SchemaVerdict): void {
    const old = thread;
    old.removeAllListeners();
    // Its last words, after this, concern nobody.
    old.on('error', () => {});
    void old.terminate();
    thread = start();
    finish(verdict);
  }

  function lose(error: Error & { code?: string }): void {
    if (current !== null) {
      const why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it needs too much memory' : 'it broke the checker';
      replace({ ok: false, unusable: `the form's schema cannot be used: ${why}` });
      return;
    }
    failedStarts += 1;
    if (failedStarts < 3) {
      replace({ ok: true });
      return;
    }
    // A thread that cannot start is our own fault, and no schema's: say so, and try again when next asked.
    isBroken = true;
    clearTimeout(limit);
    limit = undefined;
    for (const waiting of queue.splice(0)) waiting.fail(error);
  }

  let lastId = 0;
  return {
    check(schema, values, { timeoutMs = defaultTimeoutMs } = {}) {
      if (isClosed) return Promise.reject(new Error('the schema runner is closed'));
      const schemaText = asText(schema);
      if ('why' in schemaText) {
        return Promise.resolve({ ok: false, unusable: `the form's schema cannot be used: ${schemaText.why}` });
      }
      const valuesText = asText(values);
      if ('why' in valuesText) {
        return Promise.resolve({ ok: false, errors: [{ path: '', message: `cannot be taken: ${valuesText.why}` }] });
      }
      lastId += 1;
      const job = { id: lastId, schema: schemaText.text, values: valuesText.text };
      return new Promise((settle, fail) => {
        queue.push({ job, timeoutMs, isCompiled: false, settle, fail });
        if (isBroken) {
          isBroken = false;
          failedStarts = 0;
          thread = start();
        }
        next();
      });
    },
    async close() {
      isClosed = true;
      clearTimeout(limit);
      const left = current === null ? queue.splice(0) : [current, ...queue.splice(0)];
      current = null;
      for (const waiting of left) waiting.fail(new Error('the schema runner was closed'));
      thread.removeAllListeners();
      await thread.terminate();
    },
  };
}
