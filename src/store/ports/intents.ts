import type { TaskId } from '../../contract/base/id-types.ts';
/** Record, written before a message is sent, that makes sending happen once. */
export interface SendIntent {
  messageId: string;
  taskId: TaskId;
  attempt: number;
  /** Latest end of the HTTP request, ISO 8601, by the database's clock. */
  sendUntil: string;
  /** Milliseconds from the read until `sendUntil`, by the database's clock; negative once it has passed. */
  msLeft: number;
  /** When the agent was confirmed to have the message. */
  deliveredAt: string | null;
}

export interface Intents {
  get(messageId: string): Promise<SendIntent | null>;
  /** Inserts or renews the intent; one that is delivered or of a later attempt is returned unchanged. */
  put(intent: { messageId: string; taskId: TaskId; attempt: number; sendForMs: number }): Promise<SendIntent>;
  /**
   * Inserts the first intent of a message and checks the fence in one statement; null if there is an intent already.
   * Throws FencedError if a later writer owns the log.
   */
  begin(
    intent: { messageId: string; taskId: TaskId; attempt: number; sendForMs: number },
    fence: { logId: number; fence: number },
  ): Promise<SendIntent | null>;
  /** Extends a pending intent of this attempt; false if it has expired, is delivered or belongs to another attempt. */
  extend(intent: { messageId: string; attempt: number; sendForMs: number }): Promise<boolean>;
  /** Marks the message as delivered, so that no later attempt sends it again. */
  delivered(messageId: string): Promise<void>;
  /** Deletes this attempt's intent, whose message never reached the agent. */
  forget(messageId: string, attempt: number): Promise<void>;
  /** Maps these message ids to the Standfast tasks that sent them; unknown ids are missing. */
  senders(messageIds: string[]): Promise<Map<string, string>>;
}
