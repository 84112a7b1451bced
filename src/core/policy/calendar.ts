// Business time: arithmetic over opening windows in absolute milliseconds. Where the windows lie (zones, summer time,
// holidays) is computed elsewhere; the caller passes the windows in.

/** A stretch of opening hours: open from `fromMs` until `toMs`. */
export interface OpenWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Windows that end after a moment: in order, without overlap, and finitely many. */
export type WindowsFrom = (ms: number) => Iterable<OpenWindow>;

/**
 * The earliest moment by which `openMs` of opening time have passed since `fromMs`; null when the windows end before.
 * The closing time belongs to the window: half an hour after 16:30 is 17:00, not 09:00 the next day.
 */
export function afterOpenTime(windowsFrom: WindowsFrom, fromMs: number, openMs: number): number | null {
  if (openMs <= 0) return fromMs;
  let left = openMs;
  for (const window of windowsFrom(fromMs)) {
    const startMs = Math.max(window.fromMs, fromMs);
    const lengthMs = window.toMs - startMs;
    if (left <= lengthMs) return startMs + left;
    left -= Math.max(lengthMs, 0);
  }
  return null;
}

/** Opening time between two moments. */
export function openTimeBetween(windowsFrom: WindowsFrom, fromMs: number, toMs: number): number {
  let sum = 0;
  for (const window of windowsFrom(fromMs)) {
    if (window.fromMs >= toMs) break;
    sum += Math.max(Math.min(window.toMs, toMs) - Math.max(window.fromMs, fromMs), 0);
  }
  return sum;
}

/** The windows that begin before a moment, at most so many. */
export function windowsUntil(windowsFrom: WindowsFrom, fromMs: number, untilMs: number, most: number): OpenWindow[] {
  const taken: OpenWindow[] = [];
  for (const window of windowsFrom(fromMs)) {
    if (window.fromMs >= untilMs || taken.length >= most) break;
    taken.push(window);
  }
  return taken;
}

/** As `afterOpenTime`; after the last of these windows every hour counts. */
export function afterHours(windows: readonly OpenWindow[], fromMs: number, openMs: number): number {
  const from = (ms: number): OpenWindow[] => windows.filter(({ toMs }) => toMs > ms);
  const within = afterOpenTime(from, fromMs, openMs);
  if (within !== null) return within;
  const endMs = Math.max(fromMs, windows.at(-1)?.toMs ?? fromMs);
  return endMs + openMs - openTimeBetween(from, fromMs, endMs);
}

/** The most opening time within any span of `spanMs` in these windows. */
export function mostOpenTime(windows: readonly OpenWindow[], spanMs: number): number {
  let most = 0;
  // The span with the most opening time can be moved so that it begins with a window.
  for (const [index, first] of windows.entries()) {
    const endMs = first.fromMs + spanMs;
    let sum = 0;
    for (let next = index; next < windows.length; next += 1) {
      const window = windows[next];
      if (window === undefined || window.fromMs >= endMs) break;
      sum += Math.min(window.toMs, endMs) - window.fromMs;
    }
    most = Math.max(most, sum);
  }
  return most;
}

/** The windows in order, with adjacent and overlapping ones merged and empty ones left out. */
export function mergeWindows(windows: readonly OpenWindow[]): OpenWindow[] {
  const merged: OpenWindow[] = [];
  for (const window of windows.filter((one) => one.toMs > one.fromMs).toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1);
    if (last === undefined || window.fromMs > last.toMs) merged.push(window);
    else merged[merged.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, window.toMs) };
  }
  return merged;
}

/** Merged windows without the time of others. */
export function withoutWindows(windows: readonly OpenWindow[], closed: readonly OpenWindow[]): OpenWindow[] {
  return closed.reduce<OpenWindow[]>(
    (left, gap) =>
      left.flatMap((window) =>
        gap.toMs <= window.fromMs || gap.fromMs >= window.toMs
          ? [window]
          : [
              { fromMs: window.fromMs, toMs: gap.fromMs },
              { fromMs: gap.toMs, toMs: window.toMs },
            ].filter((part) => part.toMs > part.fromMs),
      ),
    [...windows],
  );
}
