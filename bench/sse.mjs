// Reading AG-UI runs over HTTP as a front end does.

/** @typedef {{ type: string, delta?: string, outcome?: { type: string, interrupts?: { id: string }[] } } & Record<string, unknown>} AguiEvent */

/** Refusals on this response only: the run is kept, and the same again reads it. */
export const passing = ['busy', 'engine_unavailable', 'worker_unavailable'];
export const maxTries = 12;
let retried = 0;

/** How often a run had to be posted again; nothing but an overloaded machine should make that so. */
export const retries = () => retried;

/**
 * @param {string} runUrl
 * @param {{ threadId: string, runId: string, text?: string, resume?: object[] }} run
 * @param {(event: AguiEvent) => void} [onEvent]
 * @returns {Promise<AguiEvent>} the last event
 */
export async function readRun(runUrl, run, onEvent) {
  for (let tries = 1; ; tries += 1) {
    const last = await readOnce(runUrl, run, onEvent);
    if (last?.type === 'RUN_FINISHED') return last;
    if (tries === maxTries || !passing.includes(String(last?.code))) {
      throw new Error(`run ${run.runId} ended with ${JSON.stringify(last)}`);
    }
    retried += 1;
  }
}

/** @param {string} runUrl @param {Parameters<typeof readRun>[1]} run @param {Parameters<typeof readRun>[2]} onEvent */
async function readOnce(runUrl, { threadId, runId, text, resume }, onEvent) {
  const messages = text === undefined ? [] : [{ id: `m-${runId}`, role: 'user', content: text }];
  const given = { state: {}, messages, tools: [], context: [], forwardedProps: {}, resume };
  const response = await fetch(runUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ threadId, runId, protocolVersion: '1.0', ...given }),
    signal: AbortSignal.timeout(90_000),
  });
  if (!response.ok || response.body === null)
    throw new Error(`run ${runId}: ${response.status} ${await response.text()}`);
  /** @type {AguiEvent | undefined} */
  let last;
  for await (const event of eventsOf(response.body)) {
    last = event;
    onEvent?.(event);
  }
  return last;
}

/** @param {ReadableStream<Uint8Array>} body @returns {AsyncGenerator<AguiEvent>} */
async function* eventsOf(body) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const frames = rest.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = frame.split('\n').find((line) => line.startsWith('data:'));
      if (data !== undefined) yield JSON.parse(data.slice(5));
    }
  }
}

/**
 * Reads a thread as one more tab does, until the signal comes; texts go to `onText`.
 * @param {string} url @param {AbortSignal} signal @param {(text: string) => void} onText
 */
export function followThread(url, signal, onText) {
  // Nothing is asked after it: kept open, two hundred connections would be counted as the api's at rest.
  const opened = fetch(url, { headers: { accept: 'text/event-stream', connection: 'close' }, signal });
  const read = async () => {
    const { ok, status, body } = await opened;
    if (!ok || body === null) throw new Error(`a reader of the thread was refused: ${status}`);
    for await (const event of eventsOf(body)) if (event.type === 'TEXT_MESSAGE_CONTENT') onText(event.delta ?? '');
  };
  const ended = read().catch((error) => {
    if (!signal.aborted) throw error;
  });
  return { isOpen: opened, ended };
}
