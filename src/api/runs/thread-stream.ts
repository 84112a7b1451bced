// The resumable stream of a thread: one run after the other, each event named `<logId>:<seq>`.
import type { ThreadId } from '../../contract/base/id-types.ts';
import type { AguiEvent } from '../../contract/tasks/run.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { RunRow } from '../../store/store.ts';
import { downgradeFor } from '../../wire/agui/project/downgrade.ts';
import type { ApiContext } from '../api-context.ts';
import type { StreamItem } from '../http/formats.ts';
import { forCaller, isEndEvent } from '../tasks/run-log.ts';
import type { RowWrites, WithStore } from '../api-parts.ts';

interface ThreadReader {
  agent: string;
  threadId: ThreadId;
  principal: Principal;
  protocol: string | undefined;
  lastEventId: string | undefined;
  /** Wait for what comes; otherwise end when caught up. */
  isFollowing: boolean;
}

interface ThreadPosition {
  run: RunRow;
  afterSeq: number;
}

const pollMs = 5_000;
/** The store wakes the waiting request; this only bounds one wait. */
const nextRunMs = 60_000;
const pageSize = 500;

/** The place a Last-Event-ID names; null when it is none of this thread's. */
async function positionOf(api: WithStore, reader: ThreadReader): Promise<ThreadPosition | null> {
  const [, logText, seqText] = /^(\d{1,15}):(\d{1,9})$/.exec(reader.lastEventId ?? '') ?? [];
  if (logText === undefined || seqText === undefined) return null;
  const logId = Number(logText);
  const { agent, threadId } = reader;
  const newest = await api.store.runs.newest(agent, threadId);
  const run = newest?.logId === logId ? newest : await olderRun(api, reader, logId);
  return run !== null && Number(seqText) <= run.lastSeq ? { run, afterSeq: Number(seqText) } : null;
}

/** A log id is only a number: the run that the log itself names must be this thread's, and have this log. */
async function olderRun(api: WithStore, { agent, threadId }: ThreadReader, logId: number): Promise<RunRow | null> {
  const [first] = await api.store.log.read(logId, 0, 1);
  const runId = first?.event['runId'];
  if (typeof runId !== 'string') return null;
  const run = await api.store.runs.get({ agent, threadId, runId });
  return run?.logId === logId && !run.isControl ? run : null;
}

async function* entriesOf(
  api: RowWrites,
  position: ThreadPosition,
  isFollowing: boolean,
  signal: AbortSignal,
): ReturnType<ApiContext['store']['tail']> {
  if (isFollowing) {
    yield* api.store.tail(position.run.logId, position.afterSeq, { signal, idleMs: pollMs });
    return;
  }
  let { afterSeq } = position;
  for (;;) {
    const entries = await api.store.log.read(position.run.logId, afterSeq, pageSize);
    if (entries.length > 0) yield entries;
    afterSeq = entries.at(-1)?.seq ?? afterSeq;
    if (entries.length < pageSize) return;
  }
}

async function nextRun(
  api: RowWrites,
  reader: ThreadReader,
  after: number,
  signal: AbortSignal,
): Promise<RunRow | null> {
  do {
    const timeoutMs = reader.isFollowing ? nextRunMs : 0;
    const newest = await api.store.waitForNewest(reader, after, { signal, timeoutMs });
    if (newest !== null) return newest;
  } while (reader.isFollowing && !signal.aborted);
  return null;
}

export async function* threadStream(
  api: RowWrites,
  reader: ThreadReader,
  signal: AbortSignal,
): AsyncGenerator<StreamItem[]> {
  const report = async (event: AguiEvent, id: string): Promise<StreamItem[]> => {
    const personal = await forCaller(api, reader, event, reader.principal);
    // The id is on the event itself, the last one: a reader who was cut off before it gets all of them again.
    return downgradeFor(personal, reader.protocol).map((one, at, all) =>
      at === all.length - 1 ? { event: one, id } : { event: one },
    );
  };

  let position = await positionOf(api, reader);
  let doneLogId = 0;
  while (!signal.aborted) {
    if (position === null) {
      const run = await nextRun(api, reader, doneLogId, signal);
      if (run === null) return;
      position = { run, afterSeq: 0 };
    }
    const { logId } = position.run;
    for await (const entries of entriesOf(api, position, reader.isFollowing, signal)) {
      const items: StreamItem[] = [];
      for (const { seq, event } of entries) items.push(...(await report(event, `${logId}:${seq}`)));
      yield items;
      // Its end is sent: nothing may follow it in this run.
      if (entries.some(({ event }) => isEndEvent(event))) break;
    }
    doneLogId = logId;
    position = null;
  }
}
