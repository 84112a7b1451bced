import type { A2aTaskId } from '../../contract/base/id-types.ts';
import type { EngramFilter, EngramMode, EngramWrite } from '../../contract/views/engram.ts';
import type { RunKey } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';

/** Position of a run's subscription, from which another process can resume it. */
export interface EngramPosition {
  /** The agent's task that streams the events; null if none is open. */
  a2aTaskId: A2aTaskId | null;
  /**
   * Last event sequence processed, in decimal digits; null before the first. Runs that follow nothing have `unshownFloor`
   * while their records were not shown yet, and `shownFloor` once they were.
   */
  floor: string | null;
  /** The records after that event; for a sync, before its first write until it shows them after its last. */
  records: JsonObject[];
}

export const unshownFloor = '0';
export const shownFloor = '1';

/** A run that reads, follows or changes an agent's records. */
export interface EngramRun extends RunKey, EngramPosition {
  fingerprint: string;
  mode: EngramMode;
  filter: EngramFilter;
  /** Id of the principal that requested it; never sent to the agent. */
  principal: string;
  /** Results of the changes made so far. */
  writes: EngramWrite[];
}

/** What the newest write came from. */
export interface EngramAuthor {
  /** As requested; the evidence has its hash. */
  change: object;
  /** `key:<id>` or `session:<id>`. */
  credential: string | null;
}

export interface EngramRuns {
  /** Inserts the run once; returns the stored row. */
  begin(run: Omit<EngramRun, keyof EngramPosition | 'writes'>): Promise<EngramRun>;
  savePosition(run: RunKey, position: EngramPosition): Promise<void>;
  /** Saves them; the last one, made by `change`, gets an evidence record. */
  saveWrites(run: EngramRun, writes: EngramWrite[], by: EngramAuthor): Promise<void>;
  /** The records that another run of this thread showed last, with their versions; none where there was no such run. */
  lastShown(run: RunKey): Promise<JsonObject[]>;
  /** Returns the principal whose subscription this agent's task feeds; null if it feeds none. */
  subscriberOf(agent: string, a2aTaskId: A2aTaskId): Promise<string | null>;
}
