/** A failure of Holdpoint's own (database, a later writer): it proves nothing about the agent and ends this attempt. */
class LocalError extends Error {
  override name = 'OwnFailure';
}

/** Marks failures in here as local, since they pass through code that attributes every error to the agent. */
export async function markLocal<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof LocalError ? error : new LocalError('not the agent’s failure', { cause: error });
  }
}

/** Throws the error itself if it was marked as local. */
export function rethrowIfLocal(error: unknown): void {
  if (error instanceof LocalError) throw error.cause;
}
