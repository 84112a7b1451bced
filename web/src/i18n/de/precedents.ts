import type { precedents as english } from '../en/precedents.ts';
import { plural } from '../plural.ts';

export const precedents: typeof english = {
  was: (value) => `war ${value}`,
  wasNot: 'war nicht angegeben',
  gone: (name, value) => `${name}: war ${value}, fehlt jetzt`,
  approvedTimes: (times) => `${times} × genehmigt`,
  youApprovedTimes: (times) => `von Ihnen ${times} × genehmigt`,
  sameAsLast: (times) => `Genau wie zuletzt genehmigt, ${times} ×`,
  differs: (n, of) => `${n} von ${plural(of, 'Argument', 'Argumenten')} nicht wie zuletzt genehmigt`,
  record: 'Aus der Akte',
  alike: (n, ends) => `${n} gleichartige${ends === '' ? '' : `: ${ends}`}`,
  granted: (n) => `${n} genehmigt`,
  answered: (n) => `${n} beantwortet`,
  refused: (n) => `${n} abgelehnt`,
  expired: (n) => `${n} abgelaufen`,
  past: (median, highest) => `Median ${median}, höchstens ${highest}`,
  aboveAll: (what, of, past) => `${what}: mehr als jede der ${of}, die durchgingen (${past})`,
  farAbove: (what, times, past) => `${what}: das ${times}-Fache des Medians (${past})`,
  asUsual: (what, past) => `${what}: wie üblich (${past})`,
  recent: (amounts) => `Die letzten, die durchgingen: ${amounts}`,
  since: (ago) => `Seit Ihrem letzten Blick, ${ago}`,
  nothing: 'Nichts kam, und nichts endete.',
  came: (n) => plural(n, 'kam', 'kamen'),
  byOthers: (n) => `${n} von anderen beantwortet`,
  withdrawn: (n) => `${n} zurückgenommen`,
  lastApproved: (who, when) => `${who}, ${when}`,
};
