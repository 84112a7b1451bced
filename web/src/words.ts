// Every word the pages say, in one place; values come in as arguments. Each group is an export, so that a page loads its own.
export { bulk } from './words-bulk.ts';
export { errors } from './words-errors.ts';
export { figures } from './words-figures.ts';
export { help } from './words-help.ts';
export { holdStrings as hold } from './strings-hold.ts';
export { chatStrings as chat, taskStrings as task } from './strings-task.ts';

const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const app = {
  name: 'Holdpoint',
  title: (count: number): string => (count === 0 ? 'Holdpoint' : `(${count}) Holdpoint`),
  skip: 'Skip to content',
  navigation: 'Pages',
  inbox: 'Inbox',
  figures: 'Figures',
  chat: 'Chat',
  help: 'Help and settings',
  helpKey: '?',
  signedInAs: (name: string): string => `Signed in as ${name}`,
  signOut: 'Sign out',
  close: 'Close',
  reload: 'Reload',
  tryAgain: 'Try again',
  tryNow: 'Try now',
  loading: 'Loading…',
  live: 'live',
  liveLong: 'Live: changes show by themselves',
  reconnecting: 'reconnecting',
  offline: 'offline',
  reconnectingBar: (at: string): string => `Reconnecting… showing ${at}. You can read and write; sending waits.`,
  offlineBar: (at: string): string => `You are offline; showing ${at}. You can read and write; sending waits.`,
  backAgain: (changes: number): string =>
    changes === 0 ? 'Connected again, nothing changed.' : `Connected again, ${plural(changes, 'change', 'changes')}.`,
  newVersion: 'A new version of this page is ready.',
  newQuestions: (n: number): string => plural(n, 'new question', 'new questions'),
  missingTitle: 'Nothing here',
  missing: 'This page does not exist.',
  toInbox: 'Go to the inbox',
  failedTitle: 'Holdpoint cannot be reached',
  failed: 'The page is loaded, but nobody answers its questions yet.',
  brokenTitle: 'This part of the page failed',
  broken: 'What you typed elsewhere is kept. Reloading usually helps.',
  forbidden: 'You may not do this here.',
  wentWrong: (requestId: string | null): string =>
    `Something went wrong on our side. Reference ${requestId ?? 'none'}.`,
};

export const inbox = {
  title: 'Inbox',
  untitled: 'A question',
  views: { mine: 'Mine', team: 'Team', all: 'All', decided: 'Decided' },
  viewsLabel: 'Which questions',
  viewCount: (view: string, count: number): string => `${view}, ${count}`,
  list: 'Questions',
  search: 'Search',
  searchHint: 'Search title, text, agent',
  agent: 'Agent',
  anyAgent: 'Any agent',
  kind: 'Kind',
  anyKind: 'Any kind',
  sort: 'Order',
  sorts: { deadline: 'Deadline first', newest: 'Newest first' },
  filters: 'Filters',
  clear: 'Clear filters',
  fresh: (n: number): string => `${n} new`,
  showFresh: (n: number): string => `Show ${plural(n, 'new question', 'new questions')}`,
  shown: (n: number, of: number): string => (n >= of ? `${n}` : `${n} of ${of}`),
  more: 'Show more',
  earlier: 'Show earlier',
  loadingMore: 'Loading more…',
  select: 'Select',
  selectRow: (title: string): string => `Select ${title}`,
  selected: (n: number): string => `${n} selected`,
  review: (n: number): string => `Review ${n} selected…`,
  done: 'Stop selecting',
  notTogether: 'Only questions of one agent and one kind can be decided together.',
  tooMany: 'At most 50 questions can be decided together.',
  notAlone: 'This question has to be opened and decided by itself.',
  urgent: 'under 10 minutes',
  escalated: (n: number): string => (n === 1 ? 'escalated' : `escalated ${n} times`),
  votes: (have: number, need: number): string => `${have}/${need}`,
  votesLong: (have: number, need: number): string => `${have} of ${need} votes`,
  worksOnIt: (who: string): string => `${who} works on it`,
  youWorkOnIt: 'you work on it',
  noDeadline: 'no end',
  emptyMine: (team: number): string =>
    team === 0 ? 'Nothing waits for you.' : `Nothing waits for you. Team has ${team}.`,
  openTeam: 'Show team',
  emptyView: { team: 'Nothing waits for your team.', all: 'No open questions.', decided: 'Nothing has ended yet.' },
  emptyFilter: 'No question fits these filters.',
  firstRunTitle: 'No agent has asked anything yet',
  firstRun: 'Talk to an agent, and what it asks people appears here by itself.',
  firstRunNoAgents: 'No agent is configured. Start the demo agent, or name yours in holdpoint.yaml:',
  firstRunCommand: 'npm start',
  tryAgent: (name: string): string => `Chat with ${name}`,
  failed: 'The list could not be read.',
  pick: 'Choose a question to see it here.',
  pickKeys: 'j and k move, Enter opens, ? shows all keys.',
  pane: 'Question',
  listHeading: (view: string): string => `${view} questions`,
  notFoundTitle: 'Not here',
  claimed: 'You work on it now.',
  released: 'Released.',
};

export const kinds = {
  form: 'form',
  confirmation: 'yes or no',
  tool_call: 'tool call',
  authorization: 'authorise',
  text: 'question',
  operator: 'for operators',
};

/** How a question ended, in the list: principle 7, four words that never blur. */
export const ends = {
  approvedBy: (who: string): string => `Approved by ${who}`,
  rejectedBy: (who: string): string => `Rejected by ${who}`,
  answeredBy: (who: string): string => `Answered by ${who}`,
  declinedBy: (who: string): string => `Declined by ${who}`,
  expired: 'Expired',
  expiredBy: (policy: string): string => `Expired (policy ${policy})`,
  withdrawn: 'Withdrawn by the agent',
  superseded: 'The agent asked again',
  cancelled: 'Task cancelled',
  cancelledBy: (who: string): string => `Task cancelled by ${who}`,
  you: 'you',
  ended: 'Ended',
  someone: 'Someone',
};

export const time = {
  seconds: (n: number): string => `${n} s`,
  minutes: (n: number): string => `${n} min`,
  hours: (n: number): string => `${n} h`,
  days: (n: number): string => `${n} d`,
  spokenSeconds: (n: number): string => plural(n, 'second', 'seconds'),
  spokenMinutes: (n: number): string => plural(n, 'minute', 'minutes'),
  spokenHours: (n: number): string => plural(n, 'hour', 'hours'),
  spokenDays: (n: number): string => plural(n, 'day', 'days'),
  in: (duration: string): string => `in ${duration}`,
  left: (duration: string): string => `${duration} left`,
  ago: (duration: string): string => `${duration} ago`,
  justNow: 'just now',
  over: 'time is up',
};

export const login = {
  title: 'Sign in',
  lead: 'Use the API key you were given.',
  key: 'API key',
  submit: 'Sign in',
  wrong: 'This key is not known here. Check it, or ask an operator.',
  empty: 'Please enter your key.',
  failed: 'Holdpoint cannot be reached now. Try again in a moment.',
  again: 'Please sign in again',
  againLead: 'Your session has ended. What you typed is kept; after signing in you go on where you were.',
  endsSoon: (duration: string): string => `Your session ends in ${duration}. Drafts are kept.`,
  sending: 'Signing in…',
  tooMany: (wait: string): string => `Too many tries. Try again in ${wait}.`,
};

export const notification = {
  title: 'A question waits for you',
  body: (agent: string, title: string): string => `${agent}: ${title}`,
};
