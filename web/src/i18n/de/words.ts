// German, as one file that comes only where a browser asks for it. What is not here yet is said in English.
import { app, login, notification } from './app.ts';
import { grace } from './grace.ts';
import { firstRun } from './first-run.ts';
import { history } from './history.ts';
import { hold } from './hold.ts';
import { ends, inbox, kinds } from './inbox.ts';
import { operate } from './operate.ts';
import { overview } from './overview.ts';
import { requests } from './requests.ts';
import { settings } from './settings.ts';
import { talk } from './talk.ts';
import { time } from './time.ts';

export const de = {
  app,
  login,
  notification,
  inbox,
  kinds,
  ends,
  grace,
  firstRun,
  history,
  hold,
  operate,
  overview,
  requests,
  settings,
  talk,
  time,
};
