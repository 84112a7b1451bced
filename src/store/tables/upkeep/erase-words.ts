// Erases one person's text from other people's tasks: answers, votes, notes, messages, and logs that may repeat them.
import type { HoldId, TaskId } from '../../../contract/base/id-types.ts';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { AguiEvent } from '../../../contract/tasks/run.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { isEndedStatus } from '../../../contract/tasks/task-names.ts';
import { isObject } from '../../../core/base/json.ts';
import { callerEvents } from '../../caller-schema.ts';
import { endedList } from '../../columns.ts';
import { rowsOf, type Db } from '../../database/database.ts';
import { allEntries, entriesOf, hasType, replaceEntries } from '../../log/batches.ts';
import { engramRuns } from '../../engram-schema.ts';
import { gateCalls } from '../../gate-schema.ts';
import { holdTopic } from '../../feeds/hold-feed.ts';
import { personal, sessions } from '../../personal-schema.ts';
import type { Topic } from '../../feeds/waiters.ts';
import {
  comments,
  deliveries,
  drafts,
  events,
  holds,
  intake,
  links,
  runs,
  seals,
  snoozes,
  tasks,
  threads,
} from '../../schema.ts';
import type { HoldRow } from '../../store.ts';
import { readColumn, sealedFor } from '../../sealed-rows.ts';
import { Unreadable } from '../../unreadable.ts';
import { holdColumns } from '../holds/hold-columns.ts';
import { readableHold } from '../holds/readable-hold.ts';

/** Rows read at once; rows are locked only when they change. */
const rowsAtOnce = 500;

interface Writing {
  changed: (topic: Topic) => void;
  record: (row: HoldRow) => void;
}

interface WordsErased {
  /** Number of holds from which text was erased. */
  touched: number;
  /** Ids of tasks that have not ended; nothing in them was erased. */
  open: string[];
}

/** Deletes the person's own rows: drafts, comments, snoozes, links, settings, browsers, Engram runs and sessions. */
export async function eraseTraces(db: Db, user: string): Promise<void> {
  await db.delete(drafts).where(eq(drafts.principal, user));
  await db.delete(comments).where(eq(comments.by, user));
  await db.delete(snoozes).where(eq(snoozes.principal, user));
  await db.delete(links).where(eq(links.user, user));
  await db.delete(deliveries).where(eq(deliveries.recipient, user));
  await db.delete(personal).where(eq(personal.user, user));
  await db.delete(engramRuns).where(eq(engramRuns.principal, user));
  // What is still to be called, or to be given to its client, is needed.
  await db.delete(gateCalls).where(and(eq(gateCalls.owner, user), isNotNull(gateCalls.takenAt)));
  await db.delete(sessions).where(sql`(${sessions.principal})::json ->> 'id' = ${user}`);
}

const speaksIn = ({ decision, votes, moves, reassignAsks, plan }: HoldRow, user: string): boolean =>
  [decision, ...votes, ...moves, ...reassignAsks, ...(plan.extensions ?? []), ...(plan.reapplied ?? [])].some(
    (one) => one?.by === user,
  );

/** Returns the ids of holds in which this person decided, voted or moved, by task. */
async function holdsWith(db: Db, user: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (let after = ''; ;) {
    const rows: HoldRow[] = await db
      .select(holdColumns)
      .from(holds)
      .where(sql`${holds.holdId} > ${after}`)
      .orderBy(holds.holdId)
      .limit(rowsAtOnce);
    for (const row of rows.map(readableHold))
      if (speaksIn(row, user)) found.set(row.taskId, [...(found.get(row.taskId) ?? []), row.holdId]);
    if (rows.length < rowsAtOnce) return found;
    after = rows.at(-1)?.holdId ?? after;
  }
}

/** Returns the tasks to which this person sent a run or a chat message. */
async function tasksSpokenTo(db: Db, user: string): Promise<Set<string>> {
  const begun = await rowsOf(
    db,
    sql`
      select distinct run.task_id from ${intake} one
      join ${runs} run on run.agent = one.agent and run.thread_id = one.thread_id and run.run_id = one.run_id
      where (one.principal)::json ->> 'id' = ${user}`,
  );
  const found = new Set(begun.map((row) => String(row['task_id'])));
  for (let at = { logId: 0, seq: 0 }; ;) {
    const rows = await db
      .select({
        logId: events.logId,
        seq: events.seq,
        size: events.size,
        batch: readColumn(events.batch),
        taskId: runs.taskId,
      })
      .from(events)
      .innerJoin(runs, eq(runs.logId, events.logId))
      .where(
        and(
          hasType(['TEXT_MESSAGE_START', 'MESSAGES_SNAPSHOT']),
          sql`(${events.logId}, ${events.seq}) > (${at.logId}::bigint, ${at.seq}::integer)`,
        ),
      )
      .orderBy(events.logId, events.seq)
      .limit(rowsAtOnce);
    // In a log that cannot be read anybody may have spoken.
    for (const row of rows)
      if (entriesOf(row).some(({ event }) => event instanceof Unreadable || isSpokenBy(event, user)))
        found.add(row.taskId);
    if (rows.length < rowsAtOnce) return found;
    const last = rows.at(-1);
    if (last !== undefined) at = { logId: last.logId, seq: last.seq };
  }
}

function isSpokenBy(event: AguiEvent, user: string): boolean {
  const { type, messages } = event;
  if (type !== 'TEXT_MESSAGE_START' && type !== 'MESSAGES_SNAPSHOT') return false;
  return (Array.isArray(messages) ? messages : [event]).some(
    (one) => typeof one === 'object' && one !== null && 'name' in one && one.name === user,
  );
}

/** Erases this person's text from all ended tasks. */
export async function eraseWords(db: Db, user: string, writing: Writing): Promise<WordsErased> {
  const asked = await holdsWith(db, user);
  const spoken = await tasksSpokenTo(db, user);
  const open: string[] = [];
  let touched = 0;
  for (const taskId of new Set([...asked.keys(), ...spoken])) {
    const [task] = await db.select({ status: tasks.status }).from(tasks).where(eq(tasks.taskId, taskId)).for('update');
    if (task !== undefined && !isEndedStatus(task.status)) {
      open.push(taskId);
      continue;
    }
    for (const holdId of asked.get(taskId) ?? []) {
      await eraseFrom(db, holdId, user, writing);
      touched += 1;
    }
    await eraseLogs(db, taskId, user);
  }
  // Intake of refused runs, and of runs whose tasks are gone or have ended.
  await db.delete(intake).where(
    and(
      sql`(${intake.principal})::json ->> 'id' = ${user}`,
      sql`(${intake.admittedAt} is not null or ${intake.refusedCode} is not null)`,
      sql`not exists (
        select from ${runs} run join ${tasks} task on task.task_id = run.task_id
        where run.agent = ${intake.agent} and run.thread_id = ${intake.threadId} and run.run_id = ${intake.runId}
          and task.status not in ${endedList}
      )`,
    ),
  );
  return { touched, open };
}

async function eraseFrom(db: Db, holdId: HoldId, user: string, { changed, record }: Writing): Promise<void> {
  const [found] = await db.select(holdColumns).from(holds).where(eq(holds.holdId, holdId)).for('update');
  if (found === undefined) return;
  const row = readableHold(found);
  const without = <T extends { by: string }>(list: T[], nothing: Partial<T>): T[] =>
    list.map((one) => (one.by === user ? { ...one, ...nothing } : one));
  const { decision } = row;
  const [erased] = await db
    .update(holds)
    .set({
      ...sealedFor(
        holds,
        { holdId },
        {
          decision: decision?.by === user ? { ...decision, values: {}, reason: null } : decision,
          votes: without(row.votes, { values: {}, reason: null }),
          moves: without(row.moves, { note: null }),
          plan: row.plan.extensions
            ? { ...row.plan, extensions: without(row.plan.extensions, { note: null }) }
            : row.plan,
          reassignAsks: without(row.reassignAsks, { note: null }),
          card: { ...row.card, values: null },
        },
      ),
      updatedAt: sql`now()`,
      version: sql`${holds.version} + 1`,
    })
    .where(eq(holds.holdId, holdId))
    .returning(holdColumns);
  await db.delete(seals).where(eq(seals.holdId, holdId));
  if (erased !== undefined) record(readableHold(erased));
  changed(holdTopic(holdId));
}

const membersOf = (value: JsonObject, names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));

/** Reduces a RUN_… event to its ids and its outcome. */
function withoutWords(event: AguiEvent): AguiEvent {
  const { type, outcome, code } = event;
  const kept = { type, ...membersOf(event, ['threadId', 'runId']) };
  if (type === 'RUN_ERROR') return { ...kept, ...membersOf(event, ['code']), message: code ?? 'erased' };
  return isObject(outcome) ? { ...kept, outcome: outcomeWithoutWords(outcome) } : kept;
}

/** Reduces an outcome to its type and the ids and reasons in its lists. */
function outcomeWithoutWords(outcome: JsonObject): JsonObject {
  const lists = Object.entries(outcome).flatMap(([name, value]) =>
    Array.isArray(value) ? [[name, value.filter(isObject).map((one) => membersOf(one, ['id', 'reason']))]] : [],
  );
  return { ...membersOf(outcome, ['type']), ...Object.fromEntries(lists) };
}

/** Erases a task's logs except the RUN_… events, since any message, also of the agent, may repeat the text. */
async function eraseLogs(db: Db, taskId: TaskId, user: string): Promise<void> {
  for (const { logId } of await db.select({ logId: runs.logId }).from(runs).where(eq(runs.taskId, taskId))) {
    const readable = (await allEntries(db, logId)).filter(({ event }) => !(event instanceof Unreadable));
    const kept = readable.filter(({ event }) => event.type.startsWith('RUN_'));
    await replaceEntries(
      db,
      logId,
      kept.map(({ seq, event }) => ({ seq, event: withoutWords(event) })),
    );
  }
  await rowsOf(
    db,
    sql`
      with callers as (delete from ${callerEvents} where task_id = ${taskId}),
      outcomes as (update ${runs} set outcome = null where task_id = ${taskId})
      select 1`,
  );
  const of = await db
    .select({ agent: runs.agent, threadId: runs.threadId, runId: runs.runId, principal: intake.principal })
    .from(runs)
    .leftJoin(
      intake,
      and(eq(intake.agent, runs.agent), eq(intake.threadId, runs.threadId), eq(intake.runId, runs.runId)),
    )
    .where(eq(runs.taskId, taskId))
    .orderBy(runs.logId);
  for (const { agent, threadId, runId } of of) {
    await db.delete(intake).where(and(eq(intake.agent, agent), eq(intake.threadId, threadId), eq(intake.runId, runId)));
    await db
      .update(threads)
      .set(sealedFor(threads, { agent, threadId }, { state: {}, messages: [] }))
      .where(and(eq(threads.agent, agent), eq(threads.threadId, threadId)));
  }
  const [task] = await db
    .select({ error: readColumn(tasks.error) })
    .from(tasks)
    .where(eq(tasks.taskId, taskId));
  const error = task?.error ?? null;
  if (error instanceof Unreadable) await db.update(tasks).set({ error: null }).where(eq(tasks.taskId, taskId));
  else if (error !== null)
    await db
      .update(tasks)
      .set(sealedFor(tasks, { taskId }, { error: { ...error, message: error.code } }))
      .where(eq(tasks.taskId, taskId));
  // The title is the beginning of the first message.
  if (of[0]?.principal?.id === user)
    await db
      .update(tasks)
      .set(sealedFor(tasks, { taskId }, { title: '' }))
      .where(eq(tasks.taskId, taskId));
}
