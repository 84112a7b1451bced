// When a person's digests come: at the times that they chose, moved into their own hours.
import type { DigestTimes } from '../../contract/configuration/people.ts';
import type { Calendar } from '../../contract/configuration/policy.ts';
import type { WindowsFrom } from './calendar.ts';

const dayMs = 86_400_000;
/** Hours that were closed for longer move no time that came before. */
const longestClosureMs = 35 * dayMs;

/**
 * A calendar whose windows begin at this time: of one time alone, since windows that follow one another are merged.
 * They last for hours: a time that the clocks leave out has its window, too, which begins at their change.
 */
export function digestCalendar({ zone, days = 'Mon-Sun' }: DigestTimes, time = '00:00'): Calendar {
  return { zone, hours: `${days} ${time}-${time < '12:00' ? '13:00' : '24:00'}` };
}

/** The moments after `afterMs` at which a digest is sent, in order; `hours` null: at any hour. */
export function* digestMoments(
  times: readonly WindowsFrom[],
  hours: WindowsFrom | null,
  afterMs: number,
): Generator<number, void> {
  let lastMs = afterMs;
  for (const fromMs of beginnings(times, afterMs - longestClosureMs)) {
    const ms = withinHours(hours, fromMs);
    if (ms <= lastMs) continue;
    lastMs = ms;
    yield ms;
  }
}

/** Where the windows of each of these begin, in one order. */
function* beginnings(times: readonly WindowsFrom[], afterMs: number): Generator<number, void> {
  const rows = times.map((windows) => windows(afterMs)[Symbol.iterator]());
  const heads = rows.map((row) => row.next());
  for (;;) {
    const all = heads.map(({ done, value }) => (done === true ? Infinity : value.fromMs));
    const firstMs = Math.min(...all);
    if (firstMs === Infinity) return;
    yield firstMs;
    for (const [index, row] of rows.entries()) if (all[index] === firstMs) heads[index] = row.next();
  }
}

/** Outside the hours the beginning of the next of them. */
function withinHours(hours: WindowsFrom | null, ms: number): number {
  if (hours === null) return ms;
  for (const { fromMs } of hours(ms)) return Math.max(fromMs, ms);
  return ms;
}
