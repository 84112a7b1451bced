import type { EngramFilter, EngramMode, EngramWrite } from '../../contract/views/engram.ts';
import type { RunKey } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';

/** Where the subscription of a run stands: what another process needs to go on with it. */
export interface EngramPosition {
  /** The agent's task that sends the events; null: none is open. */
  a2aTaskId: string | null;
  /** Highest sequence of that task's events that were taken, as digits; null: none was. Of a sync: 0 once its records are kept. */
  floor: string | null;
  /** The records as they were after that event; of a sync as they were before its first write. */
  records: JsonObject[];
}

/** A run that reads, follows or changes an agent's records. */
export interface EngramRun extends RunKey, EngramPosition {
  fingerprint: string;
  mode: EngramMode;
  filter: EngramFilter;
  /** Who asked for it; the agent does not learn it. */
  principal: string;
  /** What came of each change so far. */
  writes: EngramWrite[];
}

export interface EngramRuns {
  /** The run as it was kept first. */
  begin(run: Omit<EngramRun, keyof EngramPosition | 'writes'>): Promise<EngramRun>;
  savePosition(run: RunKey, position: EngramPosition): Promise<void>;
  saveWrites(run: RunKey, writes: EngramWrite[]): Promise<void>;
  /** Whose subscription an agent's task feeds; null: it is none. */
  subscriberOf(agent: string, a2aTaskId: string): Promise<string | null>;
}
