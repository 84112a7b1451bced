// The statuses of questions and how they end: bare names, which pages can have without zod.

export const holdStatuses = ['open', 'decided', 'cancelled', 'expired', 'withdrawn'] as const;
export const holdEndReasons = ['decided', 'declined', 'expired', 'withdrawn', 'superseded', 'cancelled'] as const;
