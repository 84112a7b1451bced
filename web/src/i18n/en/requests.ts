// The words of "My requests", and of the state of a task.
import { define } from '../define.ts';
import { plural } from '../plural.ts';

export const requests = /* @__PURE__ */ define('requests', {
  viewsLabel: 'Which requests',
  views: { open: 'Open', ended: 'Ended', all: 'All' },
  ask: 'Ask an agent',
  groups: { waiting: 'Waiting for people', working: 'The agent is working', ended: 'Ended' },
  none: {
    open: 'Nothing of yours is open.',
    ended: 'Nothing of yours has ended.',
    all: 'You have not asked for anything yet.',
  },
  noneYet: 'What you ask an agent for is listed here, with whom it waits for and until when.',
  untitled: 'A request',
  you: 'you',
  noneAsked: 'no one is asked',
  waitsFor: (who: string): string => `waits for ${who}`,
  worksOnIt: (who: string): string => `${who} works on it`,
  questions: (n: number): string => plural(n, 'question', 'questions'),
  until: (when: string): string => when,
  asked: (ago: string): string => `asked ${ago}`,
  withdraw: 'Withdraw',
  withdrawConfirm: 'Confirm: withdraw this request',
  withdrawing: 'It is being withdrawn; waiting for the agent’s word.',
  statuses: {
    NEW: 'Accepted',
    IN_PROGRESS: 'Working',
    NEEDS_REVIEW: 'Waiting for people',
    USER_INPUT_RECEIVED: 'Answer on its way',
    DONE: 'Done',
    FAILED: 'Failed',
    CANCELED: 'Cancelled',
  },
});
