// The statuses of questions and how they end: bare names, which pages can have without zod.

export const holdStatuses = ['open', 'decided', 'cancelled', 'expired', 'withdrawn'] as const;

/** As it is shown; `time_up`: its deadline has passed, no answer is taken any more, and its policy's word is on its way. */
export const shownStatuses = ['open', 'time_up', 'decided', 'cancelled', 'expired', 'withdrawn'] as const;
export type ShownStatus = (typeof shownStatuses)[number];

/** Whether it is over: of what is not, more is to come. */
export const hasEnded = (status: ShownStatus): boolean => status !== 'open' && status !== 'time_up';

/** What an answer says; `answered`: neither a yes nor a no. */
export const verdicts = ['yes', 'no', 'answered'] as const;

export const holdEndReasons = [
  'approved',
  'answered',
  'declined',
  'expired',
  'withdrawn',
  'superseded',
  'cancelled',
] as const;

/** What people call an answer; `declined`: it was refused where no yes or no was asked for. */
export const answerNames = ['approved', 'rejected', 'answered', 'declined'] as const;

/** How a question ended, as people call it; `endedWith`: by the end of its neighbour. */
export const endNames = [...answerNames, 'expired', 'withdrawn', 'endedWith', 'superseded', 'cancelled'] as const;
