// The words of fields for days and times.
import { define } from '../define.ts';

export const dates = /* @__PURE__ */ define('dates', {
  /** How each part of a date is written in the pattern that an empty field shows. */
  letters: { day: 'dd', month: 'mm', year: 'yyyy' },
  choose: (what: string): string => `Choose a day: ${what}`,
  previousMonth: 'Month before',
  nextMonth: 'Month after',
  time: (what: string, zone: string): string => (zone === '' ? `Time: ${what}` : `Time (${zone}): ${what}`),
});
