import { createHash } from 'node:crypto';
import { and, eq, ne } from 'drizzle-orm';
import { isAnyOf, type Db } from '../../database/database.ts';
import { sentMessages } from '../../schema.ts';
import type { Tables } from '../../store.ts';

/** Hashes a message id, whose length is not limited, to 32 hex digits. */
export const messageKeyOf = (messageId: string): string =>
  createHash('sha256').update(messageId).digest('hex').slice(0, 32);

export function createSentMessages(db: Db): Tables['sent'] {
  return {
    async known({ agent, threadId, runId }, messageIds) {
      if (messageIds.length === 0) return [];
      const rows = await db
        .select({ messageKey: sentMessages.messageKey })
        .from(sentMessages)
        .where(
          and(
            eq(sentMessages.agent, agent),
            eq(sentMessages.threadId, threadId),
            // One array parameter, since a conversation may have more messages than a statement may have parameters.
            isAnyOf(sentMessages.messageKey, messageIds.map(messageKeyOf)),
            // A repeated run must send the same messages again.
            ne(sentMessages.runId, runId),
          ),
        );
      const keys = new Set(rows.map((row) => row.messageKey));
      return messageIds.filter((id) => keys.has(messageKeyOf(id)));
    },
    async mark({ agent, threadId, runId }, messageIds) {
      if (messageIds.length === 0) return;
      const rows = [...new Set(messageIds.map(messageKeyOf))].map((messageKey) => ({
        agent,
        threadId,
        messageKey,
        runId,
      }));
      await db.insert(sentMessages).values(rows).onConflictDoNothing();
    },
  };
}
