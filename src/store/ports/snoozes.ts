/** A person does not want to see a question before then; its deadline stays. */
export interface SnoozeRow {
  holdId: string;
  principal: string;
  until: string;
}

export interface Snoozes {
  put(snooze: SnoozeRow): Promise<void>;
  remove(holdId: string, principal: string): Promise<void>;
  /** Until when each of these questions is out of this person's sight; those that are not are left out. */
  of(principal: string, holdIds: string[]): Promise<Map<string, string>>;
  /** Deletes those whose time has come, and returns their questions: of several who ask, one gets each. */
  takeDue(): Promise<string[]>;
}
