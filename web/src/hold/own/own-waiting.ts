// What of one's own requests waits, and for whom how much of it; pure.
import type { TaskView } from '../../../../src/contract/tasks/task.ts';
import { nameFor, shortEntry } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';
import { decidersOf } from '../words/people.ts';

const words = strings.requests;

type Waiting = NonNullable<TaskView['waiting']>[number];
export type OwnWaiting = Waiting & Pick<TaskView, 'agent' | 'owner'>;

/** The entries of the audience that may decide: its policy may leave out the owner. */
export const askedOf = ({ audience, exclude }: Waiting, owner: string): readonly string[] =>
  decidersOf({ audience, exclude, requester: owner });

/** Whom a question waits for: who works on it, else those who are asked. */
export function awaitedWords(waits: Waiting, owner: string, myId: string | null): string {
  if (waits.claimedBy !== null) return words.worksOnIt(nameFor(waits.claimedBy, myId, words.you));
  const names = askedOf(waits, owner).map((entry) =>
    entry === `user:${myId ?? ''}` ? words.you : shortEntry(entry, nameFor(owner, myId, words.you)),
  );
  return names.length === 0 ? words.noneAsked : words.waitsFor(names.join(', '));
}

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
  tasks.flatMap(({ agent, owner, waiting = [] }) => waiting.map((one) => ({ ...one, agent, owner }))).toSorted(byDue);

/** Who is asked, and how many of them: the most first. One that is asked of two counts for both. */
export function byAwaited(waiting: readonly OwnWaiting[]): { entry: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const one of waiting)
    for (const entry of askedOf(one, one.owner)) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return [...counts].map(([entry, count]) => ({ entry, count })).toSorted((a, b) => b.count - a.count);
}
