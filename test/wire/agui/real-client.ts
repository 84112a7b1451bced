import { HttpAgent } from '@ag-ui/client';
import { EventSchemas } from '@ag-ui/core/schemas';
import { expect } from '@jest/globals';
import { HttpAgent as OldHttpAgent } from 'ag-ui-client-0059';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import {
  binaryMediaType,
  encodeBinaryFrame,
  sseComment,
  encodeSseFrame,
} from '../../../src/wire/agui/project/event-frames.ts';
import { downgradeFor } from '../../../src/wire/agui/project/downgrade.ts';

/** What a front end shows after a stream. */
export interface Shown {
  messages: JsonObject[];
  state: Json;
  pending: JsonObject[];
  /** What the client complained about on the console. */
  warnings: string[];
}

/** Every event fits the schema of AG-UI 1.0. */
export function expectValid(events: AguiEvent[]): void {
  for (const event of events) {
    const parsed = EventSchemas.safeParse(JSON.parse(JSON.stringify(event)));
    if (!parsed.success) throw new Error(`${JSON.stringify(event).slice(0, 500)}: ${parsed.error.message}`);
  }
}

export const sse = (events: AguiEvent[]): (() => Promise<Response>) => {
  const body = [sseComment('hello'), ...events.map((event, i) => encodeSseFrame(event, String(i)))].join('');
  return () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
};

const binary = (events: AguiEvent[]): (() => Promise<Response>) => {
  const body = Buffer.concat(events.map((event) => encodeBinaryFrame(event)));
  return () => Promise.resolve(new Response(body, { headers: { 'content-type': binaryMediaType } }));
};

/** Safe: what the clients hold came as JSON. */
const asShown = (value: object): Shown => JSON.parse(JSON.stringify(value));

async function listening(run: () => Promise<object>): Promise<Shown> {
  const warnings: string[] = [];
  const warn = console.warn;
  console.warn = (...words: unknown[]): void => void warnings.push(words.map(String).join(' '));
  try {
    return asShown({ ...(await run()), warnings });
  } finally {
    console.warn = warn;
  }
}

interface Start {
  messages: JsonObject[];
  state: Json;
}

const configOf = (start: Start): { url: string; threadId: string; initialMessages: never[]; initialState: Json } => ({
  url: 'http://127.0.0.1:9/',
  threadId: 't-1',
  // Each client has a type of its own for them.
  initialMessages: JSON.parse(JSON.stringify(start.messages)),
  initialState: start.state,
});

const clientOf = (start: Start, fetch: () => Promise<Response>) => async (): Promise<object> => {
  const agent = new HttpAgent({ ...configOf(start), fetch });
  await agent.runAgent();
  return { messages: agent.messages, state: agent.state, pending: agent.pendingInterrupts };
};

const oldClientOf = (start: Start, fetch: () => Promise<Response>) => async (): Promise<object> => {
  const agent = new OldHttpAgent({ ...configOf(start), fetch });
  await agent.runAgent();
  return { messages: agent.messages, state: agent.state, pending: agent.pendingInterrupts };
};

/** The events as the real client hands them to its subscribers. */
export async function received(events: AguiEvent[], by: 'sse' | 'binary'): Promise<Json[]> {
  const agent = new HttpAgent({
    ...configOf({ messages: [], state: {} }),
    fetch: (by === 'sse' ? sse : binary)(events),
  });
  const seen: Json[] = [];
  await agent.runAgent({}, { onEvent: ({ event }) => void seen.push(JSON.parse(JSON.stringify(event))) });
  return seen;
}

/** Gives the events to the real @ag-ui/client as SSE: its parser, its schemas, its order rules, its reducers. */
export async function show(events: AguiEvent[], messages: JsonObject[] = [], state: Json = {}): Promise<Shown> {
  expectValid(events);
  return listening(clientOf({ messages, state }, sse(events)));
}

/**
 * The client took every event as it was meant: no error, no warning. The same as protobuf comes to the same, and what is
 * sent to a client older than 1.0 (0.0.59, which CopilotKit's runtime uses) comes to the same there.
 */
export async function expectShown(events: AguiEvent[], messages: JsonObject[] = [], state: Json = {}): Promise<Shown> {
  const shown = await show(events, messages, state);
  expect(shown.warnings).toEqual([]);
  const start = { messages, state };
  expect(await listening(clientOf(start, binary(events)))).toEqual(shown);
  const older = events.flatMap((event) => downgradeFor(event, undefined));
  expect(await listening(oldClientOf(start, sse(older)))).toEqual(shown);
  return shown;
}
