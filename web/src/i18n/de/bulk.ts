// Deciding several questions together, in German.
import type { bulk as enBulk } from '../en/bulk.ts';
import { plural } from '../plural.ts';

export const bulk: typeof enBulk = {
  title: (n) => `${plural(n, 'Frage', 'Fragen')} prüfen`,
  lead: (agent, kind) =>
    `Alle von ${agent}, alle ${kind}. Sehen Sie jede an; dann gilt eine Entscheidung für alle, für jede einzeln.`,
  table: 'Die Aufrufe und ihre Argumente',
  question: 'Frage',
  state: 'Stand',
  back: 'Zurück',
  noExplanation: 'Der Agent hat nichts dazu gesagt.',
  tool: (name) => `Werkzeug ${name}`,
  unread: (n) => `${n} noch nicht gesehen`,
  allRead: 'Alle wurden gesehen.',
  approve: (n) => `${n} wie vorgeschlagen genehmigen`,
  reject: (n) => `${n} ablehnen`,
  confirmApprove: (n) => `Bestätigen: ${n} genehmigen`,
  confirmReject: (n) => `Bestätigen: ${n} ablehnen`,
  reason: 'Grund (freiwillig)',
  approveMeans: 'Jeder Agent fährt mit seinem Vorschlag fort. Es lässt sich nicht zurücknehmen.',
  rejectMeans: 'Ablehnen sagt dem Agenten Nein.',
  rejectCancels: 'Ablehnen bricht die Aufgabe ab.',
  rejectMixed: 'Ablehnen sagt dem Agenten Nein, oder bricht die Aufgabe ab, wo er kein Nein versteht.',
  remove: (title) => `${title} weglassen`,
  sending: 'Wird gesendet …',
  notConfirmed:
    'Noch nicht bestätigt: Ihre Antworten können angekommen sein. Sie werden unverändert noch einmal gesendet; nichts geschieht doppelt.',
  busy: 'Gerade sind viele da; es wurde nichts gesendet. Bitte gleich noch einmal.',
  notReady: 'Sehen Sie zuerst jede Frage an.',
  drop: 'Weglassen',
  tally: (ok, all) => `${ok} von ${all} festgehalten.`,
  rejected: 'Abgelehnt',
  recorded: 'Festgehalten',
  counted: (have, need) => `Gezählt, ${have} von ${need} nötig`,
  changed: 'Diese Frage hat sich beim Lesen geändert. Es wurde nichts gesendet.',
  notBulk: 'Muss einzeln entschieden werden.',
  gone: 'Ist schon beendet.',
  unread1: 'noch nicht gesehen',
  results: 'Ergebnisse',
  finish: 'Zurück zur Liste',
};
