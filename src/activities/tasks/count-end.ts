import type { TaskRef, TaskStatus } from '../../contract/tasks/task.ts';
import type { Reports } from '../dep-parts.ts';

/** Counts a task's end and logs a failed one; `reported` is its error code, if it has one. */
export function countEnd(
  { metrics, log }: Reports,
  { agent, taskId }: Pick<TaskRef, 'agent' | 'taskId'>,
  status: TaskStatus,
  reported: string | null,
): void {
  const code = status === 'FAILED' ? (reported ?? 'internal') : '';
  metrics.tasksEnded.inc({ agent, status, code });
  if (code !== '') log.warn({ agent, taskId, code }, 'a task failed');
}
