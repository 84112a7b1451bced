// A stream that is joined late may lose text (if the server publishes before it stores) or repeat some (if it stores
// first). Its artifacts are therefore only hints: the task is read, which has all text once, and what differs is shown.
import { setTimeout as wait } from 'node:timers/promises';
import type { A2aState, TurnEvent } from '../../contract/tasks/turn.ts';

interface Joined {
  events: AsyncIterator<TurnEvent>;
  readTask(): Promise<TurnEvent>;
  /** Shortest time between two polls of the task. */
  pollEveryMs: number;
  /** How long the task may lag behind its own stream at the end of a turn. */
  settleMs: number;
  signal: AbortSignal;
}

/** After a slow poll (a large task) the next one waits this many times as long as it took. */
const restFactor = 4;
const endStates: readonly A2aState[] = [
  'completed',
  'failed',
  'rejected',
  'canceled',
  'input-required',
  'auth-required',
];

/** The same stream with the task, read again, in place of its artifacts, and before each event that ends the turn. */
export async function* joinStream(joined: Joined): AsyncGenerator<TurnEvent, void, undefined> {
  const { events, signal } = joined;
  let next: Promise<IteratorResult<TurnEvent>> | null = null;
  let isBehind = false;
  let pollAtMs = 0;
  const read = async (): Promise<TurnEvent> => {
    const startedMs = performance.now();
    const task = await joined.readTask();
    const nowMs = performance.now();
    pollAtMs = nowMs + Math.max(joined.pollEveryMs, restFactor * (nowMs - startedMs));
    isBehind = false;
    return task;
  };
  for (;;) {
    if (next === null) {
      next = events.next();
      // Its failure surfaces when it is awaited, if anybody still does.
      next.catch(() => undefined);
    }
    const result: IteratorResult<TurnEvent> | 'due' = isBehind
      ? await before(next, pollAtMs - performance.now(), signal)
      : await next;
    if (result === 'due') {
      yield await read();
      continue;
    }
    next = null;
    if (result.done === true) break;
    const event = result.value;
    if (event.type === 'artifact') {
      isBehind = true;
      continue;
    }
    if (event.type === 'status' && endStates.includes(event.state)) yield await readSettled(joined, read, event);
    yield event;
  }
  if (isBehind) yield await read();
}

/** The task as the stream has just reported it, or, when its store does not follow in time, as it stands. */
async function readSettled(
  joined: Joined,
  read: () => Promise<TurnEvent>,
  message: Extract<TurnEvent, { type: 'status' }>,
): Promise<TurnEvent> {
  const untilMs = performance.now() + joined.settleMs;
  for (;;) {
    const task = await read();
    const isSame = task.type === 'task' && task.state === message.state && idOf(task) === idOf(message);
    if (isSame || performance.now() >= untilMs) return task;
    await wait(joined.pollEveryMs / 4, undefined, { signal: joined.signal });
  }
}

const idOf = (event: Extract<TurnEvent, { type: 'task' | 'status' }>): string | null =>
  event.message?.messageId ?? null;

async function before<T>(next: Promise<T>, waitMs: number, signal: AbortSignal): Promise<T | 'due'> {
  if (waitMs <= 0) return 'due';
  const timer = new AbortController();
  try {
    return await Promise.race([
      next,
      wait(waitMs, 'due' as const, { signal: AbortSignal.any([signal, timer.signal]) }),
    ]);
  } finally {
    timer.abort();
  }
}
