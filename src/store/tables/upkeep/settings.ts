import { and, eq, sql, type SQL } from 'drizzle-orm';
import { type Db, rowsOf } from '../../database/database.ts';
import { workers } from '../../circuit-schema.ts';
import { settings } from '../../schema.ts';
import { levelFigures } from '../../../core/turn/levels.ts';
import { addSlots } from '../../../core/turn/slots.ts';
import type { Tables } from '../../store.ts';

export function createSettings(db: Db): Tables['settings'] {
  async function get(name: string): Promise<string | null> {
    const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, name));
    return row?.value ?? null;
  }

  return {
    get,
    async namesWith(prefix) {
      const rows = await db
        .select({ name: settings.name })
        .from(settings)
        .where(sql`starts_with(${settings.name}, ${prefix})`)
        .orderBy(settings.name);
      return rows.map(({ name }) => name);
    },
    async put(name, value) {
      await db.insert(settings).values({ name, value }).onConflictDoUpdate({ target: settings.name, set: { value } });
    },
    async take(name, forMs, what) {
      const now = sql`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`;
      const until = sql`split_part(${settings.value}, ' ', 1)::bigint`;
      const rows = await rowsOf(
        db,
        sql`
          insert into ${settings} (name, value) values (${name}, (${now} + ${forMs}::bigint) || ' ' || ${what}::text)
          on conflict (name) do update set value = excluded.value
          where ${until} <= ${now} or split_part(${settings.value}, ' ', 2) <> ${what}::text
          returning name`,
      );
      return rows.length > 0;
    },
    async putOnce(name, value) {
      // The insert waits for a concurrent one of the same name, so the read after it finds that value.
      const [written] = await db.insert(settings).values({ name, value }).onConflictDoNothing().returning();
      const stored = written?.value ?? (await get(name));
      if (stored === null) throw new Error(`setting ${name} vanished while it was put`);
      return stored;
    },
  };
}

export function createWorkers(db: Db): Tables['workers'] {
  const isAlive = (withinMs: number): SQL =>
    sql`${workers.heartbeatAt} > clock_timestamp() - ${withinMs}::float8 * interval '1 millisecond'`;
  const count = (where: SQL | undefined): Promise<number> => db.$count(workers, where);
  return {
    async heartbeat(workerId, slots, levels = null, reachesTemporal = true) {
      // Locked rows are skipped, so that workers deleting the same row do not wait for each other.
      const [row] = await rowsOf(
        db,
        sql`
          with dead as (
            select worker_id from ${workers}
            where heartbeat_at < clock_timestamp() - interval '1 minute' and worker_id <> ${workerId}
            for update skip locked
          ), dropped as (
            delete from ${workers} where worker_id in (select worker_id from dead)
          )
          insert into ${workers} (worker_id, heartbeat_at, slots, levels, reaches_temporal)
          values (
            ${workerId}, clock_timestamp(), ${slots === undefined ? null : JSON.stringify(slots)},
            ${levels === null ? null : JSON.stringify(levels)}, ${reachesTemporal}
          )
          on conflict (worker_id) do update set heartbeat_at = excluded.heartbeat_at, slots = excluded.slots,
            levels = coalesce(excluded.levels, ${workers.levels}), reaches_temporal = excluded.reaches_temporal
          returning (select count(*) from dead) as dead`,
      );
      return Number(row?.['dead'] ?? 0);
    },
    async sinceHeartbeatMs() {
      const [row] = await rowsOf(
        db,
        sql`select extract(epoch from clock_timestamp() - max(heartbeat_at)) * 1000 as age_ms from ${workers}`,
      );
      const age = row?.['age_ms'] ?? null;
      return age === null ? null : Math.max(0, Math.round(Number(age)));
    },
    alive: (withinMs) => count(isAlive(withinMs)),
    reachingTemporal: (withinMs) => count(and(isAlive(withinMs), workers.reachesTemporal)),
    async slots(withinMs) {
      const rows = await db.select({ slots: workers.slots }).from(workers).where(isAlive(withinMs));
      return addSlots(rows.flatMap(({ slots }) => (slots === null ? [] : [slots])));
    },
    async levels(withinMs) {
      const rows = await db.select({ levels: workers.levels }).from(workers).where(isAlive(withinMs));
      return levelFigures(rows.flatMap(({ levels }) => (levels === null ? [] : [levels])));
    },
    async leave(workerId) {
      await db.delete(workers).where(eq(workers.workerId, workerId));
    },
  };
}
