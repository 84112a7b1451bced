// The state of a task, in a line: what a requester wants to know of it; pure.
import type { TaskStatus, TaskView } from '../../../src/contract/tasks/task.ts';
import { nameFor, shortEntry } from '../base/account/names.ts';
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

type Waiting = NonNullable<TaskView['waiting']>[number];

/** Whom a question waits for: who works on it, else those who are asked. */
export function awaitedWords({ claimedBy, audience }: Waiting, owner: string, myId: string | null): string {
  const you = strings.requests.you;
  if (claimedBy !== null) return words.worksOnIt(nameFor(claimedBy, myId, you));
  const names = audience.map((entry) =>
    entry === `user:${myId ?? ''}` ? you : shortEntry(entry, nameFor(owner, myId, you)),
  );
  return names.length === 0 ? words.noneAsked : words.waitsFor(names.join(', '));
}
