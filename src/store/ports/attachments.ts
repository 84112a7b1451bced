import type { Attachment } from '../../contract/holds/attachment.ts';

/** One part of a message or artifact, as it came; `bytes` null where they are not here (yet). */
export interface NewAttachment extends Attachment {
  bytes: Uint8Array | null;
}

export interface Attachments {
  /**
   * Keeps the parts of one message or artifact. `isWhole`: what else was kept of it is not among its parts any more; a
   * question that showed it keeps it.
   */
  put(taskId: string, sourceKey: string, parts: readonly NewAttachment[], isWhole: boolean): Promise<void>;
  /** What is known of bytes that were fetched, or why they were not. */
  settle(taskId: string, part: NewAttachment): Promise<void>;
  /** What lies there now: parts of this message, and of every artifact; in the order in which they came. */
  current(taskId: string, messageKey: string): Promise<Attachment[]>;
  bytes(taskId: string, id: string): Promise<Uint8Array | null>;
  /** Bytes kept of a task. */
  sizeOf(taskId: string): Promise<number>;
}
