// What of one's own requests waits, and for whom how much of it; pure.
import type { TaskView } from '../../../../src/contract/tasks/task.ts';

type Waiting = NonNullable<TaskView['waiting']>[number];
export type OwnWaiting = Waiting & { agent: string };

/** What is due first comes first, what has no deadline last. */
const byDue = (a: Pick<Waiting, 'expiresAt'>, b: Pick<Waiting, 'expiresAt'>): number =>
  (a.expiresAt ?? '9').localeCompare(b.expiresAt ?? '9');

/** The open question whose time is up first. */
export const firstDue = (waiting: readonly Waiting[]): Waiting | undefined => waiting.toSorted(byDue)[0];

const firstEnd = ({ waiting = [] }: TaskView): Pick<Waiting, 'expiresAt'> => firstDue(waiting) ?? { expiresAt: null };

/** The request with the question that is due first comes first. */
export const byDeadline = (tasks: readonly TaskView[]): TaskView[] =>
  tasks.toSorted((a, b) => byDue(firstEnd(a), firstEnd(b)));

/** What is due first comes first. */
export const awaitedOf = (tasks: readonly TaskView[]): OwnWaiting[] =>
  tasks.flatMap(({ agent, waiting = [] }) => waiting.map((one) => ({ ...one, agent }))).toSorted(byDue);

/** Who is asked, and how many of them: the most first. One that is asked of two counts for both. */
export function byAwaited(waiting: readonly OwnWaiting[]): { entry: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { audience } of waiting) for (const entry of audience) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return [...counts].map(([entry, count]) => ({ entry, count })).toSorted((a, b) => b.count - a.count);
}
