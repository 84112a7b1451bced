// Help and the choices of a browser, in German.
import type { help as enHelp } from '../en/help.ts';

export const help: typeof enHelp = {
  title: 'Hilfe und Einstellungen',
  keysTitle: 'Tasten',
  keysSwitch: 'Kürzel mit einer Taste',
  keysWhy: 'Tasten ruhen, während Sie schreiben. Strg+Enter, Pfeile und Esc gehen immer.',
  moveOn: 'Nach einer Entscheidung zur nächsten Frage gehen',
  moveOnWhy: 'Was Sie zuletzt entschieden haben, steht am Rand; z nimmt es zurück, solange es nicht gesendet ist.',
  theme: 'Farben',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  density: 'Zeilen',
  densities: { normal: 'Normal', compact: 'Eng' },
  notify: 'Benachrichtigungen am Rechner',
  notifyOff: 'An diesem Rechner sagen, wenn eine Frage wartet',
  notifyOn: 'An. Sie nennen den Agenten und den Titel, mehr nicht.',
  notifyBlocked:
    'Dieser Browser sperrt Benachrichtigungen von Standfast. Drücken Sie auf das Zeichen neben der Adresse, erlauben Sie dort Benachrichtigungen, und kommen Sie zurück.',
  notifyAgain: 'Ich habe sie erlaubt',
  notifyStop: 'Keine Benachrichtigungen mehr',
  groups: [
    {
      title: 'Liste',
      keys: [
        ['j k ↓ ↑', 'bewegen'],
        ['Enter o', 'öffnen'],
        ['Shift+a', 'gleichartige zusammen durchsehen'],
        ['x · Shift+x', 'auswählen · bis hierher auswählen'],
      ],
    },
    {
      title: 'Frage',
      keys: [
        ['a', 'genehmigen (fragt noch einmal), sonst zum ersten Feld'],
        ['n', 'genehmigen und nicht mehr fragen, wo das angeboten ist (fragt noch einmal)'],
        ['r', 'ablehnen (fragt noch einmal)'],
        ['e', 'ein Argument bearbeiten (Enter behält es, Esc nimmt es zurück) oder das Formular'],
        ['Ctrl+Enter', 'senden, was Sie geschrieben haben'],
        ['] [', 'nächste und vorige Änderung eines Diffs'],
        ['z', 'rückgängig, solange die Antwort nicht gesendet ist'],
        ['c', 'übernehmen oder freigeben'],
        ['m', 'weitergeben'],
        ['t', 'ihre Aufgabe öffnen'],
        ['q', 'den Agenten fragen'],
        ['j k', 'nächste und vorige Frage'],
        ['u', 'zurück zur Liste'],
      ],
    },
    {
      title: 'Überall',
      keys: [
        ['/', 'suchen'],
        ['g dann i r d c f', 'Eingang, meine Anfragen, Verlauf, Chat, Überblick'],
        ['Esc', 'entschärfen, leeren, zurück'],
        ['?', 'diese Hilfe'],
      ],
    },
  ],
};
