import { define } from '../define.ts';
import { plural } from '../plural.ts';

export const precedents = define('precedents', {
  /* A tool call against the last approved one */
  was: (value: string): string => `was ${value}`,
  wasNot: 'was not given',
  gone: (name: string, value: string): string => `${name}: was ${value}, is not given now`,
  approvedTimes: (times: number): string => `approved ${times} ×`,
  youApprovedTimes: (times: number): string => `you approved it ${times} ×`,
  sameAsLast: (times: number): string => `Exactly as last approved, ${times} ×`,
  differs: (n: number, of: number): string => `${n} of ${plural(of, 'argument', 'arguments')} not as last approved`,
  /* Questions alike */
  record: 'From the record',
  alike: (n: number, ends: string): string => `${n} like it${ends === '' ? '' : `: ${ends}`}`,
  granted: (n: number): string => `${n} approved`,
  answered: (n: number): string => `${n} answered`,
  refused: (n: number): string => `${n} refused`,
  expired: (n: number): string => `${n} expired`,
  past: (median: string, highest: string): string => `median ${median}, highest ${highest}`,
  aboveAll: (what: string, of: number, past: string): string =>
    `${what}: more than any of the ${of} that went through (${past})`,
  farAbove: (what: string, times: string, past: string): string => `${what}: ${times} times the median (${past})`,
  asUsual: (what: string, past: string): string => `${what}: as usual (${past})`,
  recent: (amounts: string): string => `The last that went through: ${amounts}`,
  /* For readers who were away */
  since: (ago: string): string => `Since your last visit, ${ago}`,
  nothing: 'Nothing has come, and nothing has ended.',
  came: (n: number): string => `${n} came`,
  byOthers: (n: number): string => `${n} answered by others`,
  withdrawn: (n: number): string => `${n} taken back`,
  lastApproved: (who: string, when: string): string => `${who}, ${when}`,
});
