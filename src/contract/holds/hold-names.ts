// The statuses of questions and how they end: bare names, which pages can have without zod.

export const holdStatuses = ['open', 'decided', 'cancelled', 'expired', 'withdrawn'] as const;

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
