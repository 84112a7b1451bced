import type { SchemaVerdict } from '../../contract/holds/schema-verdict.ts';
import { startSchemaThread, type SchemaThread } from './schema-thread.ts';
import type { SchemaJob } from './schema-worker.ts';

export interface SchemaRunner {
  /** Validates values against an untrusted JSON Schema (2020-12); an unusable schema is a verdict, not an error. */
  check(schema: unknown, values: unknown, options?: { timeoutMs?: number }): Promise<SchemaVerdict>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 1000;
const maxTextChars = 2_000_000;
const maxThreads = 3;
const maxFailedStarts = 3;
const costlyKept = 100;

interface Waiting {
  job: SchemaJob;
  timeoutMs: number;
  settle: (verdict: SchemaVerdict) => void;
  fail: (error: Error) => void;
}

/** Serialises a value, or says why it cannot be. */
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
 * Runs untrusted schemas in a few worker threads, each terminated and replaced if a schema exceeds its time limit (1 s
 * by default, from the start of its job). One schema occupies at most one thread, and all schemas that have timed out
 * share one, so that others find a free thread. The first thread starts at once, further ones when all are busy.
 */
export function createSchemaRunner(): SchemaRunner {
  const queue: Waiting[] = [];
  const threads = new Set<SchemaThread>();
  /** Running jobs by schema. */
  const running = new Map<string, Waiting>();
  /** Schemas that have timed out, the latest last. */
  const costly = new Set<string>();
  let isClosed = false;
  let failedStarts = 0;
  let lastId = 0;

  function start(): void {
    threads.add(
      startSchemaThread({
        onFree() {
          failedStarts = 0;
          next();
        },
        onGone(thread, error) {
          threads.delete(thread);
          if (isClosed) return;
          if (error !== null) failedStarts += 1;
          // A thread that cannot start is a local error, not the schema's: fail the jobs, and retry with the next one.
          if (failedStarts < maxFailedStarts) start();
          else if (threads.size === 0 && error !== null) for (const waiting of queue.splice(0)) waiting.fail(error);
          next();
        },
      }),
    );
  }

  /** Removes the first job that may run in parallel with the running ones. */
  function takeJob(): Waiting | undefined {
    const isCostlyRunning = [...running.keys()].some((schema) => costly.has(schema));
    const index = queue.findIndex(
      ({ job: { schema } }) => !running.has(schema) && !(isCostlyRunning && costly.has(schema)),
    );
    return index === -1 ? undefined : queue.splice(index, 1)[0];
  }

  function next(): void {
    if (isClosed) return;
    const free = [...threads].filter((thread) => thread.isFree());
    for (let thread = free.shift(); thread !== undefined; thread = free.shift()) {
      const waiting = takeJob();
      if (waiting === undefined) break;
      run(thread, waiting);
    }
    // Idle threads must not keep the process alive.
    const isNeeded = queue.length > 0 || running.size > 0;
    for (const thread of threads) thread.hold(isNeeded);
  }

  function run(thread: SchemaThread, waiting: Waiting): void {
    const { job, timeoutMs, settle } = waiting;
    running.set(job.schema, waiting);
    thread.apply(job, timeoutMs, (verdict, isCostly) => {
      running.delete(job.schema);
      if (isCostly) remember(job.schema);
      settle(verdict);
    });
    const isAnyLeft = [...threads].some((one) => one !== thread && one.isFree());
    if (!isAnyLeft && threads.size < maxThreads) start();
  }

  function remember(schema: string): void {
    costly.delete(schema);
    costly.add(schema);
    const [oldest] = costly;
    if (costly.size > costlyKept && oldest !== undefined) costly.delete(oldest);
  }

  start();
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
        queue.push({ job, timeoutMs, settle, fail });
        if (threads.size === 0) {
          failedStarts = 0;
          start();
        }
        next();
      });
    },
    async close() {
      isClosed = true;
      for (const waiting of [...running.values(), ...queue.splice(0)])
        waiting.fail(new Error('the schema runner was closed'));
      await Promise.all([...threads].map((thread) => thread.end()));
      threads.clear();
    },
  };
}
