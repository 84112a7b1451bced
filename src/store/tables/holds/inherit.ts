// What a question takes over from the one that it replaces: drafts, comments, snoozes, claim, reassignment requests, nudges.
import { eq, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../database/database.ts';
import { holdTopic } from '../../feeds/hold-feed.ts';
import type { Topic } from '../../feeds/waiters.ts';
import { drafts, holds, snoozes } from '../../schema.ts';
import { columnsToRead, readColumn, sealedFor, sealedRow } from '../../sealed-rows.ts';
import type { Tables } from '../../store.ts';
import { Unreadable } from '../../unreadable.ts';
import { createComments } from './hold-notes.ts';

export function createInheritance(db: Db, changed: (topic: Topic) => void): Pick<Tables['holds'], 'inherit'> {
  // Encrypted values are bound to their rows, so that they are read and written again for the heir.
  return {
    async inherit(holdId, fromHoldId) {
      // Drafts and claims made at the new hold are not replaced.
      const left = await db.delete(drafts).where(eq(drafts.holdId, fromHoldId)).returning(columnsToRead(drafts));
      const readable = left.filter(({ values }) => !(values instanceof Unreadable));
      if (readable.length > 0)
        await db
          .insert(drafts)
          .values(readable.map((draft) => sealedRow(drafts, { ...draft, holdId })))
          .onConflictDoNothing();
      const [source] = await db
        .select({ reassignAsks: readColumn(holds.reassignAsks) })
        .from(holds)
        .where(eq(holds.holdId, fromHoldId));
      const asks = source?.reassignAsks instanceof Unreadable ? [] : (source?.reassignAsks ?? []);
      const { reassignAsks } = sealedFor(holds, { holdId }, { reassignAsks: asks });
      await rowsOf(
        db,
        sql`
          with asleep as (
            update ${snoozes} set hold_id = ${holdId} where hold_id = ${fromHoldId}
          )
          update ${holds} heir set
            claim = case when heir.claimed_by is null then source.claim else heir.claim end,
            claimed_by = coalesce(heir.claimed_by, source.claimed_by),
            reassign_asks = case when heir.reassign_asks = '[]' then ${reassignAsks}::text else heir.reassign_asks end,
            nudges = case when heir.nudges = '[]' then source.nudges else heir.nudges end,
            updated_at = now(), version = heir.version + 1
          from ${holds} source
          where heir.hold_id = ${holdId} and source.hold_id = ${fromHoldId}
            and (heir.claimed_by is null and source.claimed_by is not null
              or heir.reassign_asks = '[]' and source.reassign_asks <> '[]'
              or heir.nudges = '[]' and source.nudges <> '[]')`,
      );
      await createComments(db).move(fromHoldId, holdId);
      changed(holdTopic(holdId));
    },
  };
}
