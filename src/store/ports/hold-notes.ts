import type { JsonObject } from '../../contract/base/json.ts';

/** A comment of one of those who may decide a question to the others; the agent never receives it. */
export interface CommentRow {
  commentId: number;
  holdId: string;
  at: string;
  by: string;
  text: string;
  /** Users it names. */
  mentions: string[];
}

export interface Comments {
  add(comment: Omit<CommentRow, 'commentId' | 'at'>): Promise<CommentRow>;
  /** Oldest first. */
  ofHold(holdId: string): Promise<CommentRow[]>;
  /** A question asked again keeps its comments. */
  move(fromHoldId: string, toHoldId: string): Promise<void>;
}

/** What a person typed and did not send. */
export interface DraftRow {
  holdId: string;
  principal: string;
  values: JsonObject;
  savedAt: string;
}

export interface Drafts {
  get(holdId: string, principal: string): Promise<DraftRow | null>;
  put(draft: Omit<DraftRow, 'savedAt'>): Promise<DraftRow>;
  remove(holdId: string, principal: string): Promise<void>;
}

/** A person does not want to see a question before then; its deadline stays. */
interface SnoozeRow {
  holdId: string;
  principal: string;
  until: string;
}

export interface Snoozes {
  put(snooze: SnoozeRow): Promise<void>;
  remove(holdId: string, principal: string): Promise<void>;
  /** Until when each of these questions is hidden from this person; those that are not are left out. */
  of(principal: string, holdIds: string[]): Promise<Map<string, string>>;
  /** Deletes those whose time has come, and returns their questions: of several who ask, one gets each. */
  takeDue(): Promise<string[]>;
}
