import type { HoldId } from '../../contract/base/id-types.ts';
import { eq, max, min, sql } from 'drizzle-orm';
import { canonicalJson } from '../../core/base/json.ts';
import type { Database, Db } from '../database/database.ts';
import {
  ChainRewrittenError,
  type Evidence,
  type EvidenceLine,
  type EvidenceRange,
  type UnprovedIn,
} from '../ports/evidence.ts';
import { chainHead, evidence, settings } from '../schema.ts';
import { appendEvidence } from './append.ts';
import { checkHold } from './check-hold.ts';
import { contentHash, isSigned, type StoredRecord } from './chain.ts';
import { configuredEntry, rebuiltEntry } from './record.ts';
import { boundsOf, columnsOfHold, hashBefore, hashOf, recordsFrom } from './read.ts';
import { isGivenUp, restoresIn } from './restored.ts';
import { changedAfter, type FaultsOfRows, readHead, verifyEvidence } from './verify.ts';
import { momentText } from './moment.ts';

/** The evidence interface; every call runs in a transaction of its own, inside `guarded`. */
export function createEvidence(
  database: Database,
  guarded: <T>(call: () => Promise<T>) => Promise<T>,
  faultsOfRows: (unprovedIn: UnprovedIn) => FaultsOfRows,
): Evidence {
  const inSnapshot = <T>(read: (db: Db) => Promise<T>): Promise<T> =>
    guarded(() =>
      database.transaction(async (db) => {
        await db.execute(sql`set transaction isolation level repeatable read, read only`);
        return read(db);
      }),
    );
  return {
    verify: (range, heads = [], unprovedIn = () => []) =>
      inSnapshot((db) => verifyEvidence(db, range, heads, faultsOfRows(unprovedIn))),
    check: (holdId) => guarded(() => database.transaction((db) => checkHold(db, holdId))),
    export: (of, write) =>
      inSnapshot(async (db) => {
        const lines = 'holdId' in of ? linesOfHold(db, of.holdId) : linesOfRange(db, of);
        for await (const line of lines) write(line);
      }),
    sign: (signed, last = null) =>
      guarded(() =>
        database.transaction(async (db) => {
          await db.select().from(chainHead).where(eq(chainHead.id, 1)).for('update');
          // Read after the lock, so that the chain cannot grow until commit.
          const end = await readHead(db);
          const isContained = last === null || (await hashOf(db, last.seq)) === last.hash;
          if (!isContained && !isGivenUp(last, await restoresIn(db)))
            throw new ChainRewrittenError(`the evidence does not contain record ${last.seq} as it was signed`);
          const [newest] = await db.select({ record: evidence.record }).from(evidence).where(eq(evidence.seq, end.seq));
          if (newest === undefined || isSignature(newest.record)) return null;
          const head = signed(end);
          const at = momentText();
          await appendEvidence(db, [{ holdId: null, record: canonicalJson({ kind: 'signed', at, ...head }) }]);
          return head;
        }),
      ),
    rebuilt: (given) => guarded(() => database.transaction((db) => appendEvidence(db, [rebuiltEntry(given)]))),
    configured: ({ at, file, sections }) =>
      guarded(() =>
        database.transaction(async (db) => {
          // Processes that start together with the same file write one record.
          await db.select().from(chainHead).where(eq(chainHead.id, 1)).for('update');
          const [kept] = await db.select().from(settings).where(eq(settings.name, configuredName));
          const value = canonicalJson({ file, sections });
          if (kept?.value === value) return false;
          await db
            .insert(settings)
            .values({ name: configuredName, value })
            .onConflictDoUpdate({ target: settings.name, set: { value } });
          await appendEvidence(db, [configuredEntry({ at, file, sections }, changedSections(kept?.value, sections))]);
          return true;
        }),
      ),
    stateRestore: (head) =>
      guarded(() =>
        database.transaction(async (db) => {
          await db.select().from(chainHead).where(eq(chainHead.id, 1)).for('update');
          const end = await readHead(db);
          if (end.seq !== head.seq || end.hash !== head.hash || !isSigned(head)) return end;
          const at = momentText();
          await appendEvidence(db, [{ holdId: null, record: canonicalJson({ kind: 'signed', at, ...head }) }]);
          return end;
        }),
      ),
  };
}

const configuredName = 'configured';

function changedSections(before: string | undefined, sections: Record<string, string>): string[] {
  // Safe: only the record before wrote it.
  const old = before === undefined ? {} : (JSON.parse(before) as { sections: Record<string, string> }).sections;
  return [...new Set([...Object.keys(old), ...Object.keys(sections)])]
    .filter((name) => old[name] !== sections[name])
    .toSorted();
}

const isSignature = (record: string): boolean => (JSON.parse(record) as { kind: unknown }).kind === 'signed';

async function* linesOfRange(db: Db, range: EvidenceRange): AsyncGenerator<EvidenceLine, void> {
  const bounds = await boundsOf(db, range);
  if (bounds === null) return;
  const { first, last } = bounds;
  yield { type: 'start', seq: first - 1, hash: await hashBefore(db, first) };
  const recorded = new Set<string>();
  for await (const record of recordsFrom(db, first, last)) {
    if (record.holdId !== null) recorded.add(record.holdId);
    yield lineOf(record);
  }
  // The row hash of a record is valid until the hold's next record.
  for (const holdId of await changedAfter(db, last)) recorded.delete(holdId);
  for (const holdId of recorded) yield* rowLine(db, holdId);
}

/** The hold's records in full and those between by hash, up to the first signature after its last record. */
async function* linesOfHold(db: Db, holdId: HoldId): AsyncGenerator<EvidenceLine, void> {
  const [found] = await db
    .select({ first: min(evidence.seq), last: max(evidence.seq) })
    .from(evidence)
    .where(eq(evidence.holdId, holdId));
  const { first, last } = found ?? { first: null, last: null };
  if (first === null || last === null) return;
  yield { type: 'start', seq: first - 1, hash: await hashBefore(db, first) };
  const end = await readHead(db);
  for await (const record of recordsFrom(db, first, end.seq)) {
    const isShown = record.holdId === null || record.holdId === holdId;
    yield isShown ? lineOf(record) : { type: 'link', seq: record.seq, content: contentHash(record) };
    if (record.seq > last && record.holdId === null && isSignature(record.record)) break;
  }
  yield* rowLine(db, holdId);
}

const lineOf = ({ seq, atMs, holdId, previous, rowHash, record, hash }: StoredRecord): EvidenceLine => ({
  type: 'record',
  seq,
  at: new Date(atMs).toISOString(),
  hold: holdId,
  previous,
  row: rowHash,
  record,
  hash,
});

async function* rowLine(db: Db, holdId: HoldId): AsyncGenerator<EvidenceLine, void> {
  const columns = await columnsOfHold(db, holdId);
  if (columns !== null) yield { type: 'hold', hold: holdId, columns };
}
