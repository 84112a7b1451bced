// What went wrong, and what now, in German.
import type { errors as enErrors } from '../en/errors.ts';

export const errors: typeof enErrors = {
  hold_closed: (who, what, at) =>
    `${who} hat das um ${at} schon entschieden (${what}). Ihre Antwort wurde nicht gesendet.`,
  hold_closed_expired: (at) =>
    `Um ${at} war es zu Ende: Niemand hat rechtzeitig geantwortet. Ihre Antwort wurde nicht gesendet.`,
  hold_closed_withdrawn: 'Der Agent hat die Frage zurückgezogen. Ihre Antwort wurde nicht gesendet.',
  hold_closed_with: 'Das endete mit der anderen Frage der Aufgabe. Ihre Antwort wurde nicht gesendet.',
  hold_closed_superseded: 'Der Agent hat neu gefragt. Ihre Antwort wurde nicht gesendet.',
  hold_closed_cancelled: 'Die Aufgabe wurde abgebrochen. Ihre Antwort wurde nicht gesendet.',
  hold_closed_unknown: 'Diese Frage ist schon beendet. Ihre Antwort wurde nicht gesendet.',
  already_voted: 'Ihre Stimme zählt schon. Nehmen Sie sie zurück, um anders zu stimmen.',
  interrupt_expired: (at, then) => `Zu spät: Um ${at} war es zu Ende, und ${then}.`,
  interrupt_expired_unknown: 'Zu spät: Diese Frage ist beendet.',
  digest_mismatch: 'Diese Frage hat sich beim Lesen geändert. Es wurde nichts gesendet.',
  edit_under_other_policy:
    'So geändert müssen andere über den Aufruf entscheiden. Es wurde nichts gesendet; eine einzelne Frage wird mit der Änderung neu gestellt.',
  changed_meanwhile:
    'Diese Frage oder Ihre Antwort darauf ist nicht mehr, wie Sie sie gesehen haben. Es wurde nichts gesendet; bitte neu laden und noch einmal lesen.',
  hold_damaged:
    'Die gespeicherte Frage ist nicht lesbar oder nicht die gestellte. Es wurde nichts gesendet. Sagen Sie es dem Betrieb; er kann die Aufgabe abbrechen.',
  digest_required:
    'Diese Seite hat nicht gesagt, was sie Ihnen gezeigt hat. Es wurde nichts gesendet. Bitte neu laden und noch einmal antworten.',
  passkey_required:
    'Das muss mit einem Passkey von Ihnen unterschrieben werden. Registrieren Sie einen in den Einstellungen. Es wurde nichts gesendet.',
  passkey_invalid:
    'Die Unterschrift wurde nicht angenommen. Es wurde nichts gesendet; antworten und unterschreiben Sie noch einmal.',
  passkey_stopped: 'Ihr Browser oder Gerät hat die Unterschrift abgebrochen. Es wurde nichts gesendet.',
  payload_invalid: (n) =>
    n === 1 ? '1 Antwort braucht noch einen Blick.' : `${n} Antworten brauchen noch einen Blick.`,
  not_allowed_to_decide: (audience) =>
    audience === '' ? 'Sie können das lesen; andere entscheiden.' : `Sie können das lesen; ${audience} entscheidet.`,
  forbidden: 'Das dürfen Sie hier nicht.',
  decision_not_confirmed: (wait) =>
    `Noch nicht bestätigt. Ihre Antwort kann angekommen sein; in ${wait} fragen wir mit demselben Schlüssel noch einmal. Nichts geschieht doppelt.`,
  engine: (wait) =>
    `Standfast erreicht seinen Motor gerade nicht. Ihr Entwurf ist sicher; nächster Versuch in ${wait}.`,
  network: (wait) =>
    `Noch nicht bestätigt: Die Verbindung ist weg. Nächster Versuch in ${wait} mit demselben Schlüssel. Nichts geschieht doppelt.`,
  busy: (wait) => `Gerade sind viele da; nächster Versuch in ${wait}.`,
  not_authenticated: 'Bitte melden Sie sich noch einmal an; Ihr Entwurf bleibt.',
  not_found: 'Diese Frage gibt es nicht, oder Sie dürfen sie nicht sehen.',
  input_invalid: (requestId) => `Die Seite hat etwas Falsches gesendet; bitte neu laden (Kennzeichen ${requestId}).`,
  too_large: (n, max, field) => `Zu lang: ${n} von ${max}. Bitte ${field} kürzen.`,
  kib: (n) => `${n} KiB`,
  too_large_unknown: 'Zu lang. Bitte kürzen Sie Ihre Antwort.',
  interrupts_pending: 'Bitte beantworten Sie zuerst die offene Frage.',
  interrupt_unknown: 'Diese Frage ist nicht mehr bekannt.',
  interrupts_not_covered: (n) =>
    n === 1 ? '1 weitere Frage muss mit beantwortet werden.' : `${n} weitere Fragen müssen mit beantwortet werden.`,
  run_conflict: 'Das wurde schon mit anderem Inhalt gesendet; beginnen Sie eine neue Nachricht.',
  agent_unreachable: (agent) => `${agent} war zu lange nicht erreichbar; die Arbeit wurde beendet.`,
  agent_silent: (agent, duration) => `${agent} hat seit ${duration} nichts gesagt; die Aufgabe ist beendet.`,
  agent_failed: (agent, message) =>
    message === '' ? `${agent} ist gescheitert.` : `${agent} ist gescheitert: „${message}“.`,
  agent_rejected: (agent) => `${agent} hat die Aufgabe abgelehnt.`,
  delivery_unknown: (agent) => `Der Betrieb muss prüfen, ob ${agent} die Nachricht bekommen hat.`,
  hold_expired: 'Niemand hat rechtzeitig geantwortet.',
  unknown: (requestId) =>
    `Bei uns ist etwas schiefgegangen; ob Ihre Antwort ankam, wissen wir noch nicht. Kennzeichen ${requestId}.`,
  unknownRead: (requestId) => `Bei uns ist etwas schiefgegangen. Kennzeichen ${requestId}.`,
  noReference: 'keines',
  aLongTime: 'langer Zeit',
  actions: {
    refresh: 'Neu laden',
    checkNow: 'Jetzt prüfen',
  },
};
