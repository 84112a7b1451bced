// When a person's digests come: at the times that they chose, moved into their own hours.
import type { DigestTimes } from '../../contract/configuration/config.ts';
import type { Calendar } from '../../contract/configuration/policy.ts';
import type { WindowsFrom } from './calendar.ts';

const dayMs = 86_400_000;
/** Hours that were closed for longer move no time that came before. */
const longestClosureMs = 35 * dayMs;

/** A calendar whose windows begin at these times, and last a minute. */
export function digestCalendar({ zone, at, days = 'Mon-Sun' }: DigestTimes): Calendar {
  return { zone, hours: at.map((time) => `${days} ${time}-${minuteAfter(time)}`).join(', ') };
}

function minuteAfter(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const next = hour * 60 + minute + 1;
  return `${String(Math.floor(next / 60)).padStart(2, '0')}:${String(next % 60).padStart(2, '0')}`;
}

/** The moments after `afterMs` at which a digest is sent, in order; `hours` null: at any hour. */
export function* digestMoments(
  times: WindowsFrom,
  hours: WindowsFrom | null,
  afterMs: number,
): Generator<number, void> {
  let lastMs = afterMs;
  for (const { fromMs } of times(afterMs - longestClosureMs)) {
    const ms = withinHours(hours, fromMs);
    if (ms <= lastMs) continue;
    lastMs = ms;
    yield ms;
  }
}

/** Outside the hours the beginning of the next of them. */
function withinHours(hours: WindowsFrom | null, ms: number): number {
  if (hours === null) return ms;
  for (const { fromMs } of hours(ms)) return Math.max(fromMs, ms);
  return ms;
}
