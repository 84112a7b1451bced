// What a turn shows: projected into the log of its run, in batches, and sent to the task’s caller over A2A.
import type { AguiEvent } from '../../contract/tasks/run.ts';
import type { Stuck, TaskRef } from '../../contract/tasks/task.ts';
import type { TurnEvent, TurnOutcome } from '../../contract/tasks/turn.ts';
import { reduceEvents } from '../../wire/agui/model/projection.ts';
import { stuckEvents, turnEvents } from '../../wire/agui/project/project.ts';
import { createBatchWriter } from '../run-log/batch-writer.ts';
import { openCallerLog, type TaskChangeDeps } from '../run-log/caller-log.ts';
import type { OpenRun } from '../run-log/run-writer.ts';

export interface TurnLog {
  /** Aborted when the turn is asked to stop, or when a later attempt has the log: nothing else would end a silent stream. */
  signal: AbortSignal;
  report(events: AguiEvent[]): Promise<void>;
  /** True when the agent's event brought something new. */
  show(event: TurnEvent): Promise<boolean>;
  /** Shows at once why the task does not go on; null: that it goes on. */
  stuck(stuck: Stuck | null): Promise<void>;
  flush(): Promise<void>;
  /** Sends the caller the last events of this turn. */
  settle(outcome: TurnOutcome): Promise<void>;
  /** The run as this attempt leaves it; `isClosing`: the last events are written by who ends it. */
  leave(isClosing: boolean): Promise<OpenRun>;
  /** The task’s caller cannot be sent all of what the agent sends. */
  isFull(): boolean;
}

export async function openTurnLog(
  deps: TaskChangeDeps,
  task: TaskRef,
  opened: OpenRun,
  fence: number,
  asked: AbortSignal,
): Promise<TurnLog> {
  const { run, context } = opened;
  let { projection, entries } = opened;
  const own = new AbortController();
  const stop = (error: unknown): void => own.abort(error);
  const writer = createBatchWriter<AguiEvent>(async (events) => {
    await deps.store.log.append(run.logId, fence, events);
    entries += events.length;
  }, stop);
  const caller = await openCallerLog(deps, task, { logId: run.logId, fence }, stop);
  const report = async (events: AguiEvent[]): Promise<void> => {
    projection = reduceEvents(projection, events);
    writer.push(events);
    await writer.ready();
  };
  return {
    signal: AbortSignal.any([asked, own.signal]),
    report,
    show: async (event) => {
      await caller.show(event);
      const events = turnEvents(projection, event, { ...context, now: deps.now().toISOString() });
      await report(events);
      return events.length > 0;
    },
    stuck: async (stuck) => {
      const events = stuckEvents(projection, stuck, { ...context, now: deps.now().toISOString() });
      if (events.length === 0) return;
      await report(events);
      await writer.flush();
    },
    flush: async () => {
      await Promise.all([writer.flush(), caller.flush()]);
    },
    isFull: caller.isFull,
    settle: caller.settle,
    leave: async (isClosing) => {
      const unwritten = isClosing ? await writer.rest() : [];
      if (!isClosing) await writer.flush();
      return { ...opened, projection, entries, unwritten };
    },
  };
}
