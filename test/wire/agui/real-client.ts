import { HttpAgent } from '@ag-ui/client';
import { EventSchemas } from '@ag-ui/core/schemas';
import { expect } from '@jest/globals';
import type { AguiEvent } from '../../../src/contract/event.ts';
import type { Json, JsonObject } from '../../../src/contract/json.ts';
import { comment, frame } from '../../../src/wire/agui/sse-frame.ts';

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

/** Gives the events to the real @ag-ui/client as SSE: its parser, its schemas, its order rules, its reducers. */
export async function show(events: AguiEvent[], messages: JsonObject[] = [], state: Json = {}): Promise<Shown> {
  expectValid(events);
  const warnings: string[] = [];
  const warn = console.warn;
  console.warn = (...words: unknown[]): void => void warnings.push(words.map(String).join(' '));
  try {
    const body = [comment('hello'), ...events.map((event, i) => frame(event, String(i)))].join('');
    const agent = new HttpAgent({
      url: 'http://127.0.0.1:9/',
      threadId: 't-1',
      initialMessages: JSON.parse(JSON.stringify(messages)),
      initialState: state,
      fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
    });
    await agent.runAgent();
    const { messages: shown, state: shownState, pendingInterrupts: pending } = agent;
    return JSON.parse(JSON.stringify({ messages: shown, state: shownState, pending, warnings }));
  } finally {
    console.warn = warn;
  }
}

/** The client took every event as it was meant: no error, no warning. */
export async function expectShown(events: AguiEvent[], messages: JsonObject[] = [], state: Json = {}): Promise<Shown> {
  const shown = await show(events, messages, state);
  expect(shown.warnings).toEqual([]);
  return shown;
}
