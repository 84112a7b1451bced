import { sql, type Placeholder, type SQL } from 'drizzle-orm';
import { isEndedStatus } from '../../../contract/tasks/task-names.ts';
import type { Db } from '../../database/database.ts';
import { handWritten, perForm, statement, textArray } from '../../database/statement.ts';
import type { Written } from '../../feeds/fresh-entries.ts';
import { holdTopic } from '../../feeds/hold-feed.ts';
import { endTopic, logTopic, type Topic } from '../../feeds/waiters.ts';
import type { Watch } from '../../ports/tasks.ts';
import { holds, runs, threads } from '../../schema.ts';
import { afterTaken, batchesOf, batchNames, insertBatches } from '../../log/batches.ts';
import { isAfter, lastSeqOf } from '../../log/event-log.ts';
import { writeAtEnd, type LogEnds } from '../../log/log-ends.ts';
import { rowKey, sealedText } from '../../sealed-columns.ts';
import { FencedError, type Tables } from '../../store.ts';
import { sealedError, statusUpdate } from '../tasks/task-status.ts';
import { watchInsert } from '../tasks/watches.ts';

/** Optional parts of the statement. */
interface EndForm {
  hasSnapshot: boolean;
  task: 'as it is' | 'status' | 'status and error';
  isWatched: boolean;
  hasCards: boolean;
}

const watchNames = ['workflowId', 'firstExecutionRunId', 'a2aTaskId', 'kind', 'watchVersion', 'seen'] as const;

/** Appends the last events, ends the run and updates what depends on it, in one atomic statement. */
const ending = perForm(({ hasSnapshot, task, isWatched, hasCards }: EndForm) =>
  statement(
    [
      ...(['logId', 'fence', 'after', 'count', 'status', 'outcome', 'state', 'messages', ...batchNames] as const),
      ...(['taskId', 'taskStatus', 'taskError', 'watchTaskId', 'watchAgent', 'watchInMs', 'holdIds', 'cards'] as const),
      ...watchNames,
    ],
    (db, given) => {
      const { logId, fence, after, count, status, outcome, taskId } = given;
      const change = { taskId, status: given.taskStatus, ...(task === 'status' ? {} : { error: given.taskError }) };
      const reported = sql`, reported as (${statusUpdate(change, sql`taken`)})`;
      const watch = { ...given, taskId: given.watchTaskId, agent: given.watchAgent };
      const watched = sql`, watched as (${watchInsert(watch, given.watchInMs, sql`taken`)})`;
      return handWritten(
        db,
        sql`
          with taken as (
            update ${runs} set
              last_seq = last_seq + ${count}::integer, status = ${status}, ended_at = now(),
              outcome = coalesce(${outcome}::text, outcome)
            where log_id = ${logId}::bigint and fence = ${fence}::bigint and status = 'open' and ${isAfter(after)}
            returning log_id, last_seq, agent, thread_id, task_id
          ), written as (${insertBatches(given, afterTaken(count))})${hasSnapshot ? keptSnapshot(given) : sql``}${task === 'as it is' ? sql`` : reported}${
            isWatched ? watched : sql``
          }${hasCards ? shownCards(given) : sql``}
          select last_seq from taken`,
      );
    },
  ),
);

type How = Parameters<Tables['log']['end']>[3];

function ofSnapshot(snapshot: How['snapshot']): Record<'state' | 'messages', string | null> {
  if (snapshot === null) return { state: null, messages: null };
  const key = rowKey(snapshot.agent, snapshot.threadId);
  return {
    state: sealedText(JSON.stringify(snapshot.state), 'threads.state', key),
    messages: sealedText(JSON.stringify(snapshot.messages), 'threads.messages', key),
  };
}

function ofWatch(watch: How['watch'] = null) {
  const watched: Partial<Watch> = watch?.task ?? {};
  return {
    watchTaskId: watched.taskId,
    watchAgent: watched.agent,
    watchInMs: watch?.inMs,
    workflowId: watched.workflowId,
    firstExecutionRunId: watched.firstExecutionRunId,
    a2aTaskId: watched.a2aTaskId,
    kind: watched.kind,
    seen: watched.seen,
    watchVersion: watched.watchVersion,
  };
}

export function createRunEnd(
  db: Db,
  ends: LogEnds,
  changed: (topic: Topic, written?: Written) => void,
): Pick<Tables['log'], 'end'> {
  return {
    async end(logId, fence, added, how) {
      const { status, outcome, snapshot, task = null, watch = null, cards = [] } = how;
      const texts = added.map((event) => JSON.stringify(event));
      const end = ending({
        hasSnapshot: snapshot !== null,
        task: task === null ? 'as it is' : task.error === undefined ? 'status' : 'status and error',
        isWatched: watch !== null,
        hasCards: cards.length > 0,
      });
      const values = {
        logId,
        fence,
        status,
        count: added.length,
        outcome: outcome === null ? null : sealedText(JSON.stringify(outcome), 'runs.outcome', rowKey(logId)),
        ...ofSnapshot(snapshot),
        taskId: task?.taskId,
        taskStatus: task?.status,
        taskError: task === null ? null : sealedError(task.taskId, task.error ?? null),
        ...ofWatch(watch),
        holdIds: cards.map(({ holdId }) => holdId),
        cards: cards.map(({ holdId, card }) => sealedText(JSON.stringify(card), 'holds.card', rowKey(holdId))),
      };
      const row = await writeAtEnd({
        log: logId,
        ends,
        find: () => lastSeqOf(db, logId, fence),
        write: async (after) => (await end(db, { ...values, after, ...batchesOf(logId, after ?? 0, added, texts) }))[0],
      });
      if (row === null) throw new FencedError(`log ${logId} is ended, or belongs to a later writer than ${fence}`);
      changed(logTopic(logId), { firstSeq: Number(row['last_seq']) - texts.length + 1, texts, isLast: true });
      if (task !== null && isEndedStatus(task.status)) changed(endTopic(task.taskId));
      for (const { holdId } of cards) changed(holdTopic(holdId));
    },
  };
}

const keptSnapshot = ({ state, messages }: Record<'state' | 'messages', Placeholder>): SQL => sql`, kept as (
  update ${threads} thread set state = ${state}, messages = ${messages}
  from taken where thread.agent = taken.agent and thread.thread_id = taken.thread_id
)`;

const shownCards = ({ holdIds, cards }: Record<'holdIds' | 'cards', Placeholder>): SQL => sql`, shown as (
  update ${holds} set card = given.card, updated_at = now(), version = ${holds.version} + 1
  from taken, unnest(${textArray(holdIds)}, ${textArray(cards)}) as given (hold_id, card)
  where ${holds.holdId} = given.hold_id
)`;
