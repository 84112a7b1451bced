// Deletes whole tasks with all their rows, or one person's text. The evidence contains no text and stays; each deleted
// or changed hold adds a record to it.
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Topic } from '../../feeds/waiters.ts';
import { endedList } from '../../columns.ts';
import { rowsOf, type Db } from '../../database/database.ts';
import { holdEntry, type EvidenceEntry } from '../../evidence/record.ts';
import type { Erasure } from '../../ports/upkeep.ts';
import { intake, tasks, threads } from '../../schema.ts';
import { eraseTraces, eraseWords } from './erase-words.ts';
import { removeEmptyThread, removeTasks, type Removal } from './remove-tasks.ts';
import { momentText } from '../../evidence/moment.ts';

/** Tasks deleted by one statement. */
const tasksAtOnce = 100;

export function createErasure(
  db: Db,
  changed: (topic: Topic) => void,
  record: (entry: EvidenceEntry) => void,
): Erasure {
  const removal = (why: string): Removal => ({
    removed: (row) => record(holdEntry('removed', row, { at: momentText(), why })),
    changed,
  });

  /** Deletes threads without a task whose runs were all refused, the last one this long ago. */
  async function removeRefused(olderThanMs: number, limit: number): Promise<void> {
    const isTheirs = sql`one.agent = thread.agent and one.thread_id = thread.thread_id`;
    const since = sql`now() - ${olderThanMs}::double precision * interval '1 millisecond'`;
    const rows = await rowsOf(
      db,
      sql`
        select agent, thread_id from ${threads} thread
        where not exists (select from ${tasks} one where ${isTheirs})
          and exists (select from ${intake} one where ${isTheirs})
          and not exists (
            select from ${intake} one where ${isTheirs} and (one.refused_code is null or one.received_at >= ${since})
          )
        limit ${limit}::integer for update skip locked`,
    );
    for (const row of rows) await removeEmptyThread(db, String(row['agent']), String(row['thread_id']));
  }

  const closedTasks = async (where: SQL | undefined, limit?: number): Promise<string[]> => {
    const found = db
      .select({ taskId: tasks.taskId })
      .from(tasks)
      .where(and(sql`${tasks.status} in ${endedList}`, where))
      .orderBy(tasks.updatedAt);
    const rows = await (limit === undefined ? found : found.limit(limit).for('update', { skipLocked: true }));
    return rows.map(({ taskId }) => taskId);
  };

  const openTasks = async (where: SQL | undefined): Promise<string[]> => {
    const rows = await db
      .select({ taskId: tasks.taskId })
      .from(tasks)
      .where(and(sql`${tasks.status} not in ${endedList}`, where));
    return rows.map(({ taskId }) => taskId);
  };

  async function removeAll(where: SQL | undefined, why: string): Promise<number> {
    const ids = await closedTasks(where);
    let count = 0;
    for (let from = 0; from < ids.length; from += tasksAtOnce)
      count += await removeTasks(db, ids.slice(from, from + tasksAtOnce), removal(why));
    return count;
  }

  return {
    async removeOld(olderThanMs, limit) {
      const age = sql`${tasks.updatedAt} < now() - ${olderThanMs}::double precision * interval '1 millisecond'`;
      await removeRefused(olderThanMs, limit);
      return removeTasks(db, await closedTasks(age, limit), removal('retention'));
    },
    async thread(threadId, agent) {
      const where = and(eq(tasks.threadId, threadId), agent === undefined ? undefined : eq(tasks.agent, agent));
      const open = await openTasks(where);
      const removed = await removeAll(where, 'erased');
      const empty = await db
        .select({ agent: threads.agent })
        .from(threads)
        .where(and(eq(threads.threadId, threadId), agent === undefined ? undefined : eq(threads.agent, agent)));
      for (const one of empty) await removeEmptyThread(db, one.agent, threadId);
      return { tasks: removed, holds: 0, open };
    },
    async user(user) {
      const where = eq(tasks.owner, user);
      const removed = await removeAll(where, 'erased');
      const own = await db
        .select({ agent: threads.agent, threadId: threads.threadId })
        .from(threads)
        .where(eq(threads.owner, user));
      for (const { agent, threadId } of own) await removeEmptyThread(db, agent, threadId);
      await eraseTraces(db, user);
      const { touched, open } = await eraseWords(db, user, {
        changed,
        record: (row) => record(holdEntry('erased', row, { at: momentText(), by: user })),
      });
      return { tasks: removed, holds: touched, open: [...new Set([...(await openTasks(where)), ...open])] };
    },
  };
}
