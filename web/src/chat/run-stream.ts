// One AG-UI run over HTTP: a POST, and its events as they come. A front end needs no more than this to drive an agent.
import { createParser } from 'eventsource-parser';
import type { AguiEvent } from '../../../src/contract/tasks/run.ts';
import { isObject, parseJson } from '../../../src/core/base/json.ts';
import { ApiError, problemOf } from '../base/live/api.ts';
import type { SentMessage } from './conversation-state.ts';
import type { ResumeEntry } from './resume.ts';

export interface RunInput {
  threadId: string;
  /** The same run again is the same run: it is only read once more. */
  runId: string;
  messages: SentMessage[];
  resume?: readonly ResumeEntry[];
  forwardedProps?: object;
}

/** Resolves when the stream is over: `ended` with its last event, `cut` when it broke off. Throws ApiError when refused before it began. */
export async function streamRun(
  agent: string,
  input: RunInput,
  onEvent: (event: AguiEvent) => void,
  signal: AbortSignal,
): Promise<'ended' | 'cut'> {
  let isOver = false;
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = readEvent(data);
      if (event === null) return;
      if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') isOver = true;
      onEvent(event);
    },
  });
  const response = await post(agent, input, signal);
  if (response.body === null) return 'cut';
  const decoder = new TextDecoder();
  const chunks = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await chunks.read();
      if (done) return isOver ? 'ended' : 'cut';
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } catch {
    return isOver ? 'ended' : 'cut';
  }
}

async function post(agent: string, input: RunInput, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/agents/${encodeURIComponent(agent)}/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      credentials: 'same-origin',
      body: JSON.stringify({ protocolVersion: '1.0', state: {}, tools: [], context: [], forwardedProps: {}, ...input }),
      signal,
    });
  } catch {
    throw new ApiError({ code: 'network', status: 0 });
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

function readEvent(data: string): AguiEvent | null {
  const event = parseJson(data);
  return isObject(event) && typeof event['type'] === 'string' ? { ...event, type: event['type'] } : null;
}
