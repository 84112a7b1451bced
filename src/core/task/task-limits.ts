// Bounds an agent that never answers: by its silence, and by how long it has had the task in total.
import { carriesAnswers } from '../consent/delivery.ts';
import type { TaskStart } from '../../contract/tasks/run.ts';
import { type TaskEvent, type TaskState, isAtAgent } from './task-state.ts';

interface DueLimit {
  at: string;
  limit: Extract<TaskEvent, { type: 'limit.passed' }>['limit'];
}

const later = (from: string, ms: number): string => new Date(Date.parse(from) + ms).toISOString();

/** The limit that comes first while the agent has the task; null: none, or people have it. */
export function nextLimit(state: TaskState, { silenceMs, totalMs }: TaskStart['limits']): DueLimit | null {
  const { since, ms } = state.worked;
  if (!isAtAgent(state) || since === null) return null;
  // What people gave is being sent: what comes of it is judged once it is there, or waits.
  if (carriesAnswers(state.send) && !state.isDelivered && state.parked === null) return null;
  const total: DueLimit | null = totalMs === null ? null : { at: later(since, totalMs - ms), limit: 'total' };
  // Only a parked turn counts as silent; one with a live stream is never parked.
  const silence: DueLimit | null =
    silenceMs === null || state.parked === null ? null : { at: later(state.parked.since, silenceMs), limit: 'silence' };
  if (total === null || silence === null) return total ?? silence;
  return silence.at < total.at ? silence : total;
}

/** Counts the time for which the agent has the task. */
export function countWork(before: TaskState, after: TaskState, now: string): TaskState {
  const wasAtAgent = isAtAgent(before);
  if (wasAtAgent === isAtAgent(after)) return after;
  const { ms, since } = before.worked;
  // Where operators try an agent again that was away for too long, its limits begin again.
  if (!wasAtAgent) return { ...after, worked: { ms: after.worked.ms, since: now } };
  return { ...after, worked: { ms: ms + (since === null ? 0 : Date.parse(now) - Date.parse(since)), since: null } };
}
