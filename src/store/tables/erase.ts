// Takes out what nobody is to keep any more: whole tasks, with all that lies beside them, or one person's words. The evidence
// stays: it has none, and a record of its own tells of every row that went or changed.
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { holdTopic } from '../feeds/hold-feed.ts';
import type { Topic } from '../feeds/waiters.ts';
import { listParam, rowsOf, type Db } from '../database/database.ts';
import { holdEntry, type EvidenceEntry } from '../evidence/record.ts';
import type { Erasure } from '../ports/erasure.ts';
import { callerEvents, callerPushes, callerTasks } from '../caller-schema.ts';
import { engramRuns } from '../engram-schema.ts';
import {
  attachments,
  comments,
  drafts,
  events,
  holds,
  intake,
  links,
  runs,
  seals,
  sendIntents,
  sentMessages,
  settings,
  snoozes,
  tasks,
  threads,
  watches,
} from '../schema.ts';
import type { HoldRow } from '../store.ts';
import { holdColumns } from './hold-columns.ts';

const ended = sql`('DONE', 'FAILED', 'CANCELED')`;
/** Tasks of one statement. */
const tasksAtOnce = 100;

export function createErasure(
  db: Db,
  changed: (topic: Topic) => void,
  record: (entry: EvidenceEntry) => void,
): Erasure {
  const at = (): string => new Date().toISOString();

  async function remove(taskIds: string[], why: string): Promise<number> {
    if (taskIds.length === 0) return 0;
    const removed = await db.delete(holds).where(inArray(holds.taskId, taskIds)).returning(holdColumns);
    for (const row of removed) {
      record(holdEntry('removed', row, { at: at(), why }));
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
        said as (delete from ${comments} where hold_id = any(${holdIds})),
        later as (delete from ${snoozes} where hold_id = any(${holdIds})),
        beside as (delete from ${attachments} where task_id = any(${ids})),
        watched as (delete from ${watches} where task_id = any(${ids})),
        meant as (delete from ${sendIntents} where task_id = any(${ids})),
        told as (delete from ${callerEvents} where task_id = any(${ids})),
        pushed as (delete from ${callerPushes} where task_id = any(${ids})),
        callers as (delete from ${callerTasks} where task_id = any(${ids})),
        notices as (
          delete from ${settings} one using unnest(${holdIds}) hold(id)
          where one.name like 'notice:' || hold.id || '.%'
        )
        select 1`,
    );
    const gone = await db
      .delete(tasks)
      .where(inArray(tasks.taskId, taskIds))
      .returning({ agent: tasks.agent, threadId: tasks.threadId });
    for (const { agent, threadId } of new Map(gone.map((one) => [JSON.stringify(one), one])).values())
      await removeEmptyThread(agent, threadId);
    return gone.length;
  }

  /** What a thread keeps without a task: its conversation, refused runs, a caller's over A2A too, and those about records. */
  async function removeEmptyThread(agent: string, threadId: string): Promise<void> {
    const isEmpty = sql`not exists (select from ${tasks} where agent = ${agent} and thread_id = ${threadId})`;
    await rowsOf(
      db,
      sql`
        with caller as (
          delete from ${callerTasks} where agent = ${agent} and thread_id = ${threadId} and ${isEmpty} returning task_id
        ), told as (delete from ${callerEvents} event using caller where event.task_id = caller.task_id)
        delete from ${callerPushes} push using caller where push.task_id = caller.task_id`,
    );
    await db.delete(intake).where(and(eq(intake.agent, agent), eq(intake.threadId, threadId), isEmpty));
    await db
      .delete(sentMessages)
      .where(and(eq(sentMessages.agent, agent), eq(sentMessages.threadId, threadId), isEmpty));
    await db.delete(engramRuns).where(and(eq(engramRuns.agent, agent), eq(engramRuns.threadId, threadId), isEmpty));
    await db.delete(threads).where(and(eq(threads.agent, agent), eq(threads.threadId, threadId), isEmpty));
  }

  /** Threads that never had a task: each of their runs was refused, the last one so long ago. */
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
    for (const row of rows) await removeEmptyThread(String(row['agent']), String(row['thread_id']));
  }

  const closedTasks = async (where: SQL | undefined, limit?: number): Promise<string[]> => {
    const found = db
      .select({ taskId: tasks.taskId })
      .from(tasks)
      .where(and(sql`${tasks.status} in ${ended}`, where))
      .orderBy(tasks.updatedAt);
    const rows = await (limit === undefined ? found : found.limit(limit).for('update', { skipLocked: true }));
    return rows.map(({ taskId }) => taskId);
  };

  const openTasks = async (where: SQL | undefined): Promise<string[]> => {
    const rows = await db
      .select({ taskId: tasks.taskId })
      .from(tasks)
      .where(and(sql`${tasks.status} not in ${ended}`, where));
    return rows.map(({ taskId }) => taskId);
  };

  async function removeAll(where: SQL | undefined, why: string): Promise<number> {
    const ids = await closedTasks(where);
    let count = 0;
    for (let from = 0; from < ids.length; from += tasksAtOnce)
      count += await remove(ids.slice(from, from + tasksAtOnce), why);
    return count;
  }

  return {
    async removeOld(olderThanMs, limit) {
      const age = sql`${tasks.updatedAt} < now() - ${olderThanMs}::double precision * interval '1 millisecond'`;
      await removeRefused(olderThanMs, limit);
      return remove(await closedTasks(age, limit), 'retention');
    },
    async thread(threadId, agent) {
      const where = and(eq(tasks.threadId, threadId), agent === undefined ? undefined : eq(tasks.agent, agent));
      const open = await openTasks(where);
      const removed = await removeAll(where, 'erased');
      const empty = await db
        .select({ agent: threads.agent })
        .from(threads)
        .where(and(eq(threads.threadId, threadId), agent === undefined ? undefined : eq(threads.agent, agent)));
      for (const one of empty) await removeEmptyThread(one.agent, threadId);
      return { tasks: removed, holds: 0, open };
    },
    async user(user) {
      const where = eq(tasks.owner, user);
      const removed = await removeAll(where, 'erased');
      const own = await db
        .select({ agent: threads.agent, threadId: threads.threadId })
        .from(threads)
        .where(eq(threads.owner, user));
      for (const { agent, threadId } of own) await removeEmptyThread(agent, threadId);
      await db.delete(drafts).where(eq(drafts.principal, user));
      await db.delete(comments).where(eq(comments.by, user));
      await db.delete(snoozes).where(eq(snoozes.principal, user));
      const { touched, open } = await eraseWords(user);
      return { tasks: removed, holds: touched, open: [...new Set([...(await openTasks(where)), ...open])] };
    },
  };

  /** What somebody wrote into questions of others: closed ones lose it, with the logs and cards that told of it. */
  async function eraseWords(user: string): Promise<{ touched: number; open: string[] }> {
    const open = new Set<string>();
    let touched = 0;
    for (let after = ''; ;) {
      const rows: HoldRow[] = await db
        .select(holdColumns)
        .from(holds)
        .where(sql`${holds.holdId} > ${after}`)
        .orderBy(holds.holdId)
        .limit(500)
        .for('update');
      for (const row of rows) {
        if (!speaksIn(row, user)) continue;
        if (row.status === 'open' || (await isOpen(row.taskId))) {
          open.add(row.taskId);
          continue;
        }
        await eraseFrom(row, user);
        touched += 1;
      }
      if (rows.length < 500) return { touched, open: [...open] };
      after = rows.at(-1)?.holdId ?? after;
    }
  }

  async function isOpen(taskId: string): Promise<boolean> {
    return (await openTasks(eq(tasks.taskId, taskId))).length > 0;
  }

  async function eraseFrom(row: HoldRow, user: string): Promise<void> {
    const without = <T extends { by: string }>(list: T[], nothing: Partial<T>): T[] =>
      list.map((one) => (one.by === user ? { ...one, ...nothing } : one));
    const { decision } = row;
    const [erased] = await db
      .update(holds)
      .set({
        decision: decision?.by === user ? { ...decision, values: {}, reason: null } : decision,
        votes: without(row.votes, { values: {}, reason: null }),
        moves: without(row.moves, { note: null }),
        reassignAsks: without(row.reassignAsks, { note: null }),
        card: { ...row.card, values: null },
        updatedAt: sql`now()`,
        version: sql`${holds.version} + 1`,
      })
      .where(eq(holds.holdId, row.holdId))
      .returning(holdColumns);
    if (erased !== undefined) record(holdEntry('erased', erased, { at: at(), by: user }));
    changed(holdTopic(row.holdId));
    // What the log tells may repeat the answer anywhere, the agent's words included.
    await rowsOf(
      db,
      sql`
        with told as (
          delete from ${events} event using ${runs} run
          where run.task_id = ${row.taskId} and event.log_id = run.log_id and event.type not like 'RUN\\_%'
        ), callers as (delete from ${callerEvents} where task_id = ${row.taskId}),
        outcomes as (update ${runs} set outcome = null where task_id = ${row.taskId}),
        bodies as (
          delete from ${intake} one using ${runs} run where run.task_id = ${row.taskId}
            and one.agent = run.agent and one.thread_id = run.thread_id and one.run_id = run.run_id
        )
        select 1`,
    );
    await db
      .update(threads)
      .set({ state: {}, messages: [] })
      .where(and(eq(threads.agent, row.agent), eq(threads.threadId, row.threadId)));
  }
}

const speaksIn = ({ decision, votes, moves, reassignAsks }: HoldRow, user: string): boolean =>
  [decision, ...votes, ...moves, ...reassignAsks].some((one) => one?.by === user);
