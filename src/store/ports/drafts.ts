import type { JsonObject } from '../../contract/json.ts';

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
