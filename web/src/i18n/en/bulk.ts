// The words of deciding several questions together.
import { define } from '../define.ts';
import { plural } from '../plural.ts';

export const bulk = /* @__PURE__ */ define('bulk', {
  title: (n: number): string => `Review ${plural(n, 'question', 'questions')}`,
  lead: (agent: string, kind: string): string =>
    `All from ${agent}, all ${kind}. See each one; then one decision goes to all of them, each by itself.`,
  table: 'The calls and their arguments',
  question: 'Question',
  state: 'State',
  back: 'Back',
  noExplanation: 'The agent added no words.',
  tool: (name: string): string => `Tool ${name}`,
  unread: (n: number): string => `${n} not seen yet`,
  allRead: 'All were seen.',
  approve: (n: number): string => `Approve ${n} as proposed`,
  reject: (n: number): string => `Reject ${n}`,
  confirmApprove: (n: number): string => `Confirm: approve ${n}`,
  confirmReject: (n: number): string => `Confirm: reject ${n}`,
  reason: 'Reason (optional)',
  approveMeans: 'Each agent goes on with what it proposed. It cannot be taken back.',
  rejectMeans: 'Rejecting tells the agent no.',
  rejectCancels: 'Rejecting cancels the task.',
  rejectMixed: 'Rejecting tells the agent no, or cancels the task where the agent takes no refusal.',
  remove: (title: string): string => `Leave out ${title}`,
  sending: 'Sending…',
  notConfirmed:
    'Not confirmed yet: your answers may have arrived. They are sent again as they were; nothing happens twice.',
  busy: 'Many people are here at once; nothing was sent. Please press again in a moment.',
  notReady: 'See each question first.',
  drop: 'Leave out',
  tally: (ok: number, all: number): string => `${ok} of ${all} recorded.`,
  rejected: 'Rejected',
  recorded: 'Recorded',
  counted: (have: number, need: number): string => `Counted, ${have} of ${need} needed`,
  changed: 'This question changed while you were reading. Nothing was sent.',
  notBulk: 'Has to be decided by itself.',
  gone: 'Has ended already.',
  unread1: 'not seen yet',
  results: 'Results',
  finish: 'Back to the list',
});
