// The state of a task, in a line: what a requester wants to know of it; pure.
import type { TaskStatus } from '../../../src/contract/tasks/task.ts';
import { strings } from '../i18n/strings.ts';

const words = strings.requests;

export interface StatusTag {
  word: string;
  tone: 'ok' | 'warn' | 'danger' | 'muted';
  icon: 'clock' | 'rotate' | 'inbox' | 'forward' | 'granted' | 'refused' | 'slash';
}

const tags: Record<TaskStatus, Omit<StatusTag, 'word'>> = {
  NEW: { tone: 'muted', icon: 'clock' },
  IN_PROGRESS: { tone: 'muted', icon: 'rotate' },
  NEEDS_REVIEW: { tone: 'warn', icon: 'inbox' },
  USER_INPUT_RECEIVED: { tone: 'muted', icon: 'forward' },
  DONE: { tone: 'ok', icon: 'granted' },
  FAILED: { tone: 'danger', icon: 'refused' },
  CANCELED: { tone: 'muted', icon: 'slash' },
};

export const statusTagOf = (status: TaskStatus): StatusTag => ({
  ...tags[status],
  word: words.statuses[status],
});
