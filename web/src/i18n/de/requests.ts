// „Meine Anfragen“, in German.
import type { requests as enRequests } from '../en/requests.ts';
import { plural } from '../plural.ts';

export const requests: typeof enRequests = {
  viewsLabel: 'Welche Anfragen',
  views: { open: 'Offen', ended: 'Beendet', all: 'Alle' },
  ask: 'Einen Agenten fragen',
  groups: { waiting: 'Wartet auf Menschen', working: 'Der Agent arbeitet', ended: 'Beendet' },
  none: {
    open: 'Von Ihnen ist nichts offen.',
    ended: 'Von Ihnen ist noch nichts beendet.',
    all: 'Sie haben noch nichts angefragt.',
  },
  noneYet: 'Was Sie bei einem Agenten anfragen, steht hier: auf wen es wartet und bis wann.',
  untitled: 'Eine Anfrage',
  you: 'Sie',
  noneAsked: 'niemand ist gefragt',
  waitsFor: (who) => `wartet auf ${who}`,
  worksOnIt: (who) => `${who} arbeitet daran`,
  questions: (n) => plural(n, 'Frage', 'Fragen'),
  until: (when) => when,
  asked: (ago) => `gefragt ${ago}`,
  withdraw: 'Zurückziehen',
  withdrawConfirm: 'Bestätigen: diese Anfrage zurückziehen',
  withdrawing: 'Sie wird zurückgezogen; das Wort des Agenten wird erwartet.',
  statuses: {
    NEW: 'Angenommen',
    IN_PROGRESS: 'In Arbeit',
    NEEDS_REVIEW: 'Wartet auf Menschen',
    USER_INPUT_RECEIVED: 'Antwort unterwegs',
    DONE: 'Fertig',
    FAILED: 'Gescheitert',
    CANCELED: 'Abgebrochen',
  },
};
