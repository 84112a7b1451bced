// What a failed send proves, and what is done then: the list of docs/wire.md, entry by entry.
import { lacksRoute, lacksWay } from './a2a-errors.ts';
import type { A2aErrorInfo } from './a2a-errors.ts';

/** What is done when a probe finds no message, or is inconclusive. */
type Otherwise = 'other-way' | 'refused' | 'delivery-unknown';

export type SendFailure =
  /** Provably not taken: the same again, later. */
  | { kind: 'not-taken' }
  /** Provably not taken, because it came by a stream: the same message goes without one. */
  | { kind: 'other-way' }
  /** Provably not taken, and never will be. */
  | { kind: 'refused' }
  /** Answered, so nothing is in flight, but the executor may have run: the agent is probed at once. */
  | { kind: 'answered'; absent: Otherwise; unknown: Otherwise }
  /** Perhaps in flight: probed when the time to send is over. */
  | { kind: 'unknown' };

interface FailedSend {
  known: A2aErrorInfo;
  isStreaming: boolean;
  /** For a task that is there; else a first message. */
  isFollowUp: boolean;
  /** The card, read again, still says that there are streams. */
  hasStreams(): Promise<boolean>;
}

export async function judgeFailure({ known, isStreaming, isFollowUp, hasStreams }: FailedSend): Promise<SendFailure> {
  const { kind, what, wasTaken } = known;
  if (wasTaken !== false) return { kind: 'unknown' };
  if (what === 'policy' || what === 'task-not-found' || what === 'terminal-task') return { kind: 'refused' };
  if (kind === 'not-sent') return { kind: what === 'network' && isStreaming ? 'other-way' : 'not-taken' };
  // No token: the agent was not asked.
  if (what === 'token') return { kind: 'refused' };
  if (kind === 'retryable') return { kind: 'not-taken' };
  if (!isStreaming || !lacksWay(known)) {
    return isFollowUp ? { kind: 'answered', absent: 'refused', unknown: 'refused' } : { kind: 'refused' };
  }
  if (lacksRoute(known)) {
    return isFollowUp ? { kind: 'answered', absent: 'other-way', unknown: 'other-way' } : { kind: 'other-way' };
  }
  if (isFollowUp) return { kind: 'answered', absent: 'other-way', unknown: 'delivery-unknown' };
  // An executor that begins with anything but a task has run when the SDK says this, and there is no task to be found.
  return (await hasStreams())
    ? { kind: 'answered', absent: 'delivery-unknown', unknown: 'delivery-unknown' }
    : { kind: 'other-way' };
}

/** The agent itself reported an error: its reply to the message may be lost. */
export function isAgentsAnswer({ what }: A2aErrorInfo): boolean {
  return ['unsupported', 'no-method', 'no-push', 'refused', 'agent-error'].includes(what);
}
