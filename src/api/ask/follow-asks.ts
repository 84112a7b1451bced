// Follows programs' questions, any number of one caller by one wait: until the first of them is open, or has ended.
import type { HoldId, ThreadId } from '../../contract/base/id-types.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { askAgent } from '../../core/base/ids.ts';
import type { NewestHold } from '../../store/ports/hold-notes.ts';
import { versionOfRun } from '../../core/questions/ask-answer.ts';
import { askThreadId, newestRuns, isFitId } from './ask-runs.ts';
import { sleep } from '../../host/process/sleep.ts';
import type { WithStore } from '../api-parts.ts';

/** A question as it is now; null: it was kept, and is not open yet, which takes moments. */
export interface FollowedAsk {
  id: string;
  /** Which question under its id, from 1. */
  version: number;
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

/** Of several, what changes together is read once; the more are followed, the longer it is gathered. */
const gatherMs = (count: number): number => Math.min(100 + count / 5, 400);

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
  const untilMs = performance.now() + timeoutMs;
  // Nothing can have been asked under an unfit id: it is unknown, and costs the others nothing.
  const unfit = ids.filter((id) => !isFitId(id));
  const fit = ids.filter(isFitId);
  const threads = new Map(fit.map((id) => [askThreadId(principal, id), id]));
  const threadIds = [...threads.keys()];
  const newest = await newestRuns({ store }, threadIds);
  const found = new Map<ThreadId, NewestHold>();
  const withNews = (holds: readonly NewestHold[]): Followed => {
    for (const hold of holds) found.set(hold.threadId, hold);
    const { asks, unknown } = standing(found, threads, newest);
    return { asks, unknown: [...unfit, ...unknown] };
  };
  let followed = withNews(await store.holds.newestOf(askAgent, threadIds));
  /** Of a thousand that wait few have news: what is known of the others is not read again. */
  const news = async (): Promise<Followed> =>
    withNews(
      (
        await Promise.all([
          store.holds.newestOf(askAgent, unopenedIn(followed, principal)),
          until === 'ended' ? store.holds.endedOf(openIn(followed)) : [],
        ])
      ).flat(),
    );
  const leftMs = (): number => untilMs - performance.now();
  while (!isOver(followed, until) && leftMs() > 0 && !signal.aborted) {
    const known = openIn(followed);
    let isFirst = true;
    const changed = async (): Promise<Followed | null> => {
      if (!isFirst && ids.length > 1) await sleep(gatherMs(ids.length));
      isFirst = false;
      const next = await news();
      // Its end is news of its hold, which is known only now.
      return isOver(next, until) || openIn(next).length > known.length ? next : null;
    };
    const unopened = unopenedIn(followed, principal);
    const on = { holds: known, threads: unopened.map((threadId) => ({ agent: askAgent, threadId })) };
    followed = (await store.waitFor(on, changed, { timeoutMs: Math.max(leftMs(), 0), signal })) ?? followed;
  }
  return followed;
}

const isOver = ({ asks, unknown }: Followed, until: Wait['until']): boolean =>
  unknown.length > 0 || asks.some((ask) => hasReached(ask, until));

const openIn = ({ asks }: Followed): HoldId[] => asks.flatMap(({ hold }) => (hold === null ? [] : [hold.holdId]));

const unopenedIn = ({ asks }: Followed, principal: Pick<Principal, 'id'>): ThreadId[] =>
  asks.flatMap(({ id, hold }) => (hold === null ? [askThreadId(principal, id)] : []));

function standing(
  found: ReadonlyMap<ThreadId, NewestHold>,
  threads: ReadonlyMap<ThreadId, string>,
  newest: ReadonlyMap<ThreadId, number>,
): Followed {
  const followed: Followed = { asks: [], unknown: [] };
  for (const [threadId, id] of threads) {
    const hold = found.get(threadId) ?? null;
    const n = newest.get(threadId);
    const asked = hold === null ? 1 : versionOfRun(hold.openedInRun);
    // One that was asked since then is newer than what was read of its run.
    const version = Math.max(n ?? 1, asked);
    if (hold === null && n === undefined) followed.unknown.push(id);
    // Of a question that was replaced the answer is none to the one that replaced it.
    else followed.asks.push({ id, version, hold: asked === version ? hold : null });
  }
  return followed;
}

export const neverAsked = (id: string): StandfastError =>
  new StandfastError('not_found', `nothing was asked under the id ${id}; ask with the whole question`);
