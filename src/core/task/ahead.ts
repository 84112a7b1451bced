// The database may be ahead of the workflow: a turn writes its questions, or the end, before its result is in
// history. Answers and messages that come in between wait for that result.
import type { SeenTask } from '../../contract/holds/decision.ts';
import { refuse } from '../base/errors.ts';
import type { Reply, TaskState } from './task-state.ts';

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const numbered = /-(\d{1,9})$/;

/** True for an id that a hold opened by the running turn may have: unknown so far, and numbered after those that are known. */
function mayBeNext({ holds, past, n }: TaskState, id: string): boolean {
  const isKnown = [...holds, ...past].some(({ holdId, interruptId }) => holdId === id || interruptId === id);
  if (isKnown) return false;
  if (isUuid.test(id)) return true;
  const [, number] = numbered.exec(id) ?? [];
  return number !== undefined && Number(number) > n;
}

/** The refusal for ids that the state does not know and the running turn may have opened; null when there are none. */
export function replyAhead(state: TaskState, ids: readonly string[]): Reply | null {
  if (!ids.some((id) => mayBeNext(state, id))) return null;
  switch (state.phase) {
    case 'turn':
      return state.parked === null ? { ok: 'later', isBounded: true } : null;
    // The result of a turn that was asked to stop may still come.
    case 'stopping':
      return { ok: 'later', isBounded: true };
    case 'leaving':
      return refuse('hold_closed', 'the task of this question is ending');
    default:
      return null;
  }
}

/** True when the sender has seen what the running turn has not reported yet. */
export function isBehind({ taskId, n }: TaskState, seen: SeenTask | null): boolean {
  return seen !== null && seen.taskId === taskId && (seen.isEnded || seen.n > n);
}
