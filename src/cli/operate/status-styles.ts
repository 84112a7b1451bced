// The colours of a status at a terminal.
import type { HoldView } from '../../contract/holds/hold.ts';
import { hasEnded } from '../../contract/holds/hold-names.ts';
import type { TaskStatus } from '../../contract/tasks/task.ts';
import { isDecidedEnd } from '../../core/consent/verdict.ts';
import type { Style } from './terminal.ts';

/** What failed is red, what waits for people yellow, what is over quiet. */
export function taskStyle(status: TaskStatus): Style {
  if (status === 'FAILED') return 'red';
  if (status === 'NEEDS_REVIEW') return 'yellow';
  return status === 'DONE' || status === 'CANCELED' ? 'dim' : 'green';
}

type Line = Pick<HoldView, 'status' | 'ended' | 'verdict' | 'dueAt'>;

/** A yes or an answer is green, a no red, any other end quiet; open and overdue is yellow. */
export function holdStyle({ status, ended, verdict, dueAt }: Line, now = Date.now()): Style | null {
  if (!hasEnded(status)) return dueAt !== null && Date.parse(dueAt) < now ? 'yellow' : null;
  if (!isDecidedEnd(ended?.why)) return 'dim';
  return verdict === 'no' ? 'red' : 'green';
}
