// Reading a run's log for one caller.
import type { ThreadId } from '../../contract/base/id-types.ts';
import type { AguiEvent, LogEntry } from '../../contract/tasks/run.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isTimeUp } from '../../core/answers/time-up.ts';
import { mayDecide } from '../../core/policy/audience.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { RunRow } from '../../store/store.ts';
import { emptyProjection, reduceEvent, type Projection } from '../../wire/agui/model/projection.ts';
import { isWorkerThere } from '../engine/temporal-failures.ts';
import { isObject, objectOf } from '../../core/base/json.ts';
import type { RowWrites, RunReads, WithStore } from '../api-parts.ts';

const pollMs = 5_000;
/** A log without news for this long while no worker lives is not waited for any longer. */
const stalledMs = 30_000;
const pageSize = 500;

export const isEndEvent = (event: AguiEvent): boolean => event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR';

/** The log after `afterSeq` until its end; throws `worker_unavailable` when no worker lives to go on writing it. */
export async function* followLog(
  api: RunReads,
  logId: number,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<LogEntry[]> {
  const leave = api.runReaders.enter(logId);
  try {
    let movedAtMs = performance.now();
    for await (const entries of api.store.tail(logId, afterSeq, { signal, idleMs: pollMs })) {
      if (entries.length > 0) {
        yield entries;
        movedAtMs = performance.now();
      } else if (performance.now() - movedAtMs > stalledMs && !(await isWorkerThere(api))) {
        throw new StandfastError(
          'worker_unavailable',
          'no worker is going on with this run now; it will be gone on with, and the same runId reads it',
        );
      }
    }
  } finally {
    leave();
  }
}

/** Everything a log holds now, reduced, with its last event. */
export async function reduceLog(
  api: WithStore,
  run: RunRow,
): Promise<{ projection: Projection; lastSeq: number; last: AguiEvent | null }> {
  let projection = emptyProjection(run.threadId, run.runId);
  let lastSeq = 0;
  let last: AguiEvent | null = null;
  for (;;) {
    const entries = await api.store.log.read(run.logId, lastSeq, pageSize);
    for (const { seq, event } of entries) {
      projection = reduceEvent(projection, event);
      lastSeq = seq;
      last = event;
    }
    if (entries.length < pageSize) return { projection, lastSeq, last };
  }
}

/** The log is the same for all; who may decide is computed for each reader: of an ended question as while it was open. */
export async function forCaller(
  api: RowWrites,
  thread: { agent: string; threadId: ThreadId },
  event: AguiEvent,
  principal: Principal,
): Promise<AguiEvent> {
  const outcome = event['outcome'];
  if (event.type !== 'RUN_FINISHED' || !isObject(outcome) || !Array.isArray(outcome['interrupts'])) return event;
  const interrupts = outcome['interrupts'].filter(isObject);
  const ids = interrupts.map((interrupt) => interrupt['id']).filter((id) => typeof id === 'string');
  const holds = await api.store.holds.byInterrupt(thread.agent, thread.threadId, ids);
  const now = api.now().toISOString();
  const personal = interrupts.map((interrupt) => {
    const hold = holds.find((one) => one.interruptId === interrupt['id']);
    const metadata = objectOf(interrupt['metadata']);
    const standfast = objectOf(metadata['standfast']);
    const may = hold !== undefined && !isTimeUp(hold, now) && mayDecide(hold, principal, hold.owner);
    return { ...interrupt, metadata: { ...metadata, standfast: { ...standfast, mayDecide: may } } };
  });
  return { ...event, outcome: { ...outcome, interrupts: personal } };
}
