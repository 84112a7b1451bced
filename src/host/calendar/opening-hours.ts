/** Opening range of one weekday, in minutes of local time since midnight, up to 1440. */
export interface DayRange {
  /** ISO weekday: 1 Monday … 7 Sunday. */
  weekday: number;
  fromMinute: number;
  toMinute: number;
}

type ReadHours = { ok: true; ranges: DayRange[] } | { ok: false; why: string };

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const days = /^([a-z]+)(?:\s*-\s*([a-z]+))?/i;
const times = /^(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})$/;
const expected = 'expected such as "Mon-Fri 09:00-17:30, Sat 10:00-12:00"';

/**
 * Reads `Mon-Fri 09:00-17:30, Sat 10:00-12:00`. Parts are separated by commas; one without days goes on with those
 * before it (`Mon-Fri 09:00-12:00, 13:00-17:30`), one without times adds days to the next (`Mon, Wed 09:00-12:00`).
 */
export function readHours(text: string): ReadHours {
  const ranges: DayRange[] = [];
  let weekdays: number[] = [];
  let isCollecting = false;
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') return { ok: false, why: `there is nothing between two commas: ${expected}` };
    const named = days.exec(part);
    const rest = part.slice(named?.[0].length ?? 0).trim();
    if (named !== null) {
      const found = weekdaysOf(named[1] ?? '', named[2]);
      if (typeof found === 'string') return { ok: false, why: found };
      weekdays = isCollecting ? [...weekdays, ...found] : found;
      isCollecting = rest === '';
    }
    if (rest === '') continue;
    if (weekdays.length === 0) return { ok: false, why: `"${part}" names no days: ${expected}` };
    const range = minutesOf(rest);
    if (typeof range === 'string') return { ok: false, why: range };
    ranges.push(...weekdays.map((weekday) => ({ weekday, ...range })));
    isCollecting = false;
  }
  if (isCollecting) return { ok: false, why: `the last days have no times: ${expected}` };
  return { ok: true, ranges };
}

function weekdaysOf(first: string, last: string | undefined): number[] | string {
  const from = dayNames.indexOf(first.toLowerCase());
  const to = last === undefined ? from : dayNames.indexOf(last.toLowerCase());
  const unknown = from < 0 ? first : to < 0 ? last : undefined;
  if (unknown !== undefined) return `"${unknown}" is not a day: expected Mon, Tue, Wed, Thu, Fri, Sat or Sun`;
  // A range may wrap around the end of the week, as `Sat-Mon`.
  const count = ((to - from + 7) % 7) + 1;
  return Array.from({ length: count }, (_, index) => ((from + index) % 7) + 1);
}

function minutesOf(text: string): { fromMinute: number; toMinute: number } | string {
  const found = times.exec(text);
  if (found === null) return `"${text}" is not a range of times: ${expected}`;
  const [fromHour = 0, fromMin = 0, toHour = 0, toMin = 0] = found.slice(1).map(Number);
  const [fromMinute, toMinute] = [fromHour * 60 + fromMin, toHour * 60 + toMin];
  if (fromMin > 59 || toMin > 59 || fromMinute >= 1440 || toMinute > 1440)
    return `"${text}" is not a range of times: hours go from 00:00 to 24:00`;
  if (toMinute > fromMinute) return { fromMinute, toMinute };
  return toMinute === fromMinute
    ? `"${text}" is empty: a whole day is 00:00-24:00`
    : `"${text}" goes over midnight: write it as two ranges, "Mon 22:00-24:00, Tue 00:00-06:00"`;
}
