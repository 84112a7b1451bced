// Statuses of a task: bare names, which pages, workflows and commands can have without zod.

export const openStatuses = ['NEW', 'IN_PROGRESS', 'NEEDS_REVIEW', 'USER_INPUT_RECEIVED'] as const;
export const endedStatuses = ['DONE', 'FAILED', 'CANCELED'] as const;
export const taskStatuses = [...openStatuses, ...endedStatuses] as const;

export type EndedStatus = (typeof endedStatuses)[number];

/** The task goes on no more. */
export const isEndedStatus = (status: (typeof taskStatuses)[number]): status is EndedStatus =>
  endedStatuses.some((one) => one === status);
