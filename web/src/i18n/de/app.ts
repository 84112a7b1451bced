// The frame of every page, in German.
import type { app as enApp, login as enLogin, notification as enNotification } from '../en/app.ts';
import { plural } from '../plural.ts';

export const app: typeof enApp = {
  name: 'Standfast',
  title: (count, page) => `${count === 0 ? '' : `(${count}) `}${page === '' ? '' : `${page} · `}Standfast`,
  helpKey: '?',
  pages: {
    forMe: 'Für mich',
    requests: 'Meine Anfragen',
    history: 'Verlauf',
    chat: 'Chat',
    overview: 'Überblick',
    tasks: 'Aufgaben',
    operations: 'Betrieb',
    agents: 'Agenten',
    policies: 'Regeln',
    grants: 'Freigaben',
    settings: 'Einstellungen',
  },
  operate: 'Betrieb',
  savedViews: 'Ansichten',
  more: 'Mehr',
  search: 'Suchen',
  searchKey: 'Strg K',
  skip: 'Zum Inhalt',
  navigation: 'Seiten',
  help: 'Hilfe und Einstellungen',
  signedIn: 'Angemeldet als',
  signedInAs: (name) => `Angemeldet als ${name}`,
  signOut: 'Abmelden',
  signOutAs: (name) => `Abmelden (${name})`,
  close: 'Schließen',
  reload: 'Neu laden',
  tryAgain: 'Noch einmal versuchen',
  tryNow: 'Jetzt versuchen',
  loading: 'Wird geladen …',
  live: 'live',
  liveLong: 'Live: Änderungen erscheinen von selbst',
  slow: 'antwortet langsam',
  reconnecting: 'verbindet neu',
  offline: 'offline',
  reconnectingBar: (at) =>
    `Verbindung wird gesucht … Stand ${at}. Was hier steht, lässt sich lesen und schreiben; Senden wartet.`,
  offlineBar: (at) => `Sie sind offline; Stand ${at}. Was hier steht, lässt sich lesen und schreiben; Senden wartet.`,
  backAgain: (changes) =>
    changes === 0
      ? 'Wieder verbunden, nichts hat sich geändert.'
      : `Wieder verbunden, ${plural(changes, 'Änderung', 'Änderungen')}.`,
  newVersion: 'Eine neue Fassung dieser Seite ist da.',
  newQuestions: (n) => plural(n, 'neue Frage', 'neue Fragen'),
  missingTitle: 'Hier ist nichts',
  missing: 'Diese Seite gibt es nicht.',
  toInbox: 'Zum Eingang',
  failedTitle: 'Standfast ist nicht erreichbar',
  failed: 'Die Seite ist da, aber der Server antwortet noch nicht.',
  brokenTitle: 'Dieser Teil der Seite ist ausgefallen',
  broken: 'Was Sie anderswo geschrieben haben, bleibt. Neu laden hilft meistens.',
  forbidden: 'Das dürfen Sie hier nicht.',
  wentWrong: (requestId) => `Bei uns ist etwas schiefgegangen. Kennzeichen ${requestId ?? 'keines'}.`,
};

export const login: typeof enLogin = {
  title: 'Anmelden',
  what: 'Agenten fragen, Menschen antworten.',
  lead: 'Mit dem API-Schlüssel, den Sie bekommen haben.',
  key: 'API-Schlüssel',
  submit: 'Anmelden',
  wrong: 'Diesen Schlüssel kennt hier niemand. Bitte prüfen oder beim Betrieb nachfragen.',
  empty: 'Bitte geben Sie Ihren Schlüssel ein.',
  failed: 'Standfast ist gerade nicht erreichbar. Bitte gleich noch einmal versuchen.',
  again: 'Bitte melden Sie sich noch einmal an',
  againLead: 'Ihre Sitzung ist zu Ende. Was Sie geschrieben haben, bleibt; danach geht es weiter, wo Sie waren.',
  endsSoon: (duration) => `Ihre Sitzung endet in ${duration}. Entwürfe bleiben.`,
  sending: 'Anmeldung läuft …',
  tooMany: (wait) => `Zu viele Versuche. Wieder möglich in ${wait}.`,
  failures: {
    refused: 'Der Anmeldedienst hat Sie nicht angemeldet: abgelehnt oder von Ihnen abgebrochen. Bitte neu versuchen.',
    stale: 'Diese Anmeldung begann in einem anderen Browser oder vor zu langer Zeit. Bitte neu beginnen.',
    unverified:
      'Der Anmeldedienst hat Ihre Mailadresse nicht bestätigt. Bitte bestätigen Sie sie dort und melden Sie sich dann neu an.',
    unknown: 'Der Anmeldedienst nennt für Sie keinen Namen, der hier gilt. Bitte beim Betrieb nachfragen.',
    unavailable: 'Der Anmeldedienst ist gerade nicht erreichbar. Bitte gleich noch einmal versuchen.',
    failed: 'Die Anmeldung ist nicht gelungen. Bitte neu versuchen; hilft das nicht, beim Betrieb nachfragen.',
    signOut:
      'Sie sind hier abgemeldet. Der Anmeldedienst war nicht erreichbar: dort sind Sie vielleicht noch angemeldet.',
  },
};

export const notification: typeof enNotification = {
  reminded: 'Sie wollten erinnert werden',
  title: 'Eine Frage wartet auf Sie',
  body: (agent, title) => `${agent}: ${title}`,
};
