import type { TaskId } from '../../../contract/base/id-types.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import { endedStatuses, isEndedStatus } from '../../../contract/tasks/task-names.ts';
import { storable } from '../../columns.ts';
import { rowsOf, type Db } from '../../database/database.ts';
import { insertNew } from '../../database/new-rows.ts';
import { handWritten, perForm, statement } from '../../database/statement.ts';
import { guardedAgainstDuplicates } from '../../database/savepoint.ts';
import { endTopic, type Topic } from '../../feeds/waiters.ts';
import { sendIntents, tasks, threads } from '../../schema.ts';
import { columnsToRead, sealedFor } from '../../sealed-rows.ts';
import type { TaskRow, Tables } from '../../store.ts';
import { createStuck } from './stuck.ts';
import { createTaskReads } from './task-reads.ts';
import { columnsOf, reached, statusColumns } from './task-status.ts';
import { createUndecided } from './undecided.ts';
import { createWatches } from './watches.ts';

/** The tasks table; `changed` is called when a task ends. */
export function createTasks(db: Db, isInTransaction: boolean, changed: (topic: Topic) => void): Tables['tasks'] {
  const reads = createTaskReads(db);
  const { get, ofA2aId } = reads;

  async function self(taskId: TaskId): Promise<TaskRow> {
    const row = await get(taskId);
    if (!row) throw new Error(`task ${taskId} is not in the store`);
    return row;
  }

  /** Lets the unique index decide between concurrent tasks that both have checked. */
  async function bind(write: () => Promise<unknown>): Promise<'ok' | 'other-task'> {
    return (await guardedAgainstDuplicates(db, isInTransaction, write)) === 'duplicate' ? 'other-task' : 'ok';
  }

  return {
    ...reads,
    ...createStuck(db),
    ...createUndecided(db),
    ...createWatches(db),
    async put(task, at, first = { title: '', restartOf: null }) {
      const { taskId, agent, threadId, workflowId, firstExecutionRunId, owner } = task;
      const names = { taskId, agent, threadId, workflowId, firstExecutionRunId, owner };
      const { restartOf } = first;
      const timeline: TaskRow['timeline'] = [{ at, status: 'NEW' }];
      const dates = { createdAt: at, updatedAt: at, timeline };
      const [created] = await insert(db, [
        { ...names, status: 'NEW', ...dates, title: storable(first.title), restartOf },
      ]);
      const row = created ?? (await get(taskId));
      if (!row) throw new Error(`task ${taskId} vanished while it was put`);
      return row;
    },
    async linkRestart(taskId, restartedAs) {
      await rowsOf(
        db,
        sql`
          with failed as (
            update ${tasks} set restarted_as = ${restartedAs}, updated_at = now()
            where task_id = ${taskId} and (restarted_as is null or restarted_as = ${restartedAs}) returning task_id
          )
          update ${tasks} set restart_of = ${taskId}
          where task_id = ${restartedAs} and restart_of is null and exists (select from failed)`,
      );
    },
    async delivered(taskId, messageId) {
      const [row] = await deliver(db, { taskId, messageId });
      if (row === undefined) throw new Error(`task ${taskId} is not in the store`);
    },
    async bind(task, ids, messageId = null) {
      let isBound = false;
      const result = await bind(async () => {
        const { taskId, agent, threadId } = task;
        const { a2aTaskId, contextId } = ids;
        const write = writeIds({ isDelivered: messageId !== null });
        const bound = await write(db, { taskId, agent, threadId, a2aTaskId, contextId, messageId });
        // No row: the A2A task id belongs to another task.
        isBound = bound.length > 0;
      });
      if (result === 'ok' && !isBound) await self(task.taskId);
      return isBound ? result : 'other-task';
    },
    async update(taskId, change) {
      const { status, a2aTaskId, contextId, error } = change;
      const reported = error === undefined ? {} : { error };
      const set = {
        updatedAt: sql`now()`,
        ...(status === undefined
          ? sealedFor(tasks, { taskId }, reported)
          : statusColumns(taskId, { status, ...reported })),
        ...(a2aTaskId === undefined ? {} : { a2aTaskId }),
        ...(contextId === undefined ? {} : { contextId }),
      };
      const write = (): Promise<{ taskId: TaskId }[]> =>
        db.update(tasks).set(set).where(eq(tasks.taskId, taskId)).returning({ taskId: tasks.taskId });

      if (a2aTaskId === undefined) {
        if ((await write()).length === 0) throw new Error(`task ${taskId} is not in the store`);
        if (status !== undefined && isEndedStatus(status)) changed(endTopic(taskId));
        return 'ok';
      }
      const { agent, a2aTaskId: own } = await self(taskId);
      const others = (await ofA2aId(agent, a2aTaskId)).filter((row) => row.taskId !== taskId);
      // An adopted A2A task may also belong to an ended task.
      if (own !== a2aTaskId && others.length > 0) return 'other-task';
      return bind(write);
    },
    async adopt(taskId, a2aTaskId) {
      const { agent } = await self(taskId);
      const others = (await ofA2aId(agent, a2aTaskId)).filter((row) => row.taskId !== taskId);
      if (others.some((row) => !isEndedStatus(row.status))) return 'other-task';
      return bind(() =>
        db
          .update(tasks)
          .set({ a2aTaskId, updatedAt: sql`now()` })
          .where(eq(tasks.taskId, taskId)),
      );
    },
  };
}

const insert = insertNew(tasks, columnsToRead(tasks), tasks.taskId);

const deliver = statement(['taskId', 'messageId'], (db, { taskId, messageId }) =>
  handWritten(
    db,
    sql`
      with got as (
        update ${sendIntents} set delivered_at = clock_timestamp() where message_id = ${messageId} and delivered_at is null
      )
      update ${tasks} set
        updated_at = now(), timeline = ${reached('IN_PROGRESS')},
        status = case when ${inArray(tasks.status, endedStatuses)} then ${tasks.status} else 'IN_PROGRESS' end
      where task_id = ${taskId} returning task_id`,
  ),
);

/** Stores the agent's ids of a task and its thread and, with `isDelivered`, the delivery of a message. */
const writeIds = perForm(({ isDelivered }: { isDelivered: boolean }) =>
  statement(['taskId', 'agent', 'threadId', 'a2aTaskId', 'contextId', 'messageId'], (db, given) => {
    const { taskId, agent, threadId, a2aTaskId, contextId, messageId } = given;
    const got = sql`, got as (
      update ${sendIntents} set delivered_at = clock_timestamp() from bound
      where message_id = ${messageId} and delivered_at is null
    )`;
    const { status, timeline } = columnsOf('IN_PROGRESS');
    const works = sql`, status = ${status}, timeline = ${timeline}`;
    // `a2a_task_id =`: an adopted A2A task may also belong to an ended task.
    return handWritten(
      db,
      sql`
        with bound as (
          update ${tasks} set
            a2a_task_id = coalesce(${a2aTaskId}::text, a2a_task_id), context_id = coalesce(${contextId}::text, context_id),
            updated_at = now()${isDelivered ? works : sql``}
          where task_id = ${taskId} and (
            ${a2aTaskId}::text is null or a2a_task_id = ${a2aTaskId} or not exists (
              select from ${tasks} other
              where other.agent = ${agent} and other.a2a_task_id = ${a2aTaskId} and other.task_id <> ${taskId}
            )
          )
          returning ${tasks.taskId}
        ), thread as (
          update ${threads} thread set context_id = ${contextId}::text
          from bound
          where ${contextId}::text is not null and thread.agent = ${agent} and thread.thread_id = ${threadId}
        )${isDelivered ? got : sql``}
        select task_id from bound`,
    );
  }),
);
