import type { HoldId, TaskId } from '../../contract/base/id-types.ts';
import type { AguiEvent, LogEntry, RunStatus } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { TaskError, TaskStatus } from '../../contract/tasks/task.ts';
import type { KeptOutcome } from '../../contract/tasks/turn.ts';
import type { Watch } from './tasks.ts';

/** How a run ends. */
export interface RunEnd {
  status: Exclude<RunStatus, 'open'>;
  outcome: KeptOutcome | null;
  /** The run's thread, with state and messages that its next run starts from; null leaves them unchanged. */
  snapshot: { agent: string; threadId: string; state: JsonObject; messages: JsonObject[] } | null;
  /** New status of the run's task; without `error` the stored one stays. */
  task?: { taskId: TaskId; status: TaskStatus; error?: TaskError | null } | null;
  /** Schedules polling of the agent's task, as `tasks.watch` does. */
  watch?: { task: Omit<Watch, 'probes'>; inMs: number } | null;
  /** New contents of hold cards. */
  cards?: { holdId: HoldId; card: JsonObject }[];
}

export interface EventLog {
  /**
   * Appends events in one statement and wakes the log's readers; returns the last seq. Throws FencedError if a later
   * writer owns the log or the run has ended.
   */
  append(logId: number, fence: number, events: AguiEvent[]): Promise<number>;
  /** Appends the last events and ends the run in one statement; throws FencedError as `append` does. */
  end(logId: number, fence: number, events: AguiEvent[], how: RunEnd): Promise<void>;
  /** Appends whole messages without the fence, in addition to the run's own writer; false if the run has ended. */
  appendAlongside(logId: number, events: AguiEvent[]): Promise<boolean>;
  /** Entries after `afterSeq`, at most `limit` (default 500). */
  read(logId: number, afterSeq: number, limit?: number): Promise<LogEntry[]>;
  /** Returns the events of one type in these logs, oldest first; only the newest 2,000. */
  ofType(logIds: number[], type: string): Promise<{ logId: number; event: AguiEvent }[]>;
}
