// Appends records at the end of the transaction that made the changes, in one statement: other writers wait for the
// lock on the chain's head until commit.
import type { HoldId } from '../../contract/base/id-types.ts';
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../database/database.ts';
import { handWritten, statement, textArray } from '../database/statement.ts';
import { chainHead, evidence, holds } from '../schema.ts';
import { firstHash } from './chain.ts';
import { rowHash } from './covered.ts';
import { alteredEntry, type EvidenceEntry } from './record.ts';

/** Inserts the head if it is missing: the chain is empty or was restored. */
export async function startChain(db: Db): Promise<void> {
  await db.execute(sql`
    insert into ${chainHead} (id, seq, hashes)
    select 1, coalesce(max(seq), 0), array[coalesce((select hash from ${evidence} order by seq desc limit 1), ${firstHash})]
    from ${evidence} on conflict (id) do nothing`);
}

const sha256 = (text: SQL): SQL => sql`encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

const append = statement(['holdIds', 'records', 'count'], (db, given) => {
  const count = sql`${given.count}::integer`;
  const before = sql`${chainHead}.seq`;
  const content = sql`concat_ws(E'\n', ${before} + entry.ord, (extract(epoch from entry.at) * 1000)::bigint,
    coalesce(entry.hold_id, ''), coalesce((${before} + entry.earlier)::text, entry.previous::text, ''),
    coalesce(entry.row_hash, ''), entry.record)`;
  return handWritten(
    db,
    sql`
      with given as (
        select nullif(hold_id, '') as hold_id, record, ord
        from unnest(${textArray(given.holdIds)}, ${textArray(given.records)}) with ordinality as listed(hold_id, record, ord)
      ), entry as materialized (
        select ord, hold_id, record, statement_timestamp()::timestamp(3) with time zone as at,
          (select ${rowHash} from ${holds} where hold_id = given.hold_id) as row_hash,
          (select max(seq) from ${evidence} earlier where earlier.hold_id = given.hold_id) as previous,
          (select max(ord) from given other where other.hold_id = given.hold_id and other.ord < given.ord) as earlier
        from given
      ), head as (
        insert into ${chainHead} (id, seq, hashes) values (1, 0, '{}')
        on conflict (id) do update set seq = ${before} + ${count}, hashes = (
          with recursive link(ord, hash) as (
            select 0::bigint, ${chainHead}.hashes[cardinality(${chainHead}.hashes)]
            union all
            select entry.ord, ${sha256(sql`link.hash || E'\n' || ${sha256(content)}`)}
            from link join entry on entry.ord = link.ord + 1
          ) select array_agg(hash order by ord) from link
        )
        returning seq - ${count} as seq, hashes
      )
      insert into ${evidence} (seq, at, hold_id, previous, row_hash, record, hash)
      select head.seq + ord, at, hold_id, coalesce(head.seq + earlier, previous), row_hash, record, hashes[ord + 1]
      from head, entry returning seq`,
  );
});

const lastHashes = statement(['holdIds'], (db, { holdIds }) =>
  handWritten(
    db,
    sql`
      select hold_id, (
        select row_hash from ${evidence} one where one.hold_id = asked.hold_id order by one.seq desc limit 1
      ) as row_hash
      from unnest(${textArray(holdIds)}) as asked(hold_id)`,
  ),
);

/** Returns the hash of each hold's row as its last record has it; null if the hold was removed. */
export async function recordedHashes(db: Db, holdIds: HoldId[]): Promise<Map<string, string | null>> {
  const rows = await lastHashes(db, { holdIds });
  return new Map(
    rows.map((row) => [String(row['hold_id']), row['row_hash'] === null ? null : String(row['row_hash'])]),
  );
}

/**
 * Records of the rows that differ from their last record before this change. Without them the change's own record would
 * vouch for what something else wrote. The caller holds the rows' locks.
 */
async function alteredBefore(
  entries: readonly EvidenceEntry[],
  recordedOf: (holdIds: HoldId[]) => Promise<Map<string, string | null>>,
): Promise<EvidenceEntry[]> {
  const found = new Map<HoldId, string | null>();
  // Of several changes of one hold in a transaction the first tells how it was before.
  for (const { holdId, rowBefore } of entries)
    if (holdId !== null && !found.has(holdId) && rowBefore !== undefined) found.set(holdId, rowBefore);
  for (const { holdId, rowBefore } of entries) if (holdId !== null && rowBefore === undefined) found.delete(holdId);
  if (found.size === 0) return [];
  const recorded = await recordedOf([...found.keys()]);
  return [...found]
    .filter(([holdId, hash]) => recorded.get(holdId) !== hash)
    .map(([holdId, hash]) => alteredEntry(holdId, { recorded: recorded.get(holdId) ?? null, found: hash }));
}

/** The changes of one transaction as they are made. */
interface NotedChanges {
  readonly entries: readonly EvidenceEntry[];
  note(entry: EvidenceEntry): void;
  /** Their records, with those of rows that something else had altered before. */
  records(): Promise<EvidenceEntry[]>;
}

/** What was recorded of the first row is asked for as it is noted, since most change one: it goes with the next statement. */
export function noteChanges(db: Db): NotedChanges {
  const entries: EvidenceEntry[] = [];
  let first: { holdId: HoldId; recorded: ReturnType<typeof recordedHashes> } | null = null;
  return {
    entries,
    note(entry) {
      entries.push(entry);
      const { holdId, rowBefore } = entry;
      if (first !== null || holdId === null || rowBefore === undefined) return;
      first = { holdId, recorded: recordedHashes(db, [holdId]) };
      // A commit waits for it; a transaction that fails has an error of its own.
      first.recorded.catch(() => undefined);
    },
    async records() {
      const known = first;
      const recordedOf = async (holdIds: HoldId[]): Promise<Map<string, string | null>> => {
        const others = holdIds.filter((holdId) => holdId !== known?.holdId);
        const read = others.length === 0 ? [] : await recordedHashes(db, others);
        return new Map([...((await known?.recorded) ?? []), ...read]);
      };
      return [...(await alteredBefore(entries, recordedOf)), ...entries];
    },
  };
}

/** Takes the end of the chain until the transaction is over. Sends its statement at once: a commit may follow it. */
export async function appendRecords(db: Db, all: readonly EvidenceEntry[]): Promise<void> {
  if (all.length === 0) return;
  const holdIds = all.map(({ holdId }) => holdId ?? '');
  const records = all.map(({ record }) => record);
  const added = await append(db, { holdIds, records, count: all.length });
  if (added.length !== all.length) throw new Error('the records of a change were not written');
}

export async function appendEvidence(db: Db, entries: readonly EvidenceEntry[]): Promise<void> {
  const altered = await alteredBefore(entries, (holdIds) => recordedHashes(db, holdIds));
  await appendRecords(db, [...altered, ...entries]);
}
