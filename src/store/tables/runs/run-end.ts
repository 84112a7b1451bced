import { sql, type SQL } from 'drizzle-orm';
import { isEndedStatus } from '../../../contract/tasks/task.ts';
import { listParam, rowsOf, type Db } from '../../database/database.ts';
import type { Written } from '../../feeds/fresh-entries.ts';
import { holdTopic } from '../../feeds/hold-feed.ts';
import { endTopic, logTopic, type Topic } from '../../feeds/waiters.ts';
import type { RunEnd } from '../../ports/event-log.ts';
import { events, holds, runs, threads } from '../../schema.ts';
import { sealedText } from '../../sealed-columns.ts';
import { FencedError, type Tables } from '../../store.ts';
import { statusUpdate } from '../tasks/task-status.ts';
import { watchInsert } from '../tasks/watches.ts';

/** One statement for what stands or falls together: the last entries, the end, and all that is known from it on. */
export function createRunEnd(db: Db, changed: (topic: Topic, written?: Written) => void): Pick<Tables['log'], 'end'> {
  return {
    async end(logId, fence, added, how) {
      const { status, outcome, snapshot, task = null, watch = null, cards = [] } = how;
      const texts = added.map((event) => JSON.stringify(event));
      const types = added.map((event) => event.type);
      const [row] = await rowsOf(
        db,
        sql`
          with taken as (
            update ${runs} set
              last_seq = last_seq + ${added.length}::integer, status = ${status}, ended_at = now(),
              outcome = coalesce(${outcome === null ? null : sealedText(JSON.stringify(outcome))}::text, outcome)
            where log_id = ${logId}::bigint and fence = ${fence}::bigint and status = 'open'
            returning last_seq, agent, thread_id, task_id
          ), written as (
            insert into ${events} (log_id, seq, type, event)
            select ${logId}::bigint, taken.last_seq - ${added.length}::integer + entry.n, entry.type, entry.event
            from taken, unnest(${listParam(types, 'text')}, ${listParam(texts.map(sealedText), 'text')})
              with ordinality as entry (type, event, n)
          )${snapshot === null ? sql`` : keptSnapshot(snapshot)}${
            task === null ? sql`` : sql`, told as (${statusUpdate(task.taskId, task, sql`taken`)})`
          }${watch === null ? sql`` : sql`, watched as (${watchInsert(watch.task, watch.inMs, sql`taken`)})`}${
            cards.length === 0 ? sql`` : shownCards(cards)
          }
          select last_seq from taken`,
      );
      if (!row) throw new FencedError(`log ${logId} is ended, or belongs to a later writer than ${fence}`);
      changed(logTopic(logId), { firstSeq: Number(row['last_seq']) - texts.length + 1, texts, isLast: true });
      if (task !== null && isEndedStatus(task.status)) changed(endTopic(task.taskId));
      for (const { holdId } of cards) changed(holdTopic(holdId));
    },
  };
}

const keptSnapshot = ({ state, messages }: NonNullable<RunEnd['snapshot']>): SQL => sql`, kept as (
  update ${threads} thread set state = ${sealedText(JSON.stringify(state))}, messages = ${sealedText(JSON.stringify(messages))}
  from taken where thread.agent = taken.agent and thread.thread_id = taken.thread_id
)`;

const shownCards = (cards: NonNullable<RunEnd['cards']>): SQL => {
  const ids = cards.map(({ holdId }) => holdId);
  const contents = cards.map(({ card }) => sealedText(JSON.stringify(card)));
  return sql`, shown as (
    update ${holds} set card = given.card, updated_at = now(), version = ${holds.version} + 1
    from taken, unnest(${listParam(ids, 'text')}, ${listParam(contents, 'text')}) as given (hold_id, card)
    where ${holds.holdId} = given.hold_id
  )`;
};
