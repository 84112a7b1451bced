// Every word the pages say, in one place; values come in as arguments. Each group is an export, so that a page loads its own.
export { app, login, notification } from './en/app.ts';
export { bulk } from './en/bulk.ts';
export { chat } from './en/chat.ts';
export { ends, inbox, kinds } from './en/inbox.ts';
export { errors } from './en/errors.ts';
export { figures } from './en/figures.ts';
export { grace } from './en/grace.ts';
export { history } from './en/history.ts';
export { help } from './en/help.ts';
export { hold } from './en/hold.ts';
export { operate } from './en/operate.ts';
export { overview } from './en/overview.ts';
export { palette } from './en/palette.ts';
export { requests } from './en/requests.ts';
export { settings } from './en/settings.ts';
export { talk } from './en/talk.ts';
export { task } from './en/task.ts';
export { time } from './en/time.ts';
