// The history, in German.
import type { history as enHistory } from '../en/history.ts';

export const history: typeof enHistory = {
  endedDays: 'Beendet an jedem Tag',
  endedOn: (day, n) => `${day}: ${n} beendet`,
  dragDays: 'Einen Tag wählen, oder über mehrere ziehen',
  csv: 'Als CSV herunterladen',
  list: 'Was zu Ende ist, das Neueste zuerst',
  search: 'Suchen',
  searchHint: 'Wörter, Namen, Werte',
  requester: 'Angefragt von',
  by: 'Beendet von',
  end: 'Wie es endete',
  anyEnd: 'Jedes Ende',
  ends: {
    approved: 'Genehmigt',
    answered: 'Beantwortet',
    declined: 'Abgelehnt',
    expired: 'Abgelaufen',
    withdrawn: 'Zurückgezogen',
    superseded: 'Neu gefragt',
    cancelled: 'Abgebrochen',
  },
  when: 'Beendet',
  anyTime: 'Irgendwann',
  periods: { today: 'Heute', week: 'Die letzten 7 Tage', month: 'Die letzten 30 Tage' },
  ownDays: 'Von … bis …',
  from: 'Von',
  to: 'Bis',
  ofPolicy: (name) => `der Regel ${name}`,
  none: 'Noch ist nichts zu Ende.',
  noneFits: 'Zu dieser Suche passt nichts, was zu Ende ist.',
};
