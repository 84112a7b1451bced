// Limits of time as signals. `AbortSignal.timeout` is not used: on Node 20 a signal that `AbortSignal.any` makes of it does not
// keep it, and never fires once memory was collected meanwhile.
const longestTimerMs = 2 ** 31 - 1;

/** Fires after so many milliseconds with a `TimeoutError`; keeps no process running. */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  const end = (): void => limit.abort(new DOMException(`took more than ${ms} ms`, 'TimeoutError'));
  setTimeout(end, Math.min(ms, longestTimerMs)).unref();
  return limit.signal;
}

/** A call's option for a limit of time in addition to its own signal: some agents accept a request and never answer. */
export function within(signal: AbortSignal | undefined, ms: number): { signal: AbortSignal } {
  return { signal: AbortSignal.any([...(signal === undefined ? [] : [signal]), timeLimit(ms)]) };
}
