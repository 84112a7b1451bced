// Times and durations.
import { define } from '../define.ts';
import { plural } from '../plural.ts';

export const time = /* @__PURE__ */ define('time', {
  seconds: (n: number): string => `${n} s`,
  minutes: (n: number): string => `${n} min`,
  hours: (n: number): string => `${n} h`,
  days: (n: number): string => `${n} d`,
  spokenSeconds: (n: number): string => plural(n, 'second', 'seconds'),
  spokenMinutes: (n: number): string => plural(n, 'minute', 'minutes'),
  spokenHours: (n: number): string => plural(n, 'hour', 'hours'),
  spokenDays: (n: number): string => plural(n, 'day', 'days'),
  in: (duration: string): string => `in ${duration}`,
  left: (duration: string): string => `${duration} left`,
  ago: (duration: string): string => `${duration} ago`,
  justNow: 'just now',
  over: 'time is up',
  overdue: 'overdue',
});
