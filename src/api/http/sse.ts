// Writes every event stream: heartbeats, a bound on readers that do not read, and an explicit end.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AguiEvent } from '../../contract/tasks/run.ts';
import { StandfastError } from '../../core/base/errors.ts';
import type { Format, StreamItem } from './formats.ts';
import type { PrometheusMetrics } from './prometheus.ts';
import { sleep } from '../../host/process/sleep.ts';

/** Why a stream ends before its source does. */
export type Cut = 'closing' | 'failed' | 'signed_out';

interface StreamPlan {
  kind: 'run' | 'thread' | 'inbox';
  format: Format;
  /** It must end when the signal aborts; a parked await is not unwound otherwise. */
  source: (signal: AbortSignal) => AsyncGenerator<StreamItem[]>;
  /** The last event when the source breaks, the process stops, or the reader loses access; null for nothing. */
  finalEvent: (why: Cut) => AguiEvent | null;
}

/** `a2a`, `mcp`: written by the protocols' own transports; `ask`: waits for one answer. */
type StreamKind = StreamPlan['kind'] | 'a2a' | 'ask' | 'mcp';

/** What let a reader in, for as long as they read. */
export interface CallerLease {
  /** Aborts when the session or key of the reader has ended, or gives other rights. */
  signal: AbortSignal;
  /** Known at once, where the signal may come a second later. */
  isOver: () => boolean;
}

export interface StreamLimits {
  heartbeatMs: number;
  /** A reader that reads nothing for this long is disconnected. */
  undrainedMs: number;
}

const streamLimits: StreamLimits = { heartbeatMs: 15_000, undrainedMs: 30_000 };

export interface Streams {
  /** Throws `rate_limited` for a caller who has as many streams open as they may. */
  refuseTooMany(request: FastifyRequest, kind: StreamKind): void;
  /** Counts a stream until its socket closes; throws as `refuseTooMany`. */
  count(request: FastifyRequest, reply: FastifyReply, kind: StreamKind): CallerLease;
  /** A call that may wait, and is not a stream: it ends with what let its caller in, too. */
  watch(request: FastifyRequest, reply: FastifyReply): CallerLease;
  send(request: FastifyRequest, reply: FastifyReply, plan: StreamPlan): FastifyReply;
  /** Ends all streams with their last event; resolves when those are written, at the latest after a second. */
  closeAll(): Promise<void>;
}

type Bytes = string | Uint8Array;

const bufferBytes = 64 * 1024;
const drainMs = 1_000;

interface Open {
  close: () => void;
  done: Promise<void>;
}

interface Deps {
  metrics: PrometheusMetrics;
  /** Until `ended` aborts. */
  leaseOf: (request: FastifyRequest, ended: AbortSignal) => CallerLease;
  limits?: StreamLimits | undefined;
  /** So many at once, counted by each api process; 0: no limit. */
  maxPerCaller: number;
}

/** The streams of this process. */
interface Registry extends Deps {
  limits: StreamLimits;
  open: Set<Open>;
  /** How many each caller has open. */
  openOf: Map<string, number>;
  isClosing: boolean;
}

export function createStreams(deps: Deps): Streams {
  const { limits = streamLimits } = deps;
  const registry: Registry = { ...deps, limits, open: new Set(), openOf: new Map(), isClosing: false };
  return {
    refuseTooMany: (request, kind) => refuseTooMany(registry, request, kind),
    count: (request, reply, kind) => countOpen(registry, request, reply, kind),
    watch: (request, reply) => watch(registry, request, reply),
    send: (request, reply, plan) => send(registry, request, reply, plan),
    closeAll: () => closeAll(registry),
  };
}

function refuseTooMany({ maxPerCaller, openOf, metrics }: Registry, request: FastifyRequest, kind: StreamKind): void {
  if (maxPerCaller === 0 || (openOf.get(callerKey(request)) ?? 0) < maxPerCaller) return;
  metrics.refusedStreams.inc({ kind });
  throw new StandfastError(
    'rate_limited',
    `this caller has ${maxPerCaller} event streams open; end one, and the same request goes on where it was`,
  );
}

function watch({ leaseOf }: Registry, request: FastifyRequest, reply: FastifyReply): CallerLease {
  const ended = new AbortController();
  reply.raw.once('close', () => ended.abort());
  return leaseOf(request, ended.signal);
}

function countOpen(registry: Registry, request: FastifyRequest, reply: FastifyReply, kind: StreamKind): CallerLease {
  refuseTooMany(registry, request, kind);
  const { openOf, metrics } = registry;
  const caller = callerKey(request);
  openOf.set(caller, (openOf.get(caller) ?? 0) + 1);
  metrics.openStreams.inc({ kind });
  // The socket's close, not the end of the source: it comes in every case, once.
  reply.raw.once('close', () => {
    metrics.openStreams.dec({ kind });
    const left = (openOf.get(caller) ?? 1) - 1;
    if (left > 0) openOf.set(caller, left);
    else openOf.delete(caller);
  });
  return watch(registry, request, reply);
}

function send(registry: Registry, request: FastifyRequest, reply: FastifyReply, plan: StreamPlan): FastifyReply {
  const { open, metrics, limits } = registry;
  const lease = countOpen(registry, request, reply, plan.kind);
  const control = new AbortController();
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const one: Open = { close: () => control.abort(), done };
  open.add(one);
  reply.raw.once('close', () => {
    control.abort();
    open.delete(one);
    finish();
  });
  lease.signal.addEventListener('abort', one.close, { once: true });
  if (registry.isClosing) control.abort();
  const drop = (): void => {
    metrics.droppedStreams.inc({ reason: 'not_read' });
    request.log.warn({ requestId: request.id }, 'a reader that does not read was dropped');
    reply.raw.destroy();
  };
  const sent = frames(registry, plan, { stop: control.signal, lease }, request, reply);
  const body = Readable.from(watched(sent, limits.undrainedMs, drop), {
    objectMode: false,
    highWaterMark: bufferBytes,
  });
  return reply
    .code(200)
    .header('content-type', plan.format.contentType)
    .header('cache-control', 'no-cache, no-transform')
    .header('x-accel-buffering', 'no')
    .send(body);
}

/** The source's frames with heartbeats between; parked sources are left behind when the signal aborts. */
async function* frames(
  registry: Registry,
  plan: StreamPlan,
  { stop, lease }: { stop: AbortSignal; lease: CallerLease },
  request: FastifyRequest,
  reply: FastifyReply,
): AsyncGenerator<Bytes> {
  // Read from now on, so the headers are set: who follows a quiet thread learns at once that the stream is there.
  reply.raw.flushHeaders();
  const { format } = plan;
  const source = plan.source(stop);
  const goodbye = (why: Cut): Bytes => {
    const event = plan.finalEvent(why);
    return event === null ? '' : format.write([{ event }]);
  };
  try {
    let next: Promise<IteratorResult<StreamItem[]>> | null = null;
    while (!stop.aborted) {
      next ??= source.next();
      const result = await firstOf(next, registry.limits.heartbeatMs, stop);
      if (result === 'stopped') break;
      if (result === 'quiet') {
        if (format.heartbeat !== null) yield format.heartbeat;
        continue;
      }
      next = null;
      if (result.done === true) return;
      if (lease.isOver()) break;
      if (result.value.length > 0) yield format.write(result.value);
    }
    if (registry.isClosing) yield goodbye('closing');
    else if (lease.isOver()) yield goodbye('signed_out');
  } catch (error) {
    request.log.error({ err: error, requestId: request.id }, 'an event stream failed');
    yield goodbye('failed');
  } finally {
    // Not awaited: a source parked in a slow read ends once it sees the signal.
    void source.return(undefined).catch(() => undefined);
  }
}

async function closeAll(registry: Registry): Promise<void> {
  registry.isClosing = true;
  const streams = [...registry.open];
  for (const one of streams) one.close();
  await Promise.race([Promise.all(streams.map((one) => one.done)), sleep(drainMs, { ref: false })]);
}

/** The reader's time limit runs while a frame is being written. */
async function* watched(
  source: AsyncGenerator<Bytes>,
  undrainedMs: number,
  onUndrained: () => void,
): AsyncGenerator<Bytes> {
  for await (const frame of source) {
    const timer = setTimeout(onUndrained, undrainedMs);
    try {
      yield frame;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Each user of a back end is a caller of their own. */
const callerKey = ({ principal: { id, actor } }: FastifyRequest): string =>
  actor === undefined ? id : `${actor} ${id}`;

async function firstOf<T>(next: Promise<T>, quietMs: number, stop: AbortSignal): Promise<T | 'quiet' | 'stopped'> {
  let timer: NodeJS.Timeout | undefined;
  let onStop: () => void = () => undefined;
  try {
    return await Promise.race([
      next,
      new Promise<'quiet'>((resolve) => (timer = setTimeout(() => resolve('quiet'), quietMs))),
      new Promise<'stopped'>((resolve) => {
        onStop = () => resolve('stopped');
        stop.addEventListener('abort', onStop, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}
