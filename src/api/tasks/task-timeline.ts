// A task's life in lines: the statuses it went through, its questions, their steps, votes and ends.
import type { TimelineEntry } from '../../contract/views/inbox.ts';
import { endNameOfHold } from '../../core/answers/hold-end-name.ts';
import { chosenOf } from '../../core/consent/verdict.ts';
import type { HoldRow, TaskRow } from '../../store/store.ts';

function holdEntries(hold: HoldRow, holds: readonly HoldRow[]): TimelineEntry[] {
  const { holdId, question, stepsDone, moves, plan, nudges, votes, ended } = hold;
  const name = endNameOfHold(hold);
  const line = { holdId, title: question.title, to: [], note: null };
  const openedAt = firstShownAt(hold, holds);
  // What befell the question that this one asks again is shown with that one.
  const isOwn = ({ at }: { at: string }): boolean => at >= openedAt;
  return [
    { ...line, at: openedAt, what: 'hold.opened', word: question.kind, by: null },
    ...stepsDone.filter(isOwn).map((step): TimelineEntry => ({
      ...line,
      at: step.at,
      what: 'hold.step',
      word: step.do,
      to: step.to,
      by: null,
    })),
    ...moves.filter(isOwn).map(({ at, by, to, note, isBack }): TimelineEntry => ({
      ...line,
      at,
      by,
      to,
      note,
      what: 'hold.moved',
      word: isBack ? 'taken back' : 'reassigned',
    })),
    ...(plan.extensions ?? []).filter(isOwn).map(({ at, by, until, note }): TimelineEntry => ({
      ...line,
      at,
      by,
      note,
      what: 'hold.extended',
      word: until,
    })),
    ...nudges.filter(isOwn).map((nudge): TimelineEntry => ({ ...line, ...nudge, what: 'hold.nudged', word: 'nudged' })),
    ...votes.map((vote): TimelineEntry => ({ ...line, at: vote.at, what: 'vote', word: 'agreed', by: vote.by })),
    ...(ended === null || name === null
      ? []
      : [
          {
            ...line,
            at: ended.at,
            what: 'hold.ended' as const,
            word: name,
            by: ended.by,
            note: chosenOf(question, hold.decision),
          },
        ]),
  ];
}

export function timelineOf(task: TaskRow, holds: readonly HoldRow[], restarted: TaskRow | null): TimelineEntry[] {
  const nothing = { by: null, holdId: null, title: null, to: [], note: null };
  const entries: TimelineEntry[] = [
    ...task.timeline.map(({ at, status }): TimelineEntry => ({ ...nothing, at, what: 'status', word: status })),
    ...holds.flatMap((hold) => holdEntries(hold, holds)),
    // The value is the id of the task that tries this one again.
    ...(restarted === null
      ? []
      : [{ ...nothing, at: restarted.createdAt, what: 'restarted' as const, word: restarted.taskId }]),
  ];
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** When people first saw a question: one that is asked again has the times of the one it takes the place of. */
export function firstShownAt(hold: HoldRow, holds: readonly HoldRow[]): string {
  const before = holds.find(({ holdId }) => holdId === hold.supersedes);
  const at = before?.ended?.at ?? hold.openedAt;
  return at > hold.openedAt ? at : hold.openedAt;
}
