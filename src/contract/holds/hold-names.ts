// The statuses of questions and how they end: bare names, which pages can have without zod.

export const holdStatuses = ['open', 'decided', 'cancelled', 'expired', 'withdrawn'] as const;
export const holdEndReasons = ['decided', 'declined', 'expired', 'withdrawn', 'superseded', 'cancelled'] as const;

/** What people call an answer; `refused`: one of its fields says no. */
export const answerNames = ['approved', 'rejected', 'answered', 'refused', 'declined'] as const;

/** How a question ended, as people call it; `endedWith`: by the end of its neighbour. */
export const endNames = [...answerNames, 'expired', 'withdrawn', 'endedWith', 'superseded', 'cancelled'] as const;
