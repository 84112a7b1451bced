import { AsyncLocalStorage } from 'node:async_hooks';
import type { PGlite } from '@electric-sql/pglite';
import { getTableName, sql } from 'drizzle-orm';
import { createAgents } from './tables/tasks/agents.ts';
import { createGrants } from './tables/holds/grants.ts';
import { createCircuits } from './tables/tasks/circuits.ts';
import { createCallers } from './tables/tasks/callers.ts';
import { createGateCalls, createGateTools } from './tables/tasks/gates.ts';
import { listParam, openPglite, openPostgres, rowsOf, usePglite, type Database, type Db } from './database/database.ts';
import { keyIdsInUse } from './database/key-ids.ts';
import type { StoreLog } from './database/migrate.ts';
import { discardOld } from './tables/upkeep/discard.ts';
import { createComments, createDrafts, createSnoozes } from './tables/holds/hold-notes.ts';
import { createEngramRuns } from './tables/runs/engram-runs.ts';
import { createDeliveries } from './tables/upkeep/deliveries.ts';
import { createPersonal } from './tables/upkeep/personal.ts';
import { createLinks } from './tables/upkeep/links.ts';
import { appendRecords, noteChanges, startChain } from './evidence/append.ts';
import { faultsOfRows } from './tables/holds/row-faults.ts';
import { createEvidence } from './evidence/evidence.ts';
import type { EvidenceEntry } from './evidence/record.ts';
import { createErasure } from './tables/upkeep/erase.ts';
import { createEventLog } from './log/event-log.ts';
import { createSettings, createWorkers } from './tables/upkeep/settings.ts';
import { compactRuns } from './log/compact.ts';
import { createLogEnds, type LogEnds } from './log/log-ends.ts';
import { createHolds } from './tables/holds/holds.ts';
import type { QuestionEvent } from './ports/upkeep.ts';
import type { RecordedWrite } from './tables/holds/recorded-writes.ts';
import { createIntake } from './tables/runs/intake.ts';
import { createIntents } from './tables/runs/intents.ts';
import { createChangeFeeds } from './feeds/changes.ts';
import { operationFigures } from './database/figures.ts';
import { probe } from './database/probes.ts';
import { plainError, startError, wrapTables } from './database/plain-errors.ts';
import { createStatistics } from './tables/upkeep/statistics.ts';
import { createRunEnd } from './tables/runs/run-end.ts';
import { createRuns, createThreads } from './tables/runs/runs.ts';
import * as callerSchema from './caller-schema.ts';
import { engramRuns } from './engram-schema.ts';
import { gateCalls, gateTools } from './gate-schema.ts';
import { personal, sessions } from './personal-schema.ts';
import * as schema from './schema.ts';
import { useColumnKeys, type ColumnKeys } from './sealed-columns.ts';
import { useClock } from './evidence/moment.ts';
import { scanSealed } from './tables/upkeep/scan-sealed.ts';
import { onUnreadable, unreadableRows } from './unreadable.ts';
import { createSeals } from './tables/upkeep/seals.ts';
import type { Store, Tables } from './store.ts';
import { createSentMessages } from './tables/runs/sent-messages.ts';
import { createSessions } from './tables/upkeep/sessions.ts';
import { createTails } from './log/tail.ts';
import { shareReads } from './database/shared-reads.ts';
import { createAttachments } from './tables/runs/attachments.ts';
import { createTasks } from './tables/tasks/tasks.ts';
import { type News, type Topic } from './feeds/waiters.ts';

interface StoreOptions {
  /** PostgreSQL connection string; without it PGlite is used. */
  databaseUrl?: string;
  /** PGlite's directory; in memory if missing. */
  dataDir?: string;
  /** An open PGlite to use instead of a directory; closed with the store. */
  pglite?: PGlite;
  log?: StoreLog;
  /** Keys that encrypt text of people and agents. */
  keys?: ColumnKeys | null;
  /** Called for every change of a question once it is committed. */
  onEvent?: (event: QuestionEvent) => void;
  /** Dates what the store records of itself; the machine's clock if missing. */
  now?: () => Date;
}

/** Opens and migrates the database; throws StoreUnavailableError if it cannot be reached. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const log = options.log ?? (() => undefined);
  if (options.keys !== undefined) useColumnKeys(options.keys);
  useClock(options.now);
  onUnreadable((row) => log('error', 'a row cannot be read, or is not as it was written', row));
  const database =
    options.databaseUrl === undefined
      ? await usePglite(options.pglite ?? (await openPglite(options.dataDir)), log)
      : await openPostgres(options.databaseUrl, log);
  try {
    await startChain(database.db);
  } catch (error) {
    await database.close();
    throw startError(database.address, error);
  }
  return buildStore(database, log, options.onEvent ?? (() => undefined));
}

function buildStore(database: Database, log: StoreLog, onEvent: (event: QuestionEvent) => void): Store {
  const { db, kind } = database;
  const { waiters, changed, listen, isListening, followHolds, close } = createChangeFeeds(database, log);
  const ends = createLogEnds();
  let closing: Promise<void> | null = null;

  const inside = new AsyncLocalStorage<{ isRunning: boolean }>();
  async function outside<T>(call: () => Promise<T>): Promise<T> {
    // With PGlite's one connection this would deadlock.
    if (inside.getStore()?.isRunning) throw new Error('inside a transaction use the tables it was given');
    try {
      return await call();
    } catch (error) {
      throw plainError(error);
    }
  }

  const noEvidence = (): never => {
    throw new Error('a change that the chain tells of is written in a transaction');
  };
  const tables = sharedByReaders(
    createTables({ db, ends, isInTransaction: false }, (topic, news) => changed([topic], news), noEvidence),
  );
  const { runs, callers } = tables;
  const tails = createTails({ db, waiters, runs, callers, onFollow: listen, isListening, log });

  const tx = <T>(work: (tables: Tables) => Promise<T>): Promise<T> =>
    outside(async () => {
      const touched = new Map<Topic, News[] | null>();
      // Collects what readers in this process get once it is committed; null for a topic that they must read.
      const touch = (topic: Topic, news?: News): void => {
        const before = touched.get(topic) ?? (touched.has(topic) ? null : []);
        touched.set(topic, news === undefined || before === null ? null : [...before, news]);
      };
      const state = { isRunning: true };
      let noted: readonly EvidenceEntry[] = [];
      let records: EvidenceEntry[] = [];
      const all = async (inTx: Db): Promise<T> => {
        const changes = noteChanges(inTx);
        noted = changes.entries;
        const written = createTables({ db: inTx, ends, isInTransaction: true }, touch, (entry) => changes.note(entry));
        const value = await work(wrapTables(written, (call) => call()));
        records = await changes.records();
        return value;
      };
      try {
        const result = await inside.run(state, () =>
          // Last, since it locks the end of the chain until commit.
          database.transaction(all, (inTx) => appendRecords(inTx, records)),
        );
        for (const { event } of noted) if (event !== undefined) onEvent(event);
        for (const [topic, writes] of touched) for (const news of writes ?? [undefined]) changed([topic], news);
        return result;
      } finally {
        state.isRunning = false;
      }
    });
  const { holds, grants, ...others } = wrapTables(tables, outside);

  return {
    ...others,
    holds: { ...holds, ...recorded(tx) },
    grants: { ...grants, ...recordedGrants(tx) },
    evidence: createEvidence(database, outside, faultsOfRows),
    ...tails,
    kind,
    tx,
    holdChanges(signal) {
      listen();
      return followHolds(signal);
    },
    discard: (draftsOlderThanMs, limit) => outside(() => discardOld(db, draftsOlderThanMs, limit)),
    compact: (olderThanMs, limit) => outside(() => compactRuns(database, olderThanMs, limit)),
    bytes: () => outside(() => bytesOf(db)),
    figures: () => outside(() => operationFigures(db)),
    ping: () => outside(async () => void (await rowsOf(db, sql`select 1`))),
    unreadable: unreadableRows,
    scan: () => outside(() => scanSealed(db)),
    keyIds: () => outside(() => keyIdsInUse(db)),
    probe: (part) =>
      outside(() => (part === 'write' ? database.transaction((inTx) => probe(inTx, part)) : probe(db, part))),
    close() {
      closing ??= (async () => {
        tails.close();
        await close();
        await database.close();
      })();
      return closing;
    },
  };
}

/** What every reader of a thread's stream asks for as it comes: thousands may come back in one moment. */
function sharedByReaders({ threads, runs, holds, ...others }: Tables): Tables {
  return {
    ...others,
    threads: { ...threads, get: shareReads(threads.get) },
    runs: { ...runs, newest: shareReads(runs.newest) },
    holds: { ...holds, byInterrupt: shareReads(holds.byInterrupt) },
  };
}

/** Runs the recorded writes of holds each in its own transaction, for calls outside one. */
function recorded(tx: Store['tx']): Pick<Tables['holds'], RecordedWrite> {
  return {
    putOnce: (...given) => tx((tables) => tables.holds.putOnce(...given)),
    close: (...given) => tx((tables) => tables.holds.close(...given)),
    amend: (...given) => tx((tables) => tables.holds.amend(...given)),
    step: (...given) => tx((tables) => tables.holds.step(...given)),
  };
}

/** The same of standing grants. */
const recordedGrants = (tx: Store['tx']): Pick<Tables['grants'], 'put' | 'give' | 'end'> => ({
  put: (...given) => tx((tables) => tables.grants.put(...given)),
  give: (...given) => tx((tables) => tables.grants.give(...given)),
  end: (...given) => tx((tables) => tables.grants.end(...given)),
});

function createTables(
  { db, ends, isInTransaction }: { db: Db; ends: LogEnds; isInTransaction: boolean },
  changed: (topic: Topic, news?: News) => void,
  note: (entry: EvidenceEntry) => void,
): Tables {
  return {
    threads: createThreads(db),
    intake: createIntake(db),
    sent: createSentMessages(db),
    runs: createRuns(db, ends, changed),
    log: { ...createEventLog(db, ends, changed), ...createRunEnd(db, ends, changed) },
    tasks: createTasks(db, isInTransaction, changed),
    holds: createHolds(db, changed, note),
    intents: createIntents(db),
    agents: createAgents(db),
    circuits: createCircuits(db),
    statistics: createStatistics(db),
    attachments: createAttachments(db),
    erasure: createErasure(db, changed, note),
    callers: createCallers(db, ends, changed),
    drafts: createDrafts(db),
    grants: createGrants(db, note),
    engramRuns: createEngramRuns(db),
    gateCalls: createGateCalls(db),
    gateTools: createGateTools(db),
    deliveries: createDeliveries(db),
    personal: createPersonal(db, note),
    links: createLinks(db),
    snoozes: createSnoozes(db),
    comments: createComments(db),
    sessions: createSessions(db),
    seals: createSeals(db),
    settings: createSettings(db),
    workers: createWorkers(db),
  };
}

async function bytesOf(db: Db): Promise<number> {
  const names = Object.values({ ...schema, ...callerSchema, engramRuns, gateCalls, gateTools, personal, sessions }).map(
    (table) => getTableName(table),
  );
  const [row] = await rowsOf(
    db,
    sql`select sum(pg_total_relation_size(name::regclass)) as bytes from unnest(${listParam(names, 'text')}) name`,
  );
  return Number(row?.['bytes'] ?? 0);
}
