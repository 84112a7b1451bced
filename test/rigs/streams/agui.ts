// Two AG-UI clients: a raw one that shows every byte's worth, and the real HttpAgent of @ag-ui/client.

import { randomUUID } from 'node:crypto';
import { HttpAgent, type Interrupt, type ResumeEntry } from '@ag-ui/client';
import { asError } from '../as-error.ts';
import { leastBoundMs } from '../wait-for.ts';
import { openSse, type SseStream, type WireEvent } from './sse-stream.ts';

export interface RunRequest {
  /** Address of the run endpoint: `http://…/agents/expenses/run`. */
  url: string;
  threadId: string;
  runId?: string;
  /** Becomes one user message. */
  text?: string;
  messages?: unknown[];
  resume?: { interruptId: string; status: 'resolved' | 'cancelled'; payload?: unknown; metadata?: object }[];
  state?: unknown;
  forwardedProps?: unknown;
  headers?: Record<string, string>;
  /** null leaves it out, as clients before 1.0 do. */
  protocolVersion?: string | null;
}

export interface RunResult {
  runId: string;
  status: number;
  events: WireEvent[];
  /** problem+json of a refused request. */
  problem: Record<string, unknown> | null;
  /** Set when the stream was cut. */
  error: Error | null;
}

/** Opens a run and leaves it open; for tests that act while it streams. */
export async function openRun(request: RunRequest): Promise<SseStream & { runId: string }> {
  const runId = request.runId ?? randomUUID();
  const { protocolVersion = '1.0' } = request;
  const words = request.text === undefined ? [] : [{ id: `user-${runId}`, role: 'user', content: request.text }];
  const stream = await openSse(request.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...request.headers },
    body: JSON.stringify({
      threadId: request.threadId,
      runId,
      ...(protocolVersion !== null && { protocolVersion }),
      state: request.state ?? {},
      messages: request.messages ?? words,
      tools: [],
      context: [],
      forwardedProps: request.forwardedProps ?? {},
      ...(request.resume && { resume: request.resume }),
    }),
  });
  return { ...stream, runId };
}

/** Runs to the end of the stream. */
export async function runAgent(request: RunRequest, boundMs = leastBoundMs): Promise<RunResult> {
  const stream = await openRun(request);
  const { status, problem, runId } = stream;
  const events = await stream.over(boundMs);
  return { runId, status, events, problem, error: stream.error() };
}

/** Follows the resumable stream of a thread; ids are in `frames`. */
export function follow(url: string, lastEventId?: string, headers: Record<string, string> = {}): Promise<SseStream> {
  const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  return openSse(url, { headers: { accept: 'text/event-stream', ...headers, ...resume } });
}

/** The interrupts a run ended with; empty for any other end. */
export function interruptsOf(events: readonly WireEvent[]): Interrupt[] {
  const last = events.at(-1);
  if (last?.type !== 'RUN_FINISHED') return [];
  const outcome = last['outcome'];
  return isInterruptOutcome(outcome) ? outcome.interrupts : [];
}

/** What a run ended with: `success`, `interrupt`, `cancelled`, `error:<code>`, or `open`. */
export function endOf(events: readonly WireEvent[]): string {
  const last = events.at(-1);
  if (last?.type === 'RUN_ERROR') return `error:${typeof last['code'] === 'string' ? last['code'] : ''}`;
  if (last?.type !== 'RUN_FINISHED') return 'open';
  const outcome = last['outcome'];
  if (typeof outcome !== 'object' || outcome === null || !('type' in outcome)) return 'success';
  return String(outcome.type);
}

/** The text of the messages of a run, in order, by message id. */
export function textsOf(events: readonly WireEvent[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.type !== 'TEXT_MESSAGE_START' && event.type !== 'TEXT_MESSAGE_CONTENT') continue;
    const id = String(event['messageId']);
    const delta = typeof event['delta'] === 'string' ? event['delta'] : '';
    texts.set(id, (texts.get(id) ?? '') + delta);
  }
  return texts;
}

/** How many pieces of text came so far. */
export const tokensIn = (stream: SseStream): number =>
  stream.events().filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT').length;

/** What the fake agent's `stream <tokens>` comes to. */
export const wholeText = (tokens: number): string =>
  Array.from({ length: tokens }, (_, index) => `t${index + 1} `).join('');

/** The texts of artifacts. */
export const shownTexts = (events: readonly WireEvent[]): string[] =>
  [...textsOf(events)].flatMap(([id, text]) => (id.startsWith('artifact:') ? [text] : []));

/** HttpAgent with every event it saw; its own promise proves nothing (it resolves on RUN_ERROR and on cut streams). */
export function createRealClient(url: string, threadId: string, headers: Record<string, string> = {}): RealClient {
  const agent = new HttpAgent({ url, threadId, headers });
  const run = async (options: { runId?: string; resume?: ResumeEntry[]; forwardedProps?: unknown }) => {
    const events: WireEvent[] = [];
    let failure: Error | null = null;
    const subscriber = {
      onEvent: ({ event }: { event: object & { type: string } }): void => void events.push({ ...event }),
      onRunFailed: ({ error }: { error: Error }): void => {
        failure = error;
      },
    };
    const result = await agent.runAgent(options, subscriber).catch((error: unknown) => {
      failure ??= asError(error);
    });
    return { events, failure, result: result?.result };
  };
  return {
    agent,
    say(text, options = {}) {
      agent.addMessage({ id: randomUUID(), role: 'user', content: text });
      return run(options);
    },
    resume: (resume, options = {}) => run({ ...options, resume }),
    run: (options = {}) => run(options),
  };
}

export interface RealRun {
  events: WireEvent[];
  failure: Error | null;
  result: unknown;
}

export interface RealClient {
  /** `pendingInterrupts`, `messages` and `state` are read here. */
  agent: HttpAgent;
  say(text: string, options?: { runId?: string; forwardedProps?: unknown }): Promise<RealRun>;
  resume(entries: ResumeEntry[], options?: { runId?: string }): Promise<RealRun>;
  run(options?: { runId?: string; forwardedProps?: unknown }): Promise<RealRun>;
}

function isInterruptOutcome(value: unknown): value is { type: 'interrupt'; interrupts: Interrupt[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'interrupt';
}
