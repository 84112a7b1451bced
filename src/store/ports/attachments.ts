import type { TaskId } from '../../contract/base/id-types.ts';
import type { Attachment } from '../../contract/holds/attachment.ts';
import type { WholeContent } from '../../core/consent/whole.ts';

/** One received part of a message or artifact; `bytes` is null until they are fetched. */
export interface NewAttachment extends Attachment {
  bytes: Uint8Array | null;
}

export interface Attachments {
  /**
   * Stores the parts of one message or artifact. With `isWhole`, its other stored parts are no longer current, but stay
   * for the questions that showed them.
   */
  put(taskId: TaskId, sourceKey: string, parts: readonly NewAttachment[], isWhole: boolean): Promise<void>;
  /** Stores the fetched bytes of a part, or why they were omitted. */
  settle(taskId: TaskId, part: NewAttachment): Promise<void>;
  /** Returns the current parts of this message and of every artifact, in order of arrival. */
  current(taskId: TaskId, messageKey: string): Promise<Attachment[]>;
  bytes(taskId: TaskId, id: string): Promise<Uint8Array | null>;
  /** Stores contents of questions, once each. */
  putContents(taskId: TaskId, contents: readonly WholeContent[]): Promise<void>;
  /** The text of a content of this task; null: there is none with this digest. */
  content(taskId: TaskId, digest: string): Promise<string | null>;
  /** Total bytes stored for a task. */
  sizeOf(taskId: TaskId): Promise<number>;
}
