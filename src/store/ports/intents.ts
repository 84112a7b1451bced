export interface SendIntent {
  messageId: string;
  taskId: string;
  attempt: number;
  /** ISO; the request is aborted at this time at the latest (database clock). */
  sendUntil: string;
  /** Milliseconds until sendUntil by the database's clock (negative = past), measured when read. */
  msLeft: number;
  /** Set once the agent was seen to have the message. */
  deliveredAt: string | null;
}

export interface Intents {
  get(messageId: string): Promise<SendIntent | null>;
  /** Writes or renews the intent: sendUntil = database now + ms. One that is delivered, or of a later attempt, stays and is returned. */
  put(intent: { messageId: string; taskId: string; attempt: number; sendForMs: number }): Promise<SendIntent>;
  /**
   * Writes the first intent of a message, and asks for the fence by the same statement: throws FencedError when a later
   * writer has the log. Null: there is one already.
   */
  begin(
    intent: { messageId: string; taskId: string; attempt: number; sendForMs: number },
    fence: { logId: number; fence: number },
  ): Promise<SendIntent | null>;
  /** More time for a request that is on its way: false when its time is over, or another attempt's, or it is delivered. */
  extend(intent: { messageId: string; attempt: number; sendForMs: number }): Promise<boolean>;
  /** The agent has it: kept, so that no later attempt sends again. */
  delivered(messageId: string): Promise<void>;
  /** What this attempt wrote never got there: removed, but for what another attempt wrote meanwhile. */
  forget(messageId: string, attempt: number): Promise<void>;
  /** Which Holdpoint task meant to send each of these messages; messages of others are missing. */
  senders(messageIds: string[]): Promise<Map<string, string>>;
}
