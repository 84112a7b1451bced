/** What an erasure came to. */
export interface Erased {
  /** Tasks that were removed with all that belonged to them. */
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

/** Small facts of the whole installation (keys, one-time links used): written once. */
export interface Settings {
  /** Returns what is stored: the value given, or that of who came before. */
  putOnce(name: string, value: string): Promise<string>;
  get(name: string): Promise<string | null>;
}

/** Which worker processes live, by the database's clock. */
export interface Workers {
  /** A worker process says it lives; rows older than a minute are dropped. */
  heartbeat(workerId: string): Promise<void>;
  /** Milliseconds since the latest heartbeat of any worker by the database's clock; null = none. */
  sinceHeartbeatMs(): Promise<number | null>;
  leave(workerId: string): Promise<void>;
}
