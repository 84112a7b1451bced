// Whether a stream of AG-UI events is one that every client can take: facts of the protocol, not of Standfast.

import { EventSchemas } from '@ag-ui/core/schemas';
import type { SseFrame, WireEvent } from './sse-stream.ts';

const pairs: Record<string, { opens: boolean; kind: string; id: string }> = {
  TEXT_MESSAGE_START: { opens: true, kind: 'text', id: 'messageId' },
  TEXT_MESSAGE_END: { opens: false, kind: 'text', id: 'messageId' },
  TOOL_CALL_START: { opens: true, kind: 'tool call', id: 'toolCallId' },
  TOOL_CALL_END: { opens: false, kind: 'tool call', id: 'toolCallId' },
  REASONING_START: { opens: true, kind: 'reasoning', id: 'messageId' },
  REASONING_END: { opens: false, kind: 'reasoning', id: 'messageId' },
  REASONING_MESSAGE_START: { opens: true, kind: 'reasoning message', id: 'messageId' },
  REASONING_MESSAGE_END: { opens: false, kind: 'reasoning message', id: 'messageId' },
  STEP_STARTED: { opens: true, kind: 'step', id: 'stepName' },
  STEP_FINISHED: { opens: false, kind: 'step', id: 'stepName' },
};
const contents: Record<string, { kind: string; id: string }> = {
  TEXT_MESSAGE_CONTENT: { kind: 'text', id: 'messageId' },
  TOOL_CALL_ARGS: { kind: 'tool call', id: 'toolCallId' },
  REASONING_MESSAGE_CONTENT: { kind: 'reasoning message', id: 'messageId' },
};

/** Throws with all that is wrong with the events of one whole run. */
export function checkRun(events: readonly WireEvent[]): void {
  const problems = runProblems(events);
  if (problems.length > 0) throw new Error(`not a valid run:\n- ${problems.join('\n- ')}`);
}

/** What is wrong with the events of one whole run, a sentence each; empty for a valid one. */
export function runProblems(events: readonly WireEvent[]): string[] {
  const problems = events.flatMap(schemaProblems);
  const first = events[0];
  const last = events.at(-1);
  if (first?.type !== 'RUN_STARTED' && first?.type !== 'RUN_ERROR') problems.push('the first event is not RUN_STARTED');
  if (first?.type === 'RUN_STARTED' && first['protocolVersion'] === undefined) {
    problems.push('RUN_STARTED names no protocolVersion');
  }
  const ends = events.filter(isEnd).length;
  if (ends !== 1) problems.push(`there are ${ends} terminal events`);
  if (!last || !isEnd(last)) problems.push('the last event is not terminal');
  if (events.filter((event) => event.type === 'RUN_STARTED').length > 1) problems.push('there are several RUN_STARTED');
  if (last?.type === 'RUN_FINISHED' && first?.type === 'RUN_STARTED') {
    for (const id of ['threadId', 'runId']) {
      if (first[id] !== last[id]) problems.push(`RUN_FINISHED names another ${id} than RUN_STARTED`);
    }
  }
  return [...problems, ...pairProblems(events)];
}

/** Throws unless the sequence numbers that end the SSE ids count up by one within each run. */
export function checkIds(frames: readonly SseFrame[]): void {
  let expected: number | null = null;
  for (const { id, event } of frames) {
    const seq = Number(/(\d+)$/.exec(id ?? '')?.[1] ?? Number.NaN);
    if (event.type === 'RUN_STARTED') expected = 1;
    if (Number.isNaN(seq)) throw new Error(`the id of ${event.type} ends in no number: ${id}`);
    if (expected !== null && seq !== expected) throw new Error(`${event.type} has id ${id}, expected …:${expected}`);
    expected = seq + 1;
  }
}

function isEnd(event: WireEvent): boolean {
  return event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR';
}

function schemaProblems(event: WireEvent, index: number): string[] {
  const parsed = EventSchemas.safeParse(event);
  if (parsed.success) return [];
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return [`event ${index + 1} (${event.type}) does not fit its schema: ${issues.join('; ')}`];
}

function pairProblems(events: readonly WireEvent[]): string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  for (const event of events) {
    const content = contents[event.type];
    if (content && !open.has(key(content, event))) problems.push(`${event.type} of a ${key(content, event)} not open`);
    if (event.type === 'RUN_FINISHED' && open.size > 0) problems.push(`RUN_FINISHED with open ${[...open].join(', ')}`);
    const pair = pairs[event.type];
    if (!pair) continue;
    const name = key(pair, event);
    if (pair.opens === open.has(name))
      problems.push(`${event.type} of a ${name} ${pair.opens ? 'already' : 'not'} open`);
    if (pair.opens) open.add(name);
    else open.delete(name);
  }
  return problems;
}

function key(of: { kind: string; id: string }, event: WireEvent): string {
  return `${of.kind} ${String(event[of.id])}`;
}
