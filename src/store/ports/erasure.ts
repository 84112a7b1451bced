/** What an erasure came to. */
export interface Erased {
  /** Tasks that were removed with all that lay beside them. */
  tasks: number;
  /** Questions of others that lost this person's words. */
  holds: number;
  /** Tasks that are not over: nothing was taken out of them. */
  open: string[];
}

/** Takes out what nobody is to keep, in a transaction only: the evidence stays, and tells of it. */
export interface Erasure {
  /** Closed tasks that nothing was done to for so long, with holds, events, conversation, intake and notices. */
  removeOld(olderThanMs: number, limit: number): Promise<number>;
  /** A thread of this id, of one agent or of all. */
  thread(threadId: string, agent?: string): Promise<Erased>;
  /** A person's threads, and their words in questions of others. */
  user(user: string): Promise<Erased>;
}

/** How many rows of each kind were deleted. */
export interface Discarded {
  drafts: number;
  seals: number;
  sessions: number;
  links: number;
}
