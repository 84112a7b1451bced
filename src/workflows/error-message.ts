import { ApplicationFailure } from '@temporalio/workflow';

/** Why something failed, in short: from the cause of an activity's failure, or from its encrypted detail. */
export function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return (hiddenIn(cause) ?? (cause instanceof Error ? cause.message : String(cause))).slice(0, 500);
}

function hiddenIn(error: unknown): string | null {
  const detail: unknown = error instanceof ApplicationFailure ? error.details?.[0] : null;
  if (typeof detail !== 'object' || detail === null || !('hidden' in detail)) return null;
  return String(detail.hidden);
}
