import type { AguiEvent, LogEntry, RunStatus } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { TaskError, TaskStatus } from '../../contract/tasks/task.ts';
import type { TurnOutcome } from '../../contract/tasks/turn.ts';
import type { Watch } from './tasks.ts';

/** How a run ends. */
export interface RunEnd {
  status: Exclude<RunStatus, 'open'>;
  outcome: TurnOutcome | null;
  /** What the thread's next run starts from; null: as before. */
  snapshot: { state: JsonObject; messages: JsonObject[] } | null;
  /** Where its task stands by it. */
  task?: { taskId: string; status: TaskStatus; error?: TaskError | null } | null;
  /** The agent's task is polled again from then on, as by `tasks.watch`. */
  watch?: { task: Omit<Watch, 'probes'>; inMs: number } | null;
  /** Cards of questions as front ends have them now. */
  cards?: { holdId: string; card: JsonObject }[];
}

export interface EventLog {
  /**
   * Appends in one statement: checks the fence and that the run is open, takes numbers, inserts, marks for notify.
   * Returns the last seq; throws FencedError when a later writer has the log or the run is ended.
   */
  append(logId: number, fence: number, events: AguiEvent[]): Promise<number>;
  /** The last entries of a run with its end, as `append`; and with them what is known from then on. */
  end(logId: number, fence: number, events: AguiEvent[], how: RunEnd): Promise<void>;
  /**
   * Appends whole messages of another hand while the run is open, whoever writes it; false when it is ended. Its writer
   * goes on undisturbed.
   */
  appendAlongside(logId: number, events: AguiEvent[]): Promise<boolean>;
  /** Entries after `afterSeq`, at most `limit` (default 500). */
  read(logId: number, afterSeq: number, limit?: number): Promise<LogEntry[]>;
  /** Events of one type in these logs, in their order; of very many the newest. */
  ofType(logIds: number[], type: string): Promise<{ logId: number; event: AguiEvent }[]>;
}
