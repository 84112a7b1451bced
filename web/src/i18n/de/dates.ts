// The words of fields for days and times, in German.
import type { dates as enDates } from '../en/dates.ts';

export const dates: typeof enDates = {
  letters: { day: 'TT', month: 'MM', year: 'JJJJ' },
  choose: (what) => `Tag wählen: ${what}`,
  previousMonth: 'Monat davor',
  nextMonth: 'Monat danach',
  time: (what, zone) => (zone === '' ? `Uhrzeit: ${what}` : `Uhrzeit (${zone}): ${what}`),
};
