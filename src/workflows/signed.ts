// What names a principal is believed only if a process of Standfast signed it, for this update of this workflow. Updates are judged in
// their validators, which no replay runs: a change of the key cannot make a history deviate.
import { ApplicationFailure, currentUpdateInfo, workflowInfo } from '@temporalio/workflow';
import type { Refusal } from '../contract/base/problem.ts';
import { readCommand, whyUnsigned } from '../core/base/signed-command.ts';

export function failureOf(refusal: Refusal): ApplicationFailure {
  return ApplicationFailure.create({
    type: refusal.code,
    message: refusal.message,
    nonRetryable: true,
    details: [refusal.data ?? {}],
  });
}

const whyUnbelieved = (name: string, id: string | undefined, given: unknown): string | null => {
  const { workflowId, runStartTime } = workflowInfo();
  return whyUnsigned(readCommand(given), { workflowId, name, id, beganAtMs: runStartTime.getTime() });
};

/** In the validator of an update: its command; throws `forbidden` for one that Standfast did not sign. */
export function believedCommand<T>(name: string, given: unknown): T {
  const why = whyUnbelieved(name, currentUpdateInfo()?.id, given);
  if (why !== null) throw failureOf({ ok: false, code: 'forbidden', message: why });
  return acceptedCommand(given);
}

/** The command of an update that was accepted, now or in a replay. */
export const acceptedCommand = <T>(given: unknown): T =>
  // Safe: its validator has believed it.
  readCommand(given).command as T;

/** The command of a signal; null for one that Standfast did not sign. */
export const commandOfSignal = <T>(name: string, id: string, given: unknown): T | null =>
  whyUnbelieved(name, id, given) === null ? acceptedCommand<T>(given) : null;
