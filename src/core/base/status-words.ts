// What a task's status is called where people read it: as on the pages (web/src/i18n/en/requests.ts).
import type { TaskStatus } from '../../contract/tasks/task.ts';

export const statusWords = {
  NEW: 'Accepted',
  IN_PROGRESS: 'Working',
  NEEDS_REVIEW: 'Waiting for people',
  USER_INPUT_RECEIVED: 'Answer on its way',
  DONE: 'Done',
  FAILED: 'Failed',
  CANCELED: 'Cancelled',
} as const satisfies Record<TaskStatus, string>;
