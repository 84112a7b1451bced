import { asc, eq } from 'drizzle-orm';
import { maxComments } from '../../contract/comment.ts';
import { canBeStored, type Db } from '../database/database.ts';
import type { Comments } from '../ports/comments.ts';
import { comments } from '../schema.ts';

export function createComments(db: Db): Comments {
  return {
    async add(comment) {
      const [row] = await db.insert(comments).values(comment).returning();
      if (!row) throw new Error('a comment was not written');
      return row;
    },
    async ofHold(holdId) {
      if (!canBeStored(holdId)) return [];
      return db
        .select()
        .from(comments)
        .where(eq(comments.holdId, holdId))
        .orderBy(asc(comments.commentId))
        .limit(maxComments);
    },
    async move(fromHoldId, toHoldId) {
      await db.update(comments).set({ holdId: toHoldId }).where(eq(comments.holdId, fromHoldId));
    },
  };
}
