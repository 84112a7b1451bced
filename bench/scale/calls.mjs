// What people and front ends ask of the apis, each call of the next one; every answer that is not 200 is counted.
import { readRun } from '../sse.mjs';

/** Starts and answers under way at a time. */
export const atOnce = 20;

/** Starts a run that asks; returns how long that took, and the question. */
export const askOf = (urls, agent) => async (threadId) => {
  const startedAt = performance.now();
  const last = await readRun(`${urls()}/agents/${agent}/run`, { threadId, runId: 'ask', text: 'ask' });
  if (last.outcome?.type !== 'interrupt') throw new Error(`not parked: ${JSON.stringify(last)}`);
  return { ms: performance.now() - startedAt, interruptId: last.outcome.interrupts?.[0]?.id };
};

/** Answers a question; returns how long that took until the run it goes on with is over. */
export const answerOf = (urls, agent) => async (threadId, interruptId) => {
  const startedAt = performance.now();
  const resume = [{ interruptId, status: 'resolved', payload: { colour: 'green' } }];
  const last = await readRun(`${urls()}/agents/${agent}/run`, { threadId, runId: 'answer', resume });
  if (last.outcome?.type === 'interrupt') throw new Error(`asked again: ${JSON.stringify(last)}`);
  return performance.now() - startedAt;
};

/** @param {() => string[]} urls */
export function createCalls(urls) {
  const counts = {};
  let turn = 0;
  const next = () => {
    const all = urls();
    turn += 1;
    return all[turn % all.length] ?? all[0];
  };
  const note = (what) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };

  /** Tries again what is refused for the moment, as the client packages do. */
  async function call(path, body) {
    const limit = performance.now() + 120_000;
    for (;;) {
      let retryMs;
      try {
        const response = await fetch(`${next()}${path}`, {
          ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
          headers: { 'content-type': 'application/json', connection: 'close' },
          signal: AbortSignal.timeout(60_000),
        });
        const text = await response.text();
        if (response.ok) return JSON.parse(text);
        const after = response.headers.get('retry-after');
        note(`${response.status}${after === null ? '' : ' with Retry-After'}`);
        if (response.status < 500 && response.status !== 429) throw new Error(`${path}: ${response.status} ${text}`);
        retryMs = Number(after ?? 1) * 1000;
      } catch (error) {
        if (error.message.startsWith(path)) throw error;
        note('no connection');
        retryMs = 200;
      }
      if (performance.now() > limit) throw new Error(`${path}: no answer within two minutes`);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  return { call, counts, next, note };
}
