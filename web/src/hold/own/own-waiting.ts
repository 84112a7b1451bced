// What of one's own requests waits, and for whom how much of it; pure.
import type { TaskView } from '../../../../src/contract/tasks/task.ts';

export type OwnWaiting = NonNullable<TaskView['waiting']>[number] & { agent: string };

const firstEnd = ({ waiting = [] }: TaskView): string =>
  waiting.map(({ expiresAt }) => expiresAt ?? '9').toSorted()[0] ?? '9';

/** The request with the question that is due first comes first. */
export const byDeadline = (tasks: readonly TaskView[]): TaskView[] =>
  tasks.toSorted((a, b) => firstEnd(a).localeCompare(firstEnd(b)));

/** What is due first comes first. */
export const awaitedOf = (tasks: readonly TaskView[]): OwnWaiting[] =>
  tasks
    .flatMap(({ agent, waiting = [] }) => waiting.map((one) => ({ ...one, agent })))
    .toSorted((a, b) => (a.expiresAt ?? '9').localeCompare(b.expiresAt ?? '9'));

/** Who is asked, and how many of them: the most first. One that is asked of two counts for both. */
export function byAwaited(waiting: readonly OwnWaiting[]): { entry: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { audience } of waiting) for (const entry of audience) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return [...counts].map(([entry, count]) => ({ entry, count })).toSorted((a, b) => b.count - a.count);
}
