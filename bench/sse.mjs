// Reading AG-UI runs over HTTP as a front end does.

/** @typedef {{ type: string, delta?: string, outcome?: { type: string, interrupts?: { id: string }[] } } & Record<string, unknown>} AguiEvent */

/** Refusals on this response only: the run is kept, and the same again reads it. */
const passing = ['busy', 'engine_unavailable', 'worker_unavailable'];
const maxTries = 5;
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
  const decoder = new TextDecoder();
  let rest = '';
  /** @type {AguiEvent | undefined} */
  let last;
  for await (const chunk of response.body) {
    rest += decoder.decode(chunk, { stream: true });
    const frames = rest.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const data = frame.split('\n').find((line) => line.startsWith('data:'));
      if (data === undefined) continue;
      last = JSON.parse(data.slice(5));
      if (last !== undefined) onEvent?.(last);
    }
  }
  return last;
}
