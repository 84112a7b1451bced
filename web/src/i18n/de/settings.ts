// The settings' own page, in German.
import type { settings as enSettings } from '../en/settings.ts';

export const settings: typeof enSettings = {
  you: 'Sie',
  name: 'Name',
  roles: 'Rollen',
  noRoles: 'keine',
  session: 'Angemeldet',
  vias: { none: 'ohne Schlüssel: nur an diesem Rechner', key: 'mit einem Schlüssel', session: 'mit einer Sitzung' },
  until: (at) => `bis ${at}`,
  appearance: 'Aussehen',
  here: 'In diesem Browser gemerkt.',
  notices: 'Benachrichtigungen',
  noticesWhat:
    'Von Fragen für Sie, solange diese Seite in einem Tab offen ist. Mail und Slack richtet Ihr Betrieb ein.',
  keys: 'Tasten',
};
