// What an error of an agent's A2A server, or on the way to it, means for its caller.

export type A2aErrorWhat =
  | 'task-not-found'
  | 'not-cancelable'
  | 'terminal-task'
  | 'unsupported'
  /** The server does not know the method, so no code of the agent ran. */
  | 'no-method'
  /** It does not speak the version of A2A in which it was called. */
  | 'no-version'
  /** It does not support push notifications: the same message may be sent without an address. */
  | 'no-push'
  | 'refused'
  | 'agent-error'
  | 'http'
  | 'network'
  | 'card'
  /** No token for the agent could be obtained. */
  | 'token'
  | 'protocol'
  /** A stream that ended before it began: nothing of it says whether the agent has the message. */
  | 'empty-stream'
  /** Its card names no binding that Standfast speaks. */
  | 'no-binding'
  | 'too-large'
  | 'policy'
  | 'aborted';

export interface A2aErrorInfo {
  /** not-sent: the request never reached the agent · final: the same again fails the same way. */
  kind: 'not-sent' | 'retryable' | 'final' | 'aborted';
  what: A2aErrorWhat;
  /** Whether the agent took what was sent; only `false` allows sending again without a poll. */
  wasTaken: false | 'unknown';
  status?: number;
  retryAfterMs?: number;
  /** For people: bounded, without secrets. */
  message: string;
}
