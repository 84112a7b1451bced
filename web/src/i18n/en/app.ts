// The frame of every page: names of pages, the connection, sign-in, notifications.
import { define } from '../define.ts';
import { plural } from '../plural.ts';

export const app = /* @__PURE__ */ define('app', {
  name: 'Standfast',
  title: (count: number, page: string): string =>
    `${count === 0 ? '' : `(${count}) `}${page === '' ? '' : `${page} · `}Standfast`,
  pages: {
    forMe: 'For me',
    requests: 'My requests',
    history: 'History',
    chat: 'Chat',
    overview: 'Overview',
    tasks: 'Tasks',
    operations: 'Operations',
    agents: 'Agents',
    policies: 'Policies',
    grants: 'Grants',
    settings: 'Settings',
  },
  operate: 'Operate',
  savedViews: 'Views',
  more: 'More',
  search: 'Search',
  searchKey: 'Ctrl K',
  skip: 'Skip to content',
  navigation: 'Pages',
  help: 'Help and settings',
  helpKey: '?',
  signedIn: 'Signed in as',
  signedInAs: (name: string): string => `Signed in as ${name}`,
  signOut: 'Sign out',
  signOutAs: (name: string): string => `Sign out (${name})`,
  close: 'Close',
  reload: 'Reload',
  tryAgain: 'Try again',
  tryNow: 'Try now',
  loading: 'Loading…',
  live: 'live',
  liveLong: 'Live: changes appear at once',
  slow: 'slow to answer',
  reconnecting: 'reconnecting',
  offline: 'offline',
  reconnectingBar: (at: string): string =>
    `Reconnecting… showing ${at}. What is here can be read and written; sending waits.`,
  offlineBar: (at: string): string =>
    `You are offline; showing ${at}. What is here can be read and written; sending waits.`,
  backAgain: (changes: number): string =>
    changes === 0 ? 'Connected again, nothing changed.' : `Connected again, ${plural(changes, 'change', 'changes')}.`,
  newVersion: 'A new version of this page is ready.',
  newQuestions: (n: number): string => plural(n, 'new question', 'new questions'),
  missingTitle: 'Nothing here',
  missing: 'This page does not exist.',
  toInbox: 'Go to the inbox',
  failedTitle: 'Standfast cannot be reached',
  failed: 'The page is loaded, but the server does not answer yet.',
  brokenTitle: 'This part of the page failed',
  broken: 'What you typed elsewhere is kept. Reloading usually helps.',
  forbidden: 'You may not do this here.',
  wentWrong: (requestId: string | null): string =>
    `Something went wrong on our side. Reference ${requestId ?? 'none'}.`,
});

export const login = /* @__PURE__ */ define('login', {
  title: 'Sign in',
  what: 'Agents ask, people answer.',
  lead: 'Use the API key you were given.',
  key: 'API key',
  submit: 'Sign in',
  wrong: 'This key is not known here. Check it, or ask an operator.',
  empty: 'Please enter your key.',
  failed: 'Standfast cannot be reached now. Try again in a moment.',
  again: 'Please sign in again',
  againLead: 'Your session has ended. What you typed is kept; after signing in you go on where you were.',
  endsSoon: (duration: string): string => `Your session ends in ${duration}. Drafts are kept.`,
  sending: 'Signing in…',
  tooMany: (wait: string): string => `Too many tries. Try again in ${wait}.`,
  failures: {
    refused: 'The identity provider did not sign you in: it refused, or you cancelled. You can try again.',
    stale: 'This sign-in was begun in another browser, or too long ago. Please begin again.',
    unverified: 'The identity provider has not verified your mail address. Please verify it there, then sign in again.',
    unknown: 'The identity provider gives you no name that is valid here. Please ask an operator.',
    unavailable: 'The identity provider cannot be reached now. Try again in a moment.',
    failed: 'The sign-in did not succeed. Try again; if it fails again, ask an operator.',
    signOut: 'You are signed out here. The identity provider could not be reached: you may still be signed in there.',
  },
});

export const notification = /* @__PURE__ */ define('notification', {
  reminded: 'You wanted to be reminded',
  title: 'A question waits for you',
  body: (agent: string, title: string): string => `${agent}: ${title}`,
});
