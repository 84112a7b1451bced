// The words of the settings' own page; the choices themselves are worded in help.ts.
import { define } from '../define.ts';

export const settings = /* @__PURE__ */ define('settings', {
  you: 'You',
  name: 'Name',
  roles: 'Roles',
  noRoles: 'none',
  session: 'Signed in',
  vias: { none: 'without keys: this computer alone', key: 'by a key', session: 'by a session' },
  until: (at: string): string => `until ${at}`,
  appearance: 'Appearance',
  here: 'Kept in this browser.',
  notices: 'Notifications',
  noticesWhat: 'Of questions for you, while this page is open in a tab. Mail and Slack are set up by your operator.',
  keys: 'Keys',
});
