// Follows programs' questions, any number of one caller by one wait: until the first of them is open, or has ended.
import type { HoldId, ThreadId } from '../../contract/base/id-types.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import { askAgent } from '../../core/base/ids.ts';
import type { NewestHold } from '../../store/ports/hold-notes.ts';
import { askRunId, askThreadId, newestRuns, refuseUnfitId } from './ask-runs.ts';
import { sleep } from '../../host/process/sleep.ts';
import type { WithStore } from '../api-parts.ts';

/** A question as it is now; null: it was kept, and is not open yet, which takes moments. */
export interface FollowedAsk {
  id: string;
  hold: NewestHold | null;
}

export interface Followed {
  asks: FollowedAsk[];
  /** Nothing was asked under these. */
  unknown: string[];
}

interface Wait {
  until: 'opened' | 'ended';
  timeoutMs: number;
  signal: AbortSignal;
}

/** What changes together is read once. */
const gatherMs = 100;

/** Whether a question is as far as its program waits for. */
export const hasReached = ({ hold }: FollowedAsk, until: Wait['until']): boolean =>
  hold !== null && (until === 'opened' || hold.status !== 'open');

/** How all of them are, as soon as one is as far as is waited for, or at the end of the wait. */
export async function followAsks(
  { store }: WithStore,
  ids: readonly string[],
  principal: Pick<Principal, 'id'>,
  { until, timeoutMs, signal }: Wait,
): Promise<Followed> {
  for (const id of ids) refuseUnfitId(id);
  const untilMs = performance.now() + timeoutMs;
  const threads = new Map(ids.map((id) => [askThreadId(principal, id), id]));
  const threadIds = [...threads.keys()];
  const newest = await newestRuns({ store }, threadIds);
  const read = async (): Promise<Followed> =>
    standing(await store.holds.newestOf(askAgent, threadIds), threads, newest);
  let followed = await read();
  const leftMs = (): number => untilMs - performance.now();
  while (!isOver(followed, until) && leftMs() > 0 && !signal.aborted) {
    const known = openIn(followed);
    let isFirst = true;
    const changed = async (): Promise<Followed | null> => {
      if (!isFirst && ids.length > 1) await sleep(gatherMs);
      isFirst = false;
      const next = await read();
      // Its end is news of its hold, which is known only now.
      return isOver(next, until) || openIn(next).length > known.length ? next : null;
    };
    const unopened = followed.asks.filter(({ hold }) => hold === null);
    const on = {
      holds: known,
      threads: unopened.map(({ id }) => ({ agent: askAgent, threadId: askThreadId(principal, id) })),
    };
    followed = (await store.waitFor(on, changed, { timeoutMs: Math.max(leftMs(), 0), signal })) ?? followed;
  }
  return followed;
}

const isOver = ({ asks, unknown }: Followed, until: Wait['until']): boolean =>
  unknown.length > 0 || asks.some((ask) => hasReached(ask, until));

const openIn = ({ asks }: Followed): HoldId[] => asks.flatMap(({ hold }) => (hold === null ? [] : [hold.holdId]));

function standing(
  holds: readonly NewestHold[],
  threads: ReadonlyMap<ThreadId, string>,
  newest: ReadonlyMap<ThreadId, number>,
): Followed {
  const found = new Map(holds.map((hold) => [hold.threadId, hold]));
  const followed: Followed = { asks: [], unknown: [] };
  for (const [threadId, id] of threads) {
    const hold = found.get(threadId) ?? null;
    const n = newest.get(threadId);
    if (hold === null && n === undefined) followed.unknown.push(id);
    // Of a question that was replaced the answer is none to the one that replaced it.
    else
      followed.asks.push({
        id,
        hold: n === undefined || n === 1 || hold?.openedInRun === askRunId(id, n) ? hold : null,
      });
  }
  return followed;
}

export const neverAsked = (id: string): HoldpointError =>
  new HoldpointError('not_found', `nothing was asked under the id ${id}; ask with the whole question`);
