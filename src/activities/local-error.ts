/** A failure on our own side (database, a later writer): it says nothing of the agent, so it ends this attempt of the turn. */
class LocalError extends Error {
  override name = 'OwnFailure';
}

/** Marks what fails in here as ours, on its way through code that takes every error for the agent's. */
export async function markLocal<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof LocalError ? error : new LocalError('not the agent’s failure', { cause: error });
  }
}

/** Throws the error itself if it was marked as ours. */
export function rethrowIfLocal(error: unknown): void {
  if (error instanceof LocalError) throw error.cause;
}
