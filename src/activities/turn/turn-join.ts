// A stream that is joined late may lose text (if the server publishes before it stores) or repeat some (if it stores
// first). Its artifacts are therefore only hints: the task is read, which has all text once, and what differs is shown.
import { isEndState, isPausedState } from '../../contract/tasks/agent-state-names.ts';
import type { A2aState, TurnEvent } from '../../contract/tasks/turn.ts';
import { orLate, type Clock } from '../../host/process/clock.ts';

interface Joined {
  events: AsyncIterator<TurnEvent>;
  readTask(): Promise<TurnEvent>;
  /** Shortest time between two polls of the task. */
  pollEveryMs: number;
  /** How long the task may lag behind its own stream at the end of a turn. */
  settleMs: number;
  clock: Clock;
  signal: AbortSignal;
}

/** After a slow poll (a large task) the next one waits this many times as long as it took. */
const restFactor = 4;
const endsTurn = (state: A2aState): boolean => isEndState(state) || isPausedState(state);

/** The same stream with the task, read again, in place of its artifacts, and before each event that ends the turn. */
export async function* joinStream(joined: Joined): AsyncGenerator<TurnEvent, void, undefined> {
  const { events, clock } = joined;
  let next: Promise<IteratorResult<TurnEvent>> | null = null;
  let isBehind = false;
  let pollAtMs = 0;
  const read = async (): Promise<TurnEvent> => {
    const startedMs = clock.nowMs();
    const task = await joined.readTask();
    const nowMs = clock.nowMs();
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
      ? await before(next, pollAtMs - clock.nowMs(), clock)
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
    if (event.type === 'status' && endsTurn(event.state)) yield await readSettled(joined, read, event);
    yield event;
  }
  if (isBehind) yield await read();
}

/** The task as the stream has just reported it, or, when its store does not follow in time, as it is. */
async function readSettled(
  joined: Joined,
  read: () => Promise<TurnEvent>,
  message: Extract<TurnEvent, { type: 'status' }>,
): Promise<TurnEvent> {
  const { clock } = joined;
  const untilMs = clock.nowMs() + joined.settleMs;
  for (;;) {
    const task = await read();
    const isSame = task.type === 'task' && task.state === message.state && idOf(task) === idOf(message);
    if (isSame || clock.nowMs() >= untilMs) return task;
    await clock.wait(joined.pollEveryMs / 4, joined.signal);
  }
}

const idOf = (event: Extract<TurnEvent, { type: 'task' | 'status' }>): string | null =>
  event.message?.messageId ?? null;

async function before<T>(next: Promise<T>, waitMs: number, clock: Clock): Promise<T | 'due'> {
  return waitMs <= 0 ? 'due' : orLate(clock, next, waitMs, 'due' as const);
}
