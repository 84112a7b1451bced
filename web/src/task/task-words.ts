// What a task's lines and its message box say; pure.
import type { EndName, HoldView } from '../../../src/contract/holds/hold.ts';
import type { TimelineEntry } from '../../../src/contract/views/inbox.ts';
import type { TaskStatus } from '../../../src/contract/tasks/task.ts';
import { isAnsweredByWords } from '../../../src/core/answers/answered-by-words.ts';

import { strings } from '../i18n/strings.ts';
import { oneLine } from '../base/text/visible.ts';
import { type EndGlyph, endGlyphs, isOver } from '../hold/words/ends.ts';

const words = strings.task;

export function statusWord(status: string): string {
  const statuses: Record<string, string> = strings.requests.statuses;
  return statuses[status] ?? status;
}

export function entryWords({ what, word, title }: Pick<TimelineEntry, 'what' | 'word' | 'title'>): string {
  const name = oneLine(title ?? '', 120);
  switch (what) {
    case 'status':
      return statusWord(word);
    case 'hold.opened':
      return words.entry.opened(name);
    case 'hold.step':
      return word === 'remind'
        ? words.entry.stepRemind(name)
        : word === 'escalate'
          ? words.entry.stepEscalate(name)
          : words.entry.step(name);
    case 'hold.moved':
      return (word === 'taken back' ? words.entry.movedBack : words.entry.moved)(name);
    case 'hold.extended':
      return words.entry.extended(name);
    case 'hold.nudged':
      return words.entry.nudged(name);
    case 'hold.ended': {
      const ends: Record<string, (title: string) => string> = words.entry.ended satisfies Record<EndName, unknown>;
      return (ends[word] ?? words.entry.over)(name);
    }
    case 'vote':
      return words.entry.vote(name);
    case 'restarted':
      return words.entry.restarted;
    default:
      return what satisfies never;
  }
}

export type Effect = 'decides' | 'asks' | 'several' | 'refused' | 'injects' | 'waits' | 'follows';

/** What a message to this task would do now, so that the box can say it. */
export function effectOf(status: TaskStatus, open: readonly Pick<HoldView, 'kind' | 'dialect'>[]): Effect {
  if (isOver({ status })) return 'follows';
  if (open.length === 1 && open[0]?.kind === 'text') return 'decides';
  if (open.some(isAnsweredByWords)) return 'refused';
  if (open.length === 1) return 'asks';
  if (open.length > 1) return 'several';
  return status === 'USER_INPUT_RECEIVED' ? 'waits' : 'injects';
}

/** The lines of a timeline, each step once: a status that came again, or that a question's own line tells, has none. */
export function timelineLines<T extends Pick<TimelineEntry, 'what' | 'word'>>(entries: readonly T[]): T[] {
  const seen = new Set<string>();
  const isAbout = (what: TimelineEntry['what']): boolean => entries.some((entry) => entry.what === what);
  return entries.filter(({ what, word }) => {
    if (what !== 'status') return true;
    if (word === 'NEEDS_REVIEW' && isAbout('hold.opened')) return false;
    if (word === 'USER_INPUT_RECEIVED' && isAbout('hold.ended')) return false;
    const isFirst = !seen.has(word);
    seen.add(word);
    return isFirst;
  });
}

/** The steps that a task has taken, as its timeline has them, and its state: none that did not happen. */
export function stationsOf(
  status: TaskStatus,
  timeline: readonly Pick<TimelineEntry, 'what' | 'word'>[],
): { status: string; isNow: boolean }[] {
  const taken = timeline.flatMap(({ what, word }) => (what === 'status' ? [word] : []));
  // Coming back to a status is not a new station: the last time it was reached counts.
  const line = [...new Set([...taken, status].toReversed())].toReversed();
  return line.map((one) => ({ status: one, isNow: one === status }));
}

interface EntryGlyph {
  icon: EndGlyph['icon'] | 'inbox' | 'up' | 'forward' | 'check' | 'chevron';
  tone: EndGlyph['tone'];
}

const entryEnds: Record<string, EntryGlyph> = {
  ...endGlyphs,
  DONE: endGlyphs.approved,
  FAILED: endGlyphs.rejected,
  CANCELED: endGlyphs.cancelled,
};

/** A drawing for each sort of entry; each end has the one it has everywhere. */
export function entryGlyph({ what, word }: Pick<TimelineEntry, 'what' | 'word'>): EntryGlyph {
  if (what === 'hold.opened') return { icon: 'inbox', tone: 'muted' };
  if (what === 'hold.step') return { icon: word === 'escalate' ? 'up' : 'clock', tone: 'warn' };
  if (what === 'hold.moved') return { icon: 'forward', tone: 'muted' };
  if (what === 'hold.extended' || what === 'hold.nudged') return { icon: 'clock', tone: 'muted' };
  if (what === 'vote') return { icon: 'check', tone: 'ok' };
  if (what === 'restarted') return { icon: 'rotate', tone: 'muted' };
  return entryEnds[word] ?? { icon: 'chevron', tone: 'muted' };
}
