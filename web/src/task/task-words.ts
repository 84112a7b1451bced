// What a task's lines and its message box say; pure.
import type { HoldView } from '../../../src/contract/hold.ts';
import type { TimelineEntry } from '../../../src/contract/inbox.ts';
import type { TaskStatus } from '../../../src/contract/task.ts';

import { strings } from '../i18n/strings.ts';
import { oneLine } from '../hold/text/visible.ts';

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

/** The steps that a task has taken, as its timeline has them, and where it stands: none that did not happen. */
export function stationsOf(
  status: TaskStatus,
  timeline: readonly Pick<TimelineEntry, 'what' | 'word'>[],
): { status: string; isNow: boolean }[] {
  const taken = timeline.flatMap(({ what, word }) => (what === 'status' ? [word] : []));
  // Coming back to a status is no new station: the last time it was reached counts.
  const line = [...new Set([...taken, status].toReversed())].toReversed();
  return line.map((one) => ({ status: one, isNow: one === status }));
}

interface EntryGlyph {
  icon: 'inbox' | 'up' | 'clock' | 'forward' | 'check' | 'rotate' | 'granted' | 'refused' | 'slash' | 'chevron';
  tone: 'ok' | 'danger' | 'warn' | 'muted';
}

/** A drawing for each sort of entry; each end has the one it has everywhere. */
export function entryGlyph({ what, word }: Pick<TimelineEntry, 'what' | 'word'>): EntryGlyph {
  if (what === 'hold.opened') return { icon: 'inbox', tone: 'muted' };
  if (what === 'hold.step') return { icon: word === 'escalate' ? 'up' : 'clock', tone: 'warn' };
  if (what === 'hold.moved') return { icon: 'forward', tone: 'muted' };
  if (what === 'vote') return { icon: 'check', tone: 'ok' };
  if (what === 'restarted') return { icon: 'rotate', tone: 'muted' };
  const ends: Record<string, EntryGlyph> = {
    decided: { icon: 'granted', tone: 'ok' },
    declined: { icon: 'refused', tone: 'danger' },
    expired: { icon: 'clock', tone: 'warn' },
    superseded: { icon: 'rotate', tone: 'muted' },
    withdrawn: { icon: 'slash', tone: 'muted' },
    cancelled: { icon: 'slash', tone: 'muted' },
    DONE: { icon: 'granted', tone: 'ok' },
    FAILED: { icon: 'refused', tone: 'danger' },
    CANCELED: { icon: 'slash', tone: 'muted' },
  };
  return ends[word] ?? { icon: 'chevron', tone: 'muted' };
}
