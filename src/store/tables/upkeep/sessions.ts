import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { rowsOf, type Db } from '../../database/database.ts';
import { sessions } from '../../personal-schema.ts';
import type { Tables } from '../../store.ts';

export function createSessions(db: Db): Tables['sessions'] {
  return {
    async open(session) {
      // Sign-ins are rare enough to delete expired sessions with each.
      await rowsOf(
        db,
        sql`delete from ${sessions} where token_hash in (
          select token_hash from ${sessions} where expires_at < clock_timestamp() for update skip locked
        )`,
      );
      await db.insert(sessions).values(session);
    },
    async get(tokenHash) {
      const isRunning = gt(sessions.expiresAt, sql`clock_timestamp()`);
      const [row] = await db
        .select()
        .from(sessions)
        .where(and(eq(sessions.tokenHash, tokenHash), isRunning));
      return row ?? null;
    },
    async extend(tokenHash, expiresAt) {
      const isRunning = gt(sessions.expiresAt, sql`clock_timestamp()`);
      await db
        .update(sessions)
        .set({ expiresAt })
        .where(and(eq(sessions.tokenHash, tokenHash), isRunning));
    },
    async byEmail(email) {
      const isTheirs = sql`lower(${sessions.principal}::json ->> 'email') = ${email.toLowerCase()}`;
      const isRunning = gt(sessions.expiresAt, sql`clock_timestamp()`);
      return db
        .select()
        .from(sessions)
        .where(and(isNull(sessions.keyHash), isTheirs, isRunning))
        .orderBy(sessions.endsBy);
    },
    async closeOf({ subject, sid }) {
      if (subject === null && sid === null) return [];
      const ended = await db
        .delete(sessions)
        .where(
          and(
            isNull(sessions.keyHash),
            subject === null ? undefined : eq(sessions.subject, subject),
            sid === null ? undefined : eq(sessions.sid, sid),
          ),
        )
        .returning({ tokenHash: sessions.tokenHash });
      return ended.map(({ tokenHash }) => tokenHash);
    },
    async close(tokenHash) {
      await db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
    },
  };
}
