// German, as one file that comes only where a browser asks for it. It says all that English says: the compiler and a test see to it.
import { app, login, notification } from './app.ts';
import { dates } from './dates.ts';
import { grace } from './grace.ts';
import { firstRun } from './first-run.ts';
import { history } from './history.ts';
import { hold } from './hold.ts';
import { ends, inbox, kinds } from './inbox.ts';
import { operate } from './operate.ts';
import { overview } from './overview.ts';
import { precedents } from './precedents.ts';
import { requests } from './requests.ts';
import { seen } from './seen.ts';
import { settings } from './settings.ts';
import { talk } from './talk.ts';
import { bulk } from './bulk.ts';
import { chat } from './chat.ts';
import { expiry, gates, grants, ladder, stages } from './expiry.ts';
import { errors } from './errors.ts';
import { help } from './help.ts';
import { palette } from './palette.ts';
import { task } from './task.ts';
import { trick } from './trick.ts';
import { time } from './time.ts';

export const de = {
  app,
  login,
  notification,
  inbox,
  kinds,
  ends,
  dates,
  grace,
  firstRun,
  history,
  hold,
  ladder,
  operate,
  overview,
  precedents,
  requests,
  seen,
  settings,
  gates,
  grants,
  stages,
  talk,
  bulk,
  chat,
  errors,
  expiry,
  help,
  palette,
  task,
  trick,
  time,
};
