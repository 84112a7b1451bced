// The overview, in German.
import type { overview as enOverview } from '../en/overview.ts';
import { plural } from '../plural.ts';

type Fate = Parameters<typeof enOverview.volumeSays>[0];

const fates = ({ approved, answered, refused, expired, other }: Fate): string =>
  `${approved} genehmigt, ${answered} beantwortet, ${refused} abgelehnt, ${expired} abgelaufen, ${other} anders beendet`;

export const overview: typeof enOverview = {
  window: 'Zeitraum',
  lastDays: (n) => `Letzte ${n} Tage`,
  open: 'Jetzt offen',
  oldest: (ago, unclaimed) => `älteste ${ago}, ${unclaimed} nicht übernommen`,
  ofOpen: (n) => `von ${n} offenen`,
  overdue: 'Überfällig',
  keptOpen: 'über ihre Frist hinaus offen',
  none: 'keine',
  nothing: '–',
  soon: 'In 1 Std. fällig',
  reassignAsked: 'Weitergabe erbeten',
  undecidable: 'Niemand kann entscheiden',
  passOn: 'weiterzugeben',
  byThoseAsked: 'von denen, die gefragt sind',
  median: 'Mittlere Antwortzeit',
  expired: 'Ohne Antwort abgelaufen',
  allOf: (policy) => `alle nach Regel ${policy}`,
  noBefore: 'davor nichts zum Vergleich',
  trends: {
    more: (by) => `▲ ${by} mehr als davor`,
    less: (by) => `▼ ${by} weniger als davor`,
    same: () => 'wie davor',
  },
  volume: 'Fragen am Tag',
  volumeSays: (all) => `In dieser Zeit: ${fates(all)}.`,
  day: (day, all) => `${day}: ${fates(all)}`,
  hours: 'Wann gefragt wird',
  hour: (day, hour, asked, answered) => `${day} ${hour}:00: ${asked} gefragt, ${answered} beantwortet`,
  clock: (hour) => `${hour}:00`,
  waits: 'Wer wartet jetzt auf wen',
  asTable: 'Als Tabelle',
  waitColumns: ['Agent', 'Regelwerk', 'Wer gefragt ist', 'Offen', 'Überfällig'],
  requester: 'wer angefragt hat',
  against: 'Antwortzeit gegen die Frist, nach Regel',
  took: (half, most) => `die Hälfte in ${half}, 90 % in ${most}`,
  ofLimit: (limit) => ` von ${limit}`,
  undecided: 'keine entschieden',
  counts: {
    open: (n) => `${n} offen`,
    refused: (n) => `${n} abgelehnt`,
    escalated: (n) => `${n} eskaliert`,
    expired: (n) => `${n} abgelaufen`,
    approvals: (n) => plural(n, 'Genehmigung', 'Genehmigungen'),
    approvedUnchanged: (n) => `${n} unverändert`,
  },
  nothingAsked: 'In dieser Zeit wurde nichts gefragt.',
  unchanged: 'Wie vorgeschlagen genehmigt, nach Agent',
  perTask: (asked) => `${asked} je Aufgabe`,
  deciders: 'Wer wie viel entscheidet',
  refusedOf: (n) => `${n} abgelehnt`,
  half: (duration) => ` · die Hälfte in ${duration}`,
  nothingDecided: 'In dieser Zeit wurde nichts entschieden.',
  funnel: 'Wie weit Fragen steigen',
  steps: { asked: 'Gefragt', reminded: 'Erinnert', escalated: 'Eskaliert', expired: 'Abgelaufen' },
  percent: (share) => (share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`),
  rules: 'Regeln aus der Akte',
  noRules:
    'Keine Frage sieht nach einer Regel aus: Keine wurde mindestens 20 Mal und immer wie vorgeschlagen beantwortet.',
  every: (agent, times) => `${agent}: ${times} von ${times} Mal unverändert genehmigt`,
  makeRule: 'Daraus eine Regel machen',
  ways: {
    defaults: 'Der Vorschlag des Agenten würde nach 15 Minuten ohne Antwort gesendet.',
    agent: 'Zuerst würde ein anderer Agent gefragt, nach 5 Minuten die Menschen.',
  },
  replay: {
    defaults: ({ days, asked, sooner, spared, waited }) =>
      `In den letzten ${days} Tagen: Von ${plural(asked, 'Frage', 'Fragen')} hätten Menschen ${sooner} beantwortet wie jetzt, und ${spared} wären ohne Antwort gesendet worden${waited === '' ? '' : `, zusammen ${waited} früher`}.`,
    agent: ({ days, asked, waited }) =>
      `In den letzten ${days} Tagen: ${plural(asked, 'Frage', 'Fragen')} wären zuerst zum Agenten gegangen${waited === '' ? '' : `; sie haben zusammen ${waited} auf Menschen gewartet`}.`,
  },
  yaml: 'Für standfast.yaml',
};
