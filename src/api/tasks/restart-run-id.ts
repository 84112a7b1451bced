/** The run that tries a failed task anew. */
export const restartRunIdOf = (taskId: string): string => `restart-${taskId}`;
