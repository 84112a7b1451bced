// A subscription, followed for as long as its caller reads: connected again when it breaks, subscribed again when it is lost.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import { EngramCallError, EngramUnreachable, type EngramFrame } from '../../contract/views/engram.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { EngramPosition } from '../../store/ports/engram.ts';
import {
  bySequence,
  EngramFault,
  mirrorOf,
  readEvent,
  takeEvent,
  withRead,
  type Mirror,
  type MirroredRecord,
} from '../../wire/agui/engram/mirror.ts';
import { getRecord, inContext, listRecords, type EngramSource } from './records.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import { sleep } from '../../host/process/sleep.ts';
import { backoff } from '../../core/base/backoff.ts';

interface Following extends EngramSource {
  position: EngramPosition;
  save: (position: EngramPosition) => Promise<void>;
  /** How long an agent may be away before the run gives up. */
  outageMs: number;
  firstWaitMs?: number;
}

/** What the records are after an event, and that event; `event` null: they were read. */
interface RecordsStep {
  mirror: Mirror;
  event: Json;
}

const mostWaitMs = 30_000;
const lastWordMs = 5_000;

/** A subscription while it is followed. */
interface Subscription extends Following {
  signal: AbortSignal;
  mirror: Mirror;
  /** Whether the agent has refused to stream a subscription since its last event. */
  hasResubscribed: boolean;
}

/** Ends with why the subscription ended, in the agent's words; returns null when the caller has left. */
export async function* followRecords(
  following: Following,
  signal: AbortSignal,
): AsyncGenerator<RecordsStep, string | null> {
  const { outageMs, firstWaitMs = 500 } = following;
  // Safe: rows hold what was a record when it was written.
  const mirror = mirrorOf(following.position.records as unknown as MirroredRecord[]);
  const subscription: Subscription = { ...following, signal, mirror, hasResubscribed: false };
  let awaySince: number | null = null;
  try {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        const connection = connect(subscription);
        for (let step = await connection.next(); ; step = await connection.next()) {
          if (step.done === true) {
            if (step.value !== null) return step.value;
            break;
          }
          awaySince = null;
          // A list of records is not a sign that the stream works; what comes by it is.
          if (step.value.event !== null) [failures, subscription.hasResubscribed] = [0, false];
          yield step.value;
        }
      } catch (error) {
        if (signal.aborted) return null;
        if (!(error instanceof EngramUnreachable)) throw error;
        awaySince ??= performance.now();
        if (performance.now() - awaySince > outageMs) throw new StandfastError('agent_unreachable', error.message);
      }
      const waitMs = backoff(failures, { firstMs: firstWaitMs, mostMs: mostWaitMs }, Math.random());
      await sleep(waitMs, { signal }).catch(() => null);
    }
    return null;
  } finally {
    if (signal.aborted) await leave(subscription);
  }
}

async function keep(subscription: Subscription, change: Partial<EngramPosition>): Promise<void> {
  // Safe: records are JSON.
  const records = [...subscription.mirror.values()] as unknown as JsonObject[];
  subscription.position = { ...subscription.position, ...change, records };
  await subscription.save(subscription.position);
}

async function subscribe(subscription: Subscription): Promise<A2aTaskId> {
  const { agent, filter: asked, position, signal } = subscription;
  const { key, keyPrefix = '' } = asked;
  const filter: JsonObject = key === undefined ? { keyPrefix } : { keyPrefix: key, key };
  const fromSequence = position.floor === null ? {} : { fromSequence: position.floor };
  const params = { filter, includeSnapshot: true, ...fromSequence, ...inContext(subscription) };
  const { taskId } = await agent.call('engram/subscribe', params, signal);
  if (typeof taskId !== 'string' || taskId === '')
    throw new EngramFault('the agent answered engram/subscribe without a task');
  // Another task counts from the start: its first event may well be number 1.
  await keep(subscription, { a2aTaskId: taskId, floor: null });
  return taskId;
}

/** One connection to its end; a reason: the subscription is over. */
async function* connect(subscription: Subscription): AsyncGenerator<RecordsStep, string | null> {
  const { agent, signal } = subscription;
  const taskId = subscription.position.a2aTaskId ?? (await subscribe(subscription));
  let opened = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const frames = agent.frames(taskId, opened, signal);
  let broke: unknown = null;
  // How the stream failed counts only once the task was read: an agent refuses to stream a task that has ended.
  const next = (): Promise<IteratorResult<EngramFrame, void>> =>
    frames.next().catch((error: unknown) => {
      if (signal.aborted) throw error;
      broke = error;
      return { done: true, value: undefined };
    });
  // What changes from now on comes by the stream, so that nothing is missed between the list and it.
  const first = next();
  try {
    await Promise.race([isOpen, first]);
    subscription.mirror = mirrorOf(await listRecords(subscription, signal));
    await keep(subscription, {});
    yield { mirror: subscription.mirror, event: null };
    for (let frame = await first; frame.done !== true; frame = await next()) {
      const end = yield* takeFrame(subscription, frame.value);
      if (end !== null) return end;
    }
  } finally {
    first.catch(() => null);
    void frames.return().catch(() => null);
  }
  return yield* readTask(subscription, taskId, broke);
}

/** What the task has where its stream ended, or `broke`. */
async function* readTask(
  subscription: Subscription,
  taskId: A2aTaskId,
  broke: unknown,
): AsyncGenerator<RecordsStep, string | null> {
  const last = await subscription.agent.task(taskId, subscription.signal);
  // It may count from the start again, so nothing is asked for from the last number on.
  if (last === null) await keep(subscription, { a2aTaskId: null, floor: null });
  for (const frame of last ?? []) {
    const end = yield* takeFrame(subscription, frame);
    if (end !== null) return end;
  }
  if (broke instanceof EngramCallError && last !== null) {
    // The agent answers, and does not stream a task that goes on: another subscription may be streamed, once.
    if (subscription.hasResubscribed) throw broke;
    subscription.hasResubscribed = true;
    await keep(subscription, { a2aTaskId: null });
  }
  return null;
}

async function* takeFrame(subscription: Subscription, frame: EngramFrame): AsyncGenerator<RecordsStep, string | null> {
  if (frame.kind === 'events') {
    yield* takeEvents(subscription, frame.events);
    return null;
  }
  await keep(subscription, { a2aTaskId: null, floor: null });
  const reason = frame.reason ?? frame.state;
  if (frame.state === 'completed' || frame.state === 'canceled') return reason;
  throw new StandfastError('engram_failed', `the subscription failed at the agent: ${reason}`);
}

async function* takeEvents(subscription: Subscription, events: Json[]): AsyncGenerator<RecordsStep> {
  // Of one artifact all may have one number: the snapshots of a moment.
  const floor = subscription.position.floor === null ? null : BigInt(subscription.position.floor);
  for (const event of events.map(readEvent).toSorted(bySequence)) {
    if (floor !== null && BigInt(event.sequence) <= floor) continue;
    const { mirror, signal } = subscription;
    const step = takeEvent(mirror, event);
    if (step.kind === 'gap')
      subscription.mirror = withRead(mirror, step.key, await getRecord(subscription, step.key, signal));
    else if (step.kind === 'changed') subscription.mirror = step.mirror;
    await keep(subscription, { floor: event.sequence });
    // Safe: read from JSON.
    if (step.kind !== 'stale') yield { mirror: subscription.mirror, event: event as unknown as JsonObject };
  }
}

/** There is no reader any more: the agent need not go on. */
async function leave(subscription: Subscription): Promise<void> {
  const { a2aTaskId } = subscription.position;
  if (a2aTaskId === null) return;
  await subscription.agent.cancel(a2aTaskId, timeLimit(lastWordMs)).then(
    () => keep(subscription, { a2aTaskId: null, floor: null }),
    () => null,
  );
}
