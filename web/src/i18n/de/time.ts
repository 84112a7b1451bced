// Times and durations, in German.
import type { time as enTime } from '../en/time.ts';
import { plural } from '../plural.ts';

export const time: typeof enTime = {
  seconds: (n) => `${n} s`,
  in: (duration) => `in ${duration}`,
  minutes: (n) => `${n} Min.`,
  hours: (n) => `${n} Std.`,
  days: (n) => `${n} T.`,
  spokenSeconds: (n) => plural(n, 'Sekunde', 'Sekunden'),
  spokenMinutes: (n) => plural(n, 'Minute', 'Minuten'),
  spokenHours: (n) => plural(n, 'Stunde', 'Stunden'),
  spokenDays: (n) => plural(n, 'Tag', 'Tage'),
  left: (duration) => `noch ${duration}`,
  ago: (duration) => `vor ${duration}`,
  justNow: 'gerade eben',
  over: 'Frist vorbei',
  overdue: 'überfällig',
};
