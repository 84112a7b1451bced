import type { TaskId, ThreadId } from '../../../contract/base/id-types.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { waitingMessages } from '../../circuit-schema.ts';
import { callerEvents, callerPushes, callerTasks } from '../../caller-schema.ts';
import { listParam, rowsOf, type Db } from '../../database/database.ts';
import { engramRuns } from '../../engram-schema.ts';
import { gateCalls } from '../../gate-schema.ts';
import { holdTopic } from '../../feeds/hold-feed.ts';
import type { Topic } from '../../feeds/waiters.ts';
import {
  attachments,
  comments,
  deliveries,
  drafts,
  events,
  holds,
  intake,
  links,
  runs,
  seals,
  sendIntents,
  sentMessages,
  snoozes,
  tasks,
  threads,
  watches,
} from '../../schema.ts';
import type { HoldRow } from '../../store.ts';
import { holdColumns } from '../holds/hold-columns.ts';
import { readableHold } from '../holds/readable-hold.ts';

/** Callbacks for each deleted hold. */
export interface Removal {
  removed: (row: HoldRow) => void;
  changed: (topic: Topic) => void;
}

/** Deletes tasks with all their rows, and threads left without a task; returns the number of tasks. */
export async function removeTasks(
  db: Db,
  taskIds: TaskId[],
  { removed: onRemoved, changed }: Removal,
): Promise<number> {
  if (taskIds.length === 0) return 0;
  const removed = await db.delete(holds).where(inArray(holds.taskId, taskIds)).returning(holdColumns);
  for (const row of removed) {
    onRemoved(readableHold(row));
    changed(holdTopic(row.holdId));
  }
  const [ids, holdIds] = [
    listParam(taskIds, 'text'),
    listParam(
      removed.map(({ holdId }) => holdId),
      'text',
    ),
  ];
  await rowsOf(
    db,
    sql`
      with run as (
        delete from ${runs} where task_id = any(${ids}) returning log_id, agent, thread_id, run_id
      ), logs as (delete from ${events} event using run where event.log_id = run.log_id),
      asked as (
        delete from ${intake} one using run
        where one.agent = run.agent and one.thread_id = run.thread_id and one.run_id = run.run_id
      ), sent as (
        delete from ${sentMessages} one using run
        where one.agent = run.agent and one.thread_id = run.thread_id and one.run_id = run.run_id
      ), drafted as (delete from ${drafts} where hold_id = any(${holdIds})),
      sealed as (delete from ${seals} where hold_id = any(${holdIds})),
      linked as (delete from ${links} where hold_id = any(${holdIds})),
      removed_comments as (delete from ${comments} where hold_id = any(${holdIds})),
      later as (delete from ${snoozes} where hold_id = any(${holdIds})),
      removed_attachments as (delete from ${attachments} where task_id = any(${ids})),
      watched as (delete from ${watches} where task_id = any(${ids})),
      waited as (delete from ${waitingMessages} where task_id = any(${ids})),
      held as (delete from ${gateCalls} where task_id = any(${ids})),
      meant as (delete from ${sendIntents} where task_id = any(${ids})),
      removed_events as (delete from ${callerEvents} where task_id = any(${ids})),
      pushed as (delete from ${callerPushes} where task_id = any(${ids})),
      callers as (delete from ${callerTasks} where task_id = any(${ids})),
      delivered as (delete from ${deliveries} where hold_id = any(${holdIds}))
      select 1`,
  );
  const gone = await db
    .delete(tasks)
    .where(inArray(tasks.taskId, taskIds))
    .returning({ agent: tasks.agent, threadId: tasks.threadId });
  for (const { agent, threadId } of new Map(gone.map((one) => [JSON.stringify(one), one])).values())
    await removeEmptyThread(db, agent, threadId);
  return gone.length;
}

/** Deletes a thread with its intake, sent messages, caller tasks and Engram runs, if it has no task. */
export async function removeEmptyThread(db: Db, agent: string, threadId: ThreadId): Promise<void> {
  const isEmpty = sql`not exists (select from ${tasks} where agent = ${agent} and thread_id = ${threadId})`;
  await rowsOf(
    db,
    sql`
      with caller as (
        delete from ${callerTasks} where agent = ${agent} and thread_id = ${threadId} and ${isEmpty} returning task_id
      ), removed_events as (delete from ${callerEvents} event using caller where event.task_id = caller.task_id)
      delete from ${callerPushes} push using caller where push.task_id = caller.task_id`,
  );
  await db.delete(intake).where(and(eq(intake.agent, agent), eq(intake.threadId, threadId), isEmpty));
  await db.delete(sentMessages).where(and(eq(sentMessages.agent, agent), eq(sentMessages.threadId, threadId), isEmpty));
  await db.delete(engramRuns).where(and(eq(engramRuns.agent, agent), eq(engramRuns.threadId, threadId), isEmpty));
  await db.delete(threads).where(and(eq(threads.agent, agent), eq(threads.threadId, threadId), isEmpty));
}
