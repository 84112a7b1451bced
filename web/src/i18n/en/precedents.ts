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
  lastApproved: (who: string, when: string): string => `${who}, ${when}`,
});
