// What a task's lines and its message box say; pure.
import type { HoldView } from '../../../src/contract/hold.ts';
import type { TimelineEntry } from '../../../src/contract/inbox.ts';
import type { TaskStatus } from '../../../src/contract/task.ts';
import { strings } from '../i18n/strings.ts';
import { oneLine } from '../hold/visible.ts';

const words = strings.task;

export const statusWord = (status: string): string =>
  Object.hasOwn(words.statuses, status) ? words.statuses[asStatus(status)] : status;

// Safe: looked up only after it was found there.
const asStatus = (status: string): TaskStatus => status as TaskStatus;

export function entryWords({ what, word, title }: Pick<TimelineEntry, 'what' | 'word' | 'title'>): string {
  const name = oneLine(title ?? '', 120);
  switch (what) {
    case 'status':
      return words.entry.status(statusWord(word));
    case 'hold.opened':
      return words.entry.opened(name);
    case 'hold.step':
      return word === 'remind'
        ? words.entry.stepRemind(name)
        : word === 'escalate'
          ? words.entry.stepEscalate(name)
          : words.entry.step(name);
    case 'hold.moved':
      return words.entry.moved(name);
    case 'hold.ended': {
      const ends: Record<string, (title: string) => string> = words.entry.ended;
      return (ends[word] ?? words.entry.ended.open)(name);
    }
    case 'vote':
      return words.entry.vote(name);
    case 'restarted':
      return words.entry.restarted;
    default:
      return what satisfies never;
  }
}

export type Effect = 'decides' | 'asks' | 'several' | 'injects' | 'waits' | 'follows';

/** What a message to this task would do now, so that the box can say it. */
export function effectOf(status: TaskStatus, open: readonly Pick<HoldView, 'kind'>[]): Effect {
  if (status === 'DONE' || status === 'FAILED' || status === 'CANCELED') return 'follows';
  if (open.length === 1) return open[0]?.kind === 'text' ? 'decides' : 'asks';
  if (open.length > 1) return 'several';
  return status === 'USER_INPUT_RECEIVED' ? 'waits' : 'injects';
}

const line: readonly TaskStatus[] = ['NEW', 'IN_PROGRESS', 'NEEDS_REVIEW', 'USER_INPUT_RECEIVED'];

/** The stations of a task, and where it stands; an end of another kind takes the last place. */
export function stationsOf(status: TaskStatus): { status: TaskStatus; isNow: boolean }[] {
  const last: TaskStatus = status === 'FAILED' || status === 'CANCELED' ? status : 'DONE';
  return [...line, last].map((one) => ({ status: one, isNow: one === status }));
}
