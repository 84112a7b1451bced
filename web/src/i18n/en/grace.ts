// The words of a decision that can still be taken back.
import { define } from '../define.ts';

export const grace = /* @__PURE__ */ define('grace', {
  label: 'A decision that can be taken back',
  lastOne: 'What you decided last',
  look: 'Look',
  done: {
    approved: 'Approved',
    rejected: 'Rejected',
    answered: 'Answered',
    declined: 'Declined',
  },
  by: (done: string, who: string): string => `${done} by ${who}`,
  sentIn: (seconds: number): string => `sent in ${seconds} s`,
  left: (seconds: number): string => `${seconds} s`,
  goingOut: 'being sent…',
  announced: (done: string, at: string): string => `${done}. It is sent at ${at}; Undo takes it back.`,
  undo: 'Undo',
  undoKey: 'z',
  undone: 'Taken back. The question is open again.',
  tooLate: 'Too late: it has been sent.',
  notUndone: 'It could not be taken back; try again.',
  rowBy: (done: string, who: string): string => `${done} by ${who}, sent soon`,
});
