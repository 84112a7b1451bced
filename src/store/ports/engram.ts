import type { EngramFilter, EngramMode, EngramWrite } from '../../contract/views/engram.ts';
import type { RunKey } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';

/** Position of a run's subscription, from which another process can resume it. */
export interface EngramPosition {
  /** The agent's task that streams the events; null if none is open. */
  a2aTaskId: string | null;
  /** Last event sequence processed, in decimal digits; null before the first. A sync sets 0 with its records. */
  floor: string | null;
  /** The records after that event; for a sync, before its first write. */
  records: JsonObject[];
}

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

export interface EngramRuns {
  /** Inserts the run once; returns the stored row. */
  begin(run: Omit<EngramRun, keyof EngramPosition | 'writes'>): Promise<EngramRun>;
  savePosition(run: RunKey, position: EngramPosition): Promise<void>;
  saveWrites(run: RunKey, writes: EngramWrite[]): Promise<void>;
  /** Returns the principal whose subscription this agent's task feeds; null if it feeds none. */
  subscriberOf(agent: string, a2aTaskId: string): Promise<string | null>;
}
