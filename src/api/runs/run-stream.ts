// The tail of a run's log as the answer to its POST. It always ends in a terminal event, and never waits without bound.
import type { RunId, ThreadId } from '../../contract/base/id-types.ts';
import type { AguiEvent, RunKey } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { RunRow } from '../../store/store.ts';
import { downgradeFor } from '../../wire/agui/project/downgrade.ts';
import type { Admission } from './submit-run.ts';
import type { StreamItem } from '../http/formats.ts';
import { problemOf, type Problem } from '../http/problems.ts';
import { followLog, forCaller, isEndEvent } from '../tasks/run-log.ts';
import { isWorkerThere, noAnswerError } from '../engine/temporal-failures.ts';
import { isObject } from '../../core/base/json.ts';
import type { RunTimes, WithStore } from '../api-parts.ts';

/** Who reads a run, and by which names. */
export interface RunReader {
  principal: Principal;
  threadId: ThreadId;
  runId: RunId;
  /** Undefined: a peer older than AG-UI 1.0. */
  protocol: string | undefined;
}

/** How long a run that was admitted may take to show its log while workers live, and while none does. */
const firstSignMs = { withWorker: 60_000, without: 10_000 };
/** How long an unconfirmed run is waited for while workers live. */
const unconfirmedMs = 20_000;
const pollMs = 2_000;

/** A refusal on this response only: it never enters the run's log. */
function runError(problem: Pick<Problem, 'code' | 'detail' | 'errors'>): AguiEvent {
  const errors = problem.errors?.slice(0, 50).map(({ path, message }): JsonObject => ({ path, message }));
  return {
    type: 'RUN_ERROR',
    code: problem.code,
    message: problem.detail,
    ...(errors === undefined ? {} : { metadata: { errors } }),
  };
}

export const runErrorOf = (error: unknown): AguiEvent => runError(problemOf(error));

export type RunWait = Extract<Admission, { result: 'admitted' | 'unanswered' }>;

/** The run that was just posted, once its log is there; null when its reader has left. */
export async function waitForLog(
  api: WithStore,
  key: RunKey,
  admission: RunWait,
  signal: AbortSignal,
): Promise<RunRow | null> {
  const startedMs = performance.now();
  for (let timeoutMs = admission.result === 'admitted' ? pollMs : 0; ; timeoutMs = pollMs) {
    const run = await api.store.waitForRun(key, { signal, timeoutMs });
    if (run !== null || signal.aborted) return run;
    const isThere = await isWorkerThere(api);
    const by = admission.result === 'unanswered' ? admission.by : 'worker';
    const retryForMs =
      admission.result !== 'unanswered'
        ? isThere
          ? firstSignMs.withWorker
          : firstSignMs.without
        : isThere && by === 'worker'
          ? unconfirmedMs
          : 0;
    if (performance.now() - startedMs >= retryForMs) throw await noAnswerError(api, by, 'worker_unavailable');
  }
}

/** Run and thread by the reader's names, the input that RUN_STARTED shows included. */
function namedAs(event: AguiEvent, names: { threadId: ThreadId; runId: RunId }): AguiEvent {
  if (event.type === 'RUN_FINISHED') return { ...event, ...names };
  if (event.type !== 'RUN_STARTED') return event;
  const { input } = event;
  return { ...event, ...names, ...(isObject(input) ? { input: { ...input, ...names } } : {}) };
}

/** The run's events from its first, by the reader's ids. */
export async function* tailRun(
  api: RunTimes,
  reader: RunReader,
  run: RunRow,
  signal: AbortSignal,
): AsyncGenerator<StreamItem[]> {
  const { threadId, runId } = reader;
  for await (const entries of followLog(api, run.logId, 0, signal)) {
    const items: StreamItem[] = [];
    for (const { event } of entries) {
      const personal = await forCaller(api, run, namedAs(event, { threadId, runId }), reader.principal);
      items.push(...downgradeFor(personal, reader.protocol).map((one) => ({ event: one })));
      if (isEndEvent(event)) {
        yield items;
        return;
      }
    }
    yield items;
  }
  if (!signal.aborted) throw new StandfastError('internal', 'the run was closed without a word on how it ended');
}
