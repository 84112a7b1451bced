// The live inbox: one query for what changes for the whole process, sent to each reader as far as they may see it.
import { randomUUID } from 'node:crypto';
import type { AguiEvent } from '../../contract/tasks/run.ts';
import type { InboxCounts, InboxEvents } from '../../contract/views/inbox.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { entriesOf, isOperator, maySee } from '../../core/policy/audience.ts';
import { principalNow } from '../../core/policy/delegates.ts';
import type { HoldRow, Store } from '../../store/store.ts';
import type { ApiDeps } from '../api-deps.ts';
import type { StreamItem } from '../http/formats.ts';
import { holdRowViewOf } from '../holds/hold-line.ts';
import { holdPages } from '../holds/hold-pages.ts';
import { countInbox } from './inbox-views.ts';

interface InboxReader {
  principal: Principal;
}

export interface InboxFeed {
  /** Events for one reader until the signal aborts, or they read too slowly. */
  follow(reader: InboxReader, signal: AbortSignal): AsyncGenerator<StreamItem[]>;
  close(): void;
}

type Deps = Pick<ApiDeps, 'store' | 'config' | 'now' | 'log'> & { build: string };

interface Reader extends InboxReader {
  /** What they have not taken yet; of one hold the newest alone. */
  waiting: Map<string, AguiEvent>;
  counts: string;
  isOver: boolean;
  wake: () => void;
}

const countsEveryMs = 1_000;
/** How late a reminder may come. */
const snoozeCheckMs = 5_000;
/** A reader with so many unread holds is dropped: reading the list again is cheaper. */
const maxWaiting = 2_000;
const readAtOnce = 100;
const retryMs = 1_000;

const lingerMs = 30_000;

function eventOf<K extends keyof InboxEvents>(type: K, data: InboxEvents[K]): AguiEvent {
  // Safe: rows, counts and greetings are plain JSON.
  return { type, data: data };
}

/** The row for those who may see it; `gone` for those who saw it before. */
function eventFor(
  principal: Principal,
  row: HoldRow,
  before: AskedBefore | null,
  context: Parameters<typeof holdRowViewOf>[2],
): AguiEvent | null {
  const { holdId: id, version, owner } = row;
  if (maySee(row, principal, owner))
    return eventOf('hold', { id, version, row: holdRowViewOf(row, principal, context) });
  return before !== null && maySee(before, principal, owner) ? eventOf('gone', { id, version }) : null;
}

/** The readers of this process, and what they are sent. */
interface Feed extends Deps {
  readers: Set<Reader>;
  /** Begins the ids of events, which count `items`. */
  prefix: string;
  items: number;
  seen: LastSeen;
  countsTimer: NodeJS.Timeout | null;
}

export function createInboxFeed(deps: Deps): InboxFeed {
  const prefix = randomUUID().slice(0, 8);
  const feed: Feed = { ...deps, readers: new Set(), prefix, items: 0, seen: createLastSeen(), countsTimer: null };
  const listening = createLingering((signal) => startListening(feed, signal), lingerMs);
  return {
    follow: (reader, signal) => follow(feed, listening, reader, signal),
    close() {
      if (feed.countsTimer !== null) clearTimeout(feed.countsTimer);
      listening.close();
    },
  };
}

async function* follow(
  feed: Feed,
  listening: Lingering,
  { principal }: InboxReader,
  signal: AbortSignal,
): AsyncGenerator<StreamItem[]> {
  const waiting = new Map([['hello', hello(feed)]]);
  const reader: Reader = { principal, waiting, counts: '', isOver: signal.aborted, wake: () => undefined };
  const stop = (): void => {
    reader.isOver = true;
    reader.wake();
  };
  signal.addEventListener('abort', stop, { once: true });
  feed.readers.add(reader);
  listening.join();
  countSoon(feed);
  try {
    while (!reader.isOver) {
      const events = [...reader.waiting.values()];
      reader.waiting.clear();
      if (events.length > 0) yield events.map((event) => ({ event, id: `${feed.prefix}:${(feed.items += 1)}` }));
      else await woken(reader);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    feed.readers.delete(reader);
    listening.leave();
  }
}

const hello = ({ now, build }: Feed): AguiEvent => eventOf('hello', { now: now().toISOString(), build });

const presentOf = ({ config, now }: Feed, reader: InboxReader): Principal =>
  principalNow(config, reader.principal, now());

function put(reader: Reader, key: string, event: AguiEvent): void {
  reader.waiting.set(key, event);
  if (reader.waiting.size > maxWaiting) reader.isOver = true;
  reader.wake();
}

function greetAll(feed: Feed): void {
  for (const reader of feed.readers) put(reader, 'hello', hello(feed));
}

function startListening(feed: Feed, signal: AbortSignal): void {
  const { store, log } = feed;
  // The snooze of a reader is over: the row is sent again.
  const wakeSnoozed = async (): Promise<void> => store.holds.touch(await store.snoozes.takeDue());
  const timer = setInterval(() => {
    wakeSnoozed().catch((error: unknown) => log.warn({ err: error }, 'reminders of questions failed'));
  }, snoozeCheckMs);
  timer.unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  feed.seen = createLastSeen();
  void listen(feed, signal);
}

async function listen(feed: Feed, signal: AbortSignal): Promise<void> {
  const { store, log } = feed;
  while (!signal.aborted) {
    try {
      const changes = store.holdChanges(signal);
      const filled = feed.seen.fill(store, signal);
      filled.catch((error: unknown) => log.warn({ err: error }, 'open holds could not be listed'));
      for await (const ids of changes) {
        if (ids === 'gap') greetAll(feed);
        else await publishChanged(feed, ids);
        countSoon(feed);
      }
      if (!signal.aborted) await pause(retryMs, signal);
    } catch (error) {
      log.warn({ err: error }, 'changes of holds cannot be followed just now');
      await pause(retryMs, signal);
    }
    // What happened in between is read again.
    if (!signal.aborted) greetAll(feed);
  }
}

async function publishChanged(feed: Feed, ids: string[]): Promise<void> {
  const { store, readers } = feed;
  for (let from = 0; from < ids.length; from += readAtOnce) {
    // By one query: where changes and readers share a connection, one each would come later and later.
    const rows = await store.holds.many(ids.slice(from, from + readAtOnce));
    const titles = await store.tasks.titles(rows.map(({ taskId }) => taskId));
    const people = new Set([...readers].map(({ principal }) => principal.id));
    const snoozes = await snoozesOf(store, [...people], rows);
    for (const row of rows) publishRow(feed, row, titles.get(row.taskId) ?? '', snoozes);
  }
}

function publishRow(
  feed: Feed,
  row: HoldRow,
  request: string,
  snoozes: ReadonlyMap<string, ReadonlyMap<string, string>>,
): void {
  const before = feed.seen.replace(row);
  for (const reader of feed.readers) {
    const principal = presentOf(feed, reader);
    const now = feed.now().toISOString();
    const snoozedUntil = snoozes.get(principal.id)?.get(row.holdId);
    const event = eventFor(principal, row, before, { request, snoozedUntil, now });
    if (event !== null) put(reader, row.holdId, event);
  }
}

function countSoon(feed: Feed): void {
  if (feed.countsTimer !== null) return;
  feed.countsTimer = setTimeout(() => {
    feed.countsTimer = null;
    publishCounts(feed).catch((error: unknown) => feed.log.warn({ err: error }, 'the inbox could not be counted'));
  }, countsEveryMs);
  feed.countsTimer.unref();
}

async function publishCounts(feed: Feed): Promise<void> {
  const known = new Map<string, Promise<InboxCounts>>();
  for (const reader of feed.readers) {
    const principal = presentOf(feed, reader);
    // Callers who see the same are counted for once.
    const key = isOperator(principal) ? `* ${principal.id}` : [principal.id, ...entriesOf(principal)].join(' ');
    const counting = known.get(key) ?? countInbox(feed, principal);
    known.set(key, counting);
    const counts = await counting;
    const text = JSON.stringify(counts);
    if (text === reader.counts) continue;
    reader.counts = text;
    put(reader, 'counts', eventOf('counts', counts));
  }
}

/** Of each person, by question. */
async function snoozesOf(
  store: Deps['store'],
  people: string[],
  rows: readonly HoldRow[],
): Promise<Map<string, Map<string, string>>> {
  const ids = rows.map(({ holdId }) => holdId);
  const of = async (id: string): Promise<[string, Map<string, string>]> => [id, await store.snoozes.of(id, ids)];
  return new Map(await Promise.all(people.map(of)));
}

/** Until something waits for the reader, or they are dropped. */
function woken(reader: Reader): Promise<void> {
  return new Promise((resolve) => {
    reader.wake = () => {
      reader.wake = () => undefined;
      resolve();
    };
    if (reader.isOver || reader.waiting.size > 0) reader.wake();
  });
}

/** Waits, or less when the signal aborts; leaves nothing behind. */
function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted === true) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}

interface Lingering {
  join(): void;
  leave(): void;
  /** Stops at once, with readers connected. */
  close(): void;
}

/** What runs as long as it has users, and a while longer: the last one often returns at once. */
function createLingering(start: (signal: AbortSignal) => void, forMs: number): Lingering {
  let users = 0;
  let running: AbortController | null = null;
  let timer: NodeJS.Timeout | undefined;

  function stop(): void {
    running?.abort();
    running = null;
  }

  return {
    join() {
      clearTimeout(timer);
      users += 1;
      if (running !== null) return;
      running = new AbortController();
      start(running.signal);
    },
    leave() {
      users -= 1;
      if (users > 0) return;
      timer = setTimeout(stop, forMs);
      timer.unref();
    },
    close() {
      clearTimeout(timer);
      stop();
    },
  };
}

// Who was asked before a hold changed: only those who may no longer see it get the event that it is gone.
type AskedBefore = Pick<HoldRow, 'audience' | 'plan' | 'owner'>;

interface LastSeen {
  /** Remembers a hold as it is now; returns who was asked before, null when that is not known. */
  replace(row: HoldRow): AskedBefore | null;
  /** Reads what is open now, for holds that change for the first time while the feed runs. */
  fill(store: Pick<Store, 'holds'>, signal: AbortSignal): Promise<void>;
}

const maxHolds = 20_000;

function createLastSeen(): LastSeen {
  const holds = new Map<string, AskedBefore>();
  function replace({ holdId, audience, plan, owner, status }: HoldRow): AskedBefore | null {
    const before = holds.get(holdId) ?? null;
    holds.delete(holdId);
    // What is over does not move to others any more.
    if (status === 'open' && holds.size < maxHolds) holds.set(holdId, { audience, plan, owner });
    return before;
  }
  return {
    replace,
    async fill(store, signal) {
      for await (const { items } of holdPages(store, { statuses: ['open', 'time_up'] })) {
        for (const row of items) if (!holds.has(row.holdId)) replace(row);
        if (holds.size >= maxHolds || signal.aborted) return;
      }
    },
  };
}
