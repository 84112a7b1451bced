import type { HoldId, TaskId, ThreadId } from '../../contract/base/id-types.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Hold } from '../../contract/holds/hold.ts';

/** The newest hold of a thread, without what it asks. */
export interface NewestHold extends Pick<Hold, 'holdId' | 'status' | 'expiresAt'> {
  threadId: ThreadId;
  taskId: TaskId;
  openedInRun: string;
}

/** A comment among the people who may decide a question; never sent to the agent. */
export interface CommentRow {
  commentId: number;
  holdId: HoldId;
  at: string;
  by: string;
  text: string;
  /** Ids of the mentioned users. */
  mentions: string[];
}

export interface Comments {
  add(comment: Omit<CommentRow, 'commentId' | 'at'>): Promise<CommentRow>;
  /** Oldest first. */
  ofHold(holdId: HoldId): Promise<CommentRow[]>;
  /** Moves all comments to the hold that asks the same question again. */
  move(fromHoldId: HoldId, toHoldId: string): Promise<void>;
}

/** An unsent answer. */
export interface DraftRow {
  holdId: HoldId;
  principal: string;
  values: JsonObject;
  savedAt: string;
}

export interface Drafts {
  get(holdId: HoldId, principal: string): Promise<DraftRow | null>;
  put(draft: Omit<DraftRow, 'savedAt'>): Promise<DraftRow>;
  /** `savedBefore`: only if it was, ISO; what is saved since stays. */
  remove(holdId: HoldId, principal: string, savedBefore?: string): Promise<void>;
}

/** Hides a question from one person until then; its deadline does not change. */
interface SnoozeRow {
  holdId: HoldId;
  principal: string;
  until: string;
}

export interface Snoozes {
  put(snooze: SnoozeRow): Promise<void>;
  remove(holdId: HoldId, principal: string): Promise<void>;
  /** Returns the snoozed ones of these holds, each with the end of its snooze. */
  of(principal: string, holdIds: HoldId[]): Promise<Map<string, string>>;
  /** Deletes the snoozes that are over and returns their hold ids; concurrent callers get each only once. */
  takeDue(): Promise<string[]>;
}
