import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../database/database.ts';
import { deputyEntry, passkeyEntry, type EvidenceEntry } from '../../evidence/record.ts';
import type { Personal, PersonalRow } from '../../ports/personal.ts';
import { personal } from '../../personal-schema.ts';
import { columnsToRead, sealedFor, sealedRow } from '../../sealed-rows.ts';
import { Unreadable } from '../../unreadable.ts';

export function createPersonal(db: Db, note: (entry: EvidenceEntry) => void): Personal {
  const isKey = ({ user, kind, name }: Pick<PersonalRow, 'user' | 'kind' | 'name'>): ReturnType<typeof and> =>
    and(eq(personal.user, user), eq(personal.kind, kind), eq(personal.name, name));
  const put: Personal['put'] = async (row) => {
    const { user, kind, name, value } = sealedRow(personal, row);
    await db
      .insert(personal)
      .values({ user, kind, name, value })
      .onConflictDoUpdate({
        target: [personal.user, personal.kind, personal.name],
        set: { value, savedAt: sql`clock_timestamp()` },
      });
  };
  return {
    put,
    async prefer(user, value, given) {
      await put({ user, kind: 'preferences', name: '', value });
      note(deputyEntry(user, value['away'] ?? null, given));
    },
    async change({ value, ...key }) {
      const changed = await db
        .update(personal)
        .set(sealedFor(personal, key, { value }))
        .where(isKey(key))
        .returning({ name: personal.name });
      return changed.length > 0;
    },
    async alone(user) {
      await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`personal ${user}`}, 0))`);
    },
    note: (event) => note(passkeyEntry(event)),
    async remove(key) {
      return (await db.delete(personal).where(isKey(key)).returning({ name: personal.name })).length > 0;
    },
    async list(kind, user) {
      const isTheirs = user === undefined ? undefined : eq(personal.user, user);
      const rows: PersonalRow[] = await db
        .select(columnsToRead(personal))
        .from(personal)
        .where(and(eq(personal.kind, kind), isTheirs))
        .orderBy(personal.savedAt, personal.user, personal.name);
      // What cannot be read costs its person a message, and no other person.
      return rows.filter(({ value }) => !(value instanceof Unreadable));
    },
  };
}
