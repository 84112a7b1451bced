// The words of a decision that can still be taken back, in German.
import type { grace as enGrace } from '../en/grace.ts';

export const grace: typeof enGrace = {
  left: (seconds) => `${seconds} s`,
  undoKey: 'z',
  label: 'Eine Entscheidung, die sich zurücknehmen lässt',
  lastOne: 'Was Sie zuletzt entschieden haben',
  look: 'Ansehen',
  done: {
    approved: 'Genehmigt',
    rejected: 'Abgelehnt',
    answered: 'Beantwortet',
    declined: 'Nicht beantwortet',
  },
  by: (done, who) => `${done} von ${who}`,
  sentIn: (seconds) => `wird in ${seconds} s gesendet`,
  goingOut: 'wird gesendet …',
  announced: (done, at) => `${done}. Es wird um ${at} gesendet; „Rückgängig“ nimmt es zurück.`,
  undo: 'Rückgängig',
  undone: 'Zurückgenommen. Die Frage ist wieder offen.',
  tooLate: 'Zu spät: Es ist gesendet.',
  notUndone: 'Es ließ sich nicht zurücknehmen; versuchen Sie es noch einmal.',
  rowBy: (done, who) => `${done} von ${who}, wird gleich gesendet`,
};
