// What a failed send proves, and what is done then: the list of docs/wire.md, which a test compares with this function.
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';
import { lacksRoute, lacksWay } from './agent-errors.ts';

/** What is done when a probe finds no message, or is inconclusive. */
type Otherwise = 'other-way' | 'refused' | 'failed' | 'delivery-unknown';

export type SendFailure =
  /** Provably not taken: the same again, later. */
  | { kind: 'not-taken' }
  /** Provably not taken, because it came by a stream: the same message goes without one. */
  | { kind: 'other-way' }
  /** Not taken, because the agent does not know the task: another of its replicas may. */
  | { kind: 'missing' }
  /** Provably not taken, and never will be. */
  | { kind: 'refused' }
  /** Answered, so nothing is in flight, but the executor may have run: the agent is probed at once. */
  | { kind: 'answered'; absent: Otherwise; unknown: Otherwise }
  /** Perhaps in flight: probed when the time to send is over. */
  | { kind: 'unknown' };

export interface FailedSend {
  known: A2aErrorInfo;
  isStreaming: boolean;
  /** For a task that is there; else a first message. */
  isFollowUp: boolean;
}

/** `read-card`: it depends on whether the agent's card, read again, still says that there are streams. */
export function judgeFailure(
  { known, isStreaming, isFollowUp }: FailedSend,
  hasStreams: boolean | null = null,
): SendFailure | { kind: 'read-card' } {
  const { kind, what, wasTaken } = known;
  // What the agent itself reports of a first message ends its task, unless the agent shows a task of it after all.
  if (what === 'agent-error' && !isFollowUp) return { kind: 'answered', absent: 'failed', unknown: 'failed' };
  // A server that has ended its answer has nothing in flight, and no stream that could ever bring one.
  if (what === 'empty-stream') return { kind: 'answered', absent: 'other-way', unknown: 'delivery-unknown' };
  if (wasTaken !== false) return { kind: 'unknown' };
  if (what === 'task-not-found' && isFollowUp) return { kind: 'missing' };
  if (what === 'policy' || what === 'no-binding' || what === 'task-not-found' || what === 'terminal-task')
    return { kind: 'refused' };
  if (kind === 'not-sent') return { kind: what === 'network' && isStreaming ? 'other-way' : 'not-taken' };
  // No token: the agent was not asked.
  if (what === 'token') return { kind: 'refused' };
  if (kind === 'retryable') return { kind: 'not-taken' };
  if (!isStreaming || !lacksWay(known))
    return isFollowUp ? { kind: 'answered', absent: 'refused', unknown: 'refused' } : { kind: 'refused' };
  return judgeStream(known, isFollowUp, hasStreams);
}

/** What came by a stream, and was refused as an agent without streams would. */
function judgeStream(
  known: A2aErrorInfo,
  isFollowUp: boolean,
  hasStreams: boolean | null,
): SendFailure | { kind: 'read-card' } {
  if (isFollowUp)
    return { kind: 'answered', absent: 'other-way', unknown: lacksRoute(known) ? 'other-way' : 'delivery-unknown' };
  if (lacksRoute(known)) return { kind: 'other-way' };
  // An executor that begins with anything but a task has run when the SDK says this, and there is no task to be found.
  if (hasStreams === null) return { kind: 'read-card' };
  return hasStreams
    ? { kind: 'answered', absent: 'delivery-unknown', unknown: 'delivery-unknown' }
    : { kind: 'other-way' };
}
