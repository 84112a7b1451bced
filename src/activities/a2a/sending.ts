// One message to one agent, and who sends it.
import type { TurnEvent } from '../../contract/turn.ts';
import type { A2aTransport, OutgoingMessage } from './a2a-transport.ts';
import type { ActivityDeps } from '../deps.ts';

export interface SendContext {
  deps: ActivityDeps;
  agent: string;
  taskId: string;
  transport: A2aTransport;
  attempt: number;
  outageMs: number;
  signal: AbortSignal;
  /** The run whose writer this attempt must be still; null: `assertFence` alone says. */
  fence: { logId: number; fence: number } | null;
  /** Notes that the agent has taken the message of this intent. */
  delivered(intentKey: string): Promise<void>;
  /** Throws FencedError when a later attempt has taken over. */
  assertFence(): Promise<void>;
  /** Keeps what the first event names, before the message counts as delivered. */
  onFirst(event: TurnEvent): Promise<void>;
}

export interface Sending {
  /** Key of the intent; the message id, or another one when an operator said "send again". */
  intentKey: string;
  message: OutgoingMessage;
  /** Task the message is for, or null for a first message. */
  a2aTaskId: string | null;
  /** Task that an earlier attempt saw this first message make. */
  madeTaskId: string | null;
  contextId: string;
  /** Pause that is answered; null for a message that answers none. */
  pause: { messageId: string | null } | null;
}
