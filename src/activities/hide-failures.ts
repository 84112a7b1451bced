// Temporal keeps the message of a failed activity in clear: with a codec it goes into a detail, which is encrypted.
import { ApplicationFailure, CancelledFailure, CompleteAsyncError } from '@temporalio/activity';
import type { Activities } from './activities.ts';

type Run = (input: unknown) => Promise<unknown>;

export function hideFailures(activities: Activities): Activities {
  const hidden = Object.entries(activities).map(([name, run]: [string, Run]): [string, Run] => [
    name,
    (input) => run(input).catch((error: unknown) => Promise.reject(withoutText(error))),
  ]);
  // Safe: same names, same arguments, same results.
  return Object.fromEntries(hidden) as unknown as Activities;
}

function withoutText(error: unknown): unknown {
  if (error instanceof CancelledFailure || error instanceof CompleteAsyncError) return error;
  const own = error instanceof ApplicationFailure ? error : null;
  const type = own?.type ?? (error instanceof Error ? error.name : 'Error');
  return ApplicationFailure.create({
    type,
    message: `${type} (encrypted)`,
    details: [{ hidden: error instanceof Error ? error.message : String(error) }],
    nonRetryable: own?.nonRetryable ?? false,
    ...(own?.nextRetryDelay == null ? {} : { nextRetryDelay: own.nextRetryDelay }),
  });
}
