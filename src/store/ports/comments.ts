/** What one of those who may decide a question said to the others; the agent never hears of it. */
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
  /** A question asked again keeps what was said of it. */
  move(fromHoldId: string, toHoldId: string): Promise<void>;
}
