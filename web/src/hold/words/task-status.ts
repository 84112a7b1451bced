// The state of a task, in a line: what a requester wants to know of it; pure.
import type { TaskStatus } from '../../../../src/contract/tasks/task.ts';
import { stateTones, type Tone } from './state-tones.ts';
import { strings } from '../../i18n/strings.ts';

const words = strings.requests;

export interface StatusTag {
  word: string;
  tone: Tone;
  icon: 'clock' | 'rotate' | 'inbox' | 'forward' | 'granted' | 'refused' | 'slash';
}

const tags: Record<TaskStatus, Omit<StatusTag, 'word'>> = {
  NEW: { tone: stateTones.other, icon: 'clock' },
  IN_PROGRESS: { tone: stateTones.other, icon: 'rotate' },
  NEEDS_REVIEW: { tone: stateTones.waiting, icon: 'inbox' },
  USER_INPUT_RECEIVED: { tone: stateTones.other, icon: 'forward' },
  DONE: { tone: stateTones.approved, icon: 'granted' },
  FAILED: { tone: stateTones.failed, icon: 'refused' },
  CANCELED: { tone: stateTones.other, icon: 'slash' },
};

export const statusTagOf = (status: TaskStatus): StatusTag => ({
  ...tags[status],
  word: words.statuses[status],
});
