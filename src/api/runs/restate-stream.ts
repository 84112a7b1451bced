// Answers that only read: nothing of them reaches Temporal, and they have no log of their own.
import type { ThreadId } from '../../contract/base/id-types.ts';
import type { AguiEvent } from '../../contract/tasks/run.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { HoldRow, RunRow, TaskRow } from '../../store/store.ts';
import { emptyProjection, type Projection } from '../../wire/agui/model/projection.ts';
import { followFrom, relabel, restateEvents, withAnswered, type Reader } from '../../wire/agui/project/restate.ts';
import type { StreamItem } from '../http/formats.ts';
import { rowsFollowMs } from '../engine/follow-rows.ts';
import { outcomeOfLast, threadStatusOf, type ThreadStatus, type Settled } from './thread-status.ts';
import { reduceLog, followLog, forCaller, isEndEvent } from '../tasks/run-log.ts';
import { readerOf, type RunAsk } from './run-plan.ts';
import type { RunReader } from './run-stream.ts';
import { isObject } from '../../core/base/json.ts';
import type { RowWrites, RunTimes, RunViewReads, ViewReads, WithStore } from '../api-parts.ts';

export interface RestateAsk {
  reader: RunReader;
  clientState: Json | undefined;
  clientMessages: Reader['clientMessages'];
  /** The thread that is read; not always the reader's. */
  thread: { agent: string; threadId: ThreadId };
  /** The task whose present state is restated; null: the thread has none. */
  task: TaskRow | null;
  /** How much of the conversation is restated at most; null: all. */
  historyLength: number | null;
  /** Holds whose recorded outcome is asked for: a replayed resume. */
  replayed: HoldRow[];
}

/** Reads this task, or the thread where it has none. */
export function readingOf(ask: RunAsk, task: TaskRow | null): RestateAsk {
  const { agent, input } = ask;
  return {
    reader: readerOf(ask),
    clientState: input.state,
    clientMessages: input.messages,
    thread: { agent, threadId: task?.threadId ?? input.threadId },
    task,
    historyLength: input.options.historyLength,
    replayed: [],
  };
}

/** Longest pause between two runs of a task while workers live. */
const betweenMs = 15_000;

async function waitForCarrier(api: WithStore, ask: RestateAsk, signal: AbortSignal): Promise<RunRow | null> {
  const { agent, threadId } = ask.thread;
  if (ask.replayed.length === 0) return null;
  const holds = ask.replayed.map(({ holdId }) => holdId);
  const check = async (): Promise<RunRow | null> => {
    const rows = await api.store.holds.many(holds);
    const runId = rows.map(({ carriedByRun }) => carriedByRun).find((id) => id !== null);
    return runId === undefined ? null : api.store.runs.get({ agent, threadId, runId });
  };
  return api.store.waitFor({ holds }, check, { timeoutMs: rowsFollowMs, signal });
}

/** What the thread came to, as its newest log tells. */
async function threadProjection(api: WithStore, ask: RestateAsk): Promise<Projection> {
  const { agent, threadId } = ask.thread;
  const newest = await api.store.runs.newest(agent, threadId);
  if (newest !== null) return (await reduceLog(api, newest)).projection;
  const row = await api.store.threads.get(agent, threadId);
  const empty = emptyProjection(threadId, ask.reader.runId);
  return row === null ? empty : { ...empty, state: row.state, messages: row.messages };
}

async function currentProjection(api: RowWrites, ask: RestateAsk, { answered }: Settled): Promise<Projection> {
  const projection = await threadProjection(api, ask);
  if (ask.task === null || answered.length === 0) return projection;
  const { taskId, agent } = ask.task;
  return withAnswered(projection, answered, { taskId, agent, now: api.now().toISOString() });
}

async function settle(
  api: ViewReads,
  ask: RestateAsk,
  signal: AbortSignal,
): Promise<Exclude<ThreadStatus, { kind: 'between' }>> {
  const check = async (): Promise<Exclude<ThreadStatus, { kind: 'between' }> | null> => {
    const status = await threadStatusOf(api, ask.task, ask.reader.principal);
    return status.kind === 'between' ? null : status;
  };
  const settled = await api.store.waitFor({ threads: [ask.thread] }, check, { timeoutMs: betweenMs, signal });
  if (settled !== null) return settled;
  throw new StandfastError('worker_unavailable', 'the task is going on, but no worker shows it yet; ask again');
}

/** Snapshots, then the running log to its end, or the outcome. */
export async function* restateStream(
  api: RunViewReads,
  ask: RestateAsk,
  signal: AbortSignal,
): AsyncGenerator<StreamItem[]> {
  const reader: Reader = { ...ask.reader, clientState: ask.clientState, clientMessages: ask.clientMessages };
  const limit = createHistoryLimit(ask.historyLength, ask.clientMessages);
  const report = (events: AguiEvent[]): StreamItem[] => events.map((event) => ({ event: limit(event) }));

  const carrier = await waitForCarrier(api, ask, signal);
  if (carrier !== null && carrier.status !== 'open') {
    const recorded = outcomeOfLast((await reduceLog(api, carrier)).last);
    if (recorded !== null) {
      yield report(restateEvents(reader, await threadProjection(api, ask), recorded));
      return;
    }
  }
  const status: Exclude<ThreadStatus, { kind: 'between' }> =
    carrier?.status === 'open' ? { kind: 'running', run: carrier } : await settle(api, ask, signal);
  if (signal.aborted) return;
  if (status.kind === 'settled') {
    yield report(restateEvents(reader, await currentProjection(api, ask, status), status.outcome));
    return;
  }
  for await (const events of follow(api, ask, reader, status.run, signal)) yield report(events);
}

async function* follow(
  api: RunTimes,
  ask: RestateAsk,
  reader: Reader,
  run: RunRow,
  signal: AbortSignal,
): AsyncGenerator<AguiEvent[]> {
  const toReader = async (event: AguiEvent): Promise<AguiEvent[]> =>
    relabel(await forCaller(api, ask.thread, event, ask.reader.principal), reader);
  const { projection, lastSeq, last } = await reduceLog(api, run);
  const restated = restateEvents(reader, projection, null);
  if (last !== null && isEndEvent(last)) {
    // It ended while it was read: its own last event is the outcome.
    yield [...restated, ...(await toReader(last))];
    return;
  }
  yield [...restated, ...followFrom(projection)];
  for await (const entries of followLog(api, run.logId, lastSeq, signal)) {
    const events: AguiEvent[] = [];
    for (const { event } of entries) {
      // A log that had nothing yet begins here; the reader's run has begun already.
      if (event.type === 'RUN_STARTED') continue;
      events.push(...(await toReader(event)));
      if (isEndEvent(event)) {
        yield events;
        return;
      }
    }
    yield events;
  }
  if (!signal.aborted) throw new StandfastError('internal', 'the run was closed without a word on how it ended');
}

/**
 * Leaves the oldest messages out of MESSAGES_SNAPSHOT, so that `length` of them stay; what the first one leaves out, the
 * later ones of the same stream leave out too. Cards stay, and what the client holds: it would lose that.
 */
function createHistoryLimit(
  length: number | null,
  clientMessages: readonly JsonObject[],
): (event: AguiEvent) => AguiEvent {
  if (length === null) return (event) => event;
  const held = new Set(clientMessages.map((message) => message['id']));
  let left: Set<unknown> | null = null;
  return (event) => {
    if (event.type !== 'MESSAGES_SNAPSHOT' || !Array.isArray(event['messages'])) return event;
    const messages = event['messages'].filter(isObject);
    if (left === null) {
      const outgoing = messages.filter((message) => message['role'] !== 'activity');
      const old = outgoing.slice(0, Math.max(0, outgoing.length - length)).map((message) => message['id']);
      left = new Set(old.filter((id) => !held.has(id)));
    }
    const gone = left;
    return { ...event, messages: messages.filter((message) => !gone.has(message['id'])) };
  };
}
