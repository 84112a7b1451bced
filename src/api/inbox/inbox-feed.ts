// The live inbox: one look at what changes for the whole process, told to each reader as far as they may see it.
import { randomUUID } from 'node:crypto';
import type { AguiEvent } from '../../contract/event.ts';
import type { InboxCounts, InboxEvents } from '../../contract/inbox.ts';
import type { Principal } from '../../contract/principal.ts';
import { entriesOf, isOperator, maySee } from '../../core/policy/audience.ts';
import { principalNow } from '../../core/policy/delegates.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ApiDeps } from '../api-deps.ts';
import type { StreamItem } from '../http/formats.ts';
import { holdRowViewOf } from '../holds/hold-view.ts';
import { countInbox } from './inbox-views.ts';
import { createLastSeen, type LastSeen } from './last-seen.ts';
import type { KeyRing } from '../auth/keys.ts';
import type { Sessions } from '../auth/sessions.ts';
import { isKeyAsBefore, isSessionAsBefore, type StreamCaller } from '../auth/stream-caller.ts';
import { pause } from '../http/wait.ts';

export interface InboxReader extends StreamCaller {
  principal: Principal;
}

export interface InboxFeed {
  /** Events for one reader until the signal aborts, their session is over, or they read too slowly. */
  follow(reader: InboxReader, signal: AbortSignal): AsyncGenerator<StreamItem[]>;
  /** Ends the streams of a session that was just closed. */
  endSession(tokenHash: string): void;
  close(): void;
}

type Deps = Pick<ApiDeps, 'store' | 'config' | 'now' | 'log'> & {
  sessions: Sessions;
  keys: KeyRing;
  build: string;
};

interface Reader extends InboxReader {
  /** What they have not taken yet; of one hold the newest alone. */
  waiting: Map<string, AguiEvent>;
  counts: string;
  isOver: boolean;
  checkedAtMs: number;
  wake: () => void;
}

const countsEveryMs = 1_000;
/** Between two looks at whether a session lasts. */
const sessionCheckMs = 5_000;
/** How late a reminder may come. */
const snoozeCheckMs = 5_000;
const quietMs = 15_000;
/** A reader with so many holds unread is let go: reading the list anew is cheaper. */
const maxWaiting = 2_000;
const readAtOnce = 100;
const retryMs = 1_000;
/** The last reader is often back at once. */
const lingerMs = 30_000;

function eventOf<K extends keyof InboxEvents>(type: K, data: InboxEvents[K]): AguiEvent {
  // Safe: rows, counts and greetings are plain JSON.
  return { type, data: data };
}

export function createInboxFeed(deps: Deps): InboxFeed {
  const { store, config, now, log } = deps;
  const readers = new Set<Reader>();
  const prefix = randomUUID().slice(0, 8);
  let items = 0;
  let listening: AbortController | null = null;
  let seen: LastSeen = createLastSeen();
  let countsTimer: NodeJS.Timeout | null = null;
  let lingerTimer: NodeJS.Timeout | null = null;
  let snoozeTimer: NodeJS.Timeout | null = null;

  const presentOf = (reader: InboxReader): Principal => principalNow(config, reader.principal, now());
  const hello = (): AguiEvent => eventOf('hello', { now: now().toISOString(), build: deps.build });

  function put(reader: Reader, key: string, event: AguiEvent): void {
    reader.waiting.set(key, event);
    if (reader.waiting.size > maxWaiting) reader.isOver = true;
    reader.wake();
  }

  function report(row: HoldRow, taskTitle: string, snoozes: ReadonlyMap<string, ReadonlyMap<string, string>>): void {
    const before = seen.replace(row);
    const { holdId: id, version, owner } = row;
    for (const reader of readers) {
      const principal = presentOf(reader);
      const snoozedUntil = snoozes.get(principal.id)?.get(id);
      if (maySee(row, principal, owner)) {
        put(
          reader,
          id,
          eventOf('hold', { id, version, row: holdRowViewOf(row, principal, { taskTitle, snoozedUntil }) }),
        );
      } else if (before !== null && maySee(before, principal, owner)) {
        put(reader, id, eventOf('gone', { id, version }));
      }
    }
  }

  /** Of each reader, by question. */
  async function snoozesOf(rows: readonly HoldRow[]): Promise<Map<string, Map<string, string>>> {
    const ids = rows.map(({ holdId }) => holdId);
    const people = [...new Set([...readers].map(({ principal }) => principal.id))];
    const of = async (id: string): Promise<[string, Map<string, string>]> => [id, await store.snoozes.of(id, ids)];
    return new Map(await Promise.all(people.map(of)));
  }

  /** Whoever wanted to be reminded sees the question again: its row is told anew. */
  async function wakeSnoozed(): Promise<void> {
    const due = await store.snoozes.takeDue();
    await store.holds.touch(due);
  }

  async function tellChanged(ids: string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += readAtOnce) {
      // By one query: where changes and readers share a connection, one each would come later and later.
      const rows = await store.holds.many(ids.slice(from, from + readAtOnce));
      const titles = await store.tasks.titles(rows.map(({ taskId }) => taskId));
      const snoozes = await snoozesOf(rows);
      for (const row of rows) report(row, titles.get(row.taskId) ?? '', snoozes);
    }
  }

  async function tellCounts(): Promise<void> {
    const known = new Map<string, Promise<InboxCounts>>();
    for (const reader of readers) {
      const principal = presentOf(reader);
      // Callers who see the same are counted for once.
      const key = isOperator(principal) ? `* ${principal.id}` : [principal.id, ...entriesOf(principal)].join(' ');
      const counting = known.get(key) ?? countInbox(deps, principal);
      known.set(key, counting);
      const counts = await counting;
      const text = JSON.stringify(counts);
      if (text === reader.counts) continue;
      reader.counts = text;
      put(reader, 'counts', eventOf('counts', counts));
    }
  }

  function countSoon(): void {
    if (countsTimer !== null) return;
    countsTimer = setTimeout(() => {
      countsTimer = null;
      tellCounts().catch((error: unknown) => log.warn({ err: error }, 'the inbox could not be counted'));
    }, countsEveryMs);
    countsTimer.unref();
  }

  async function listen(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const changes = store.holdChanges(signal);
        seen.fill(store, signal).catch((error: unknown) => log.warn({ err: error }, 'open holds could not be listed'));
        for await (const ids of changes) {
          if (ids === 'gap') for (const reader of readers) put(reader, 'hello', hello());
          else await tellChanged(ids);
          countSoon();
        }
        if (!signal.aborted) await pause(retryMs, signal);
      } catch (error) {
        log.warn({ err: error }, 'changes of holds cannot be followed just now');
        await pause(retryMs, signal);
      }
      // Whatever happened in between is read anew.
      if (!signal.aborted) for (const reader of readers) put(reader, 'hello', hello());
    }
  }

  function join(reader: Reader): void {
    if (lingerTimer !== null) clearTimeout(lingerTimer);
    lingerTimer = null;
    readers.add(reader);
    if (listening !== null) return;
    snoozeTimer = setInterval(() => {
      wakeSnoozed().catch((error: unknown) => log.warn({ err: error }, 'nobody was reminded of their questions'));
    }, snoozeCheckMs);
    snoozeTimer.unref();
    listening = new AbortController();
    seen = createLastSeen();
    void listen(listening.signal);
  }

  function stopListening(): void {
    listening?.abort();
    if (snoozeTimer !== null) clearInterval(snoozeTimer);
    listening = null;
  }

  function leave(reader: Reader): void {
    readers.delete(reader);
    if (readers.size > 0 || lingerTimer !== null) return;
    lingerTimer = setTimeout(() => {
      lingerTimer = null;
      if (readers.size === 0) stopListening();
    }, lingerMs);
    lingerTimer.unref();
  }

  /** A session slides on with each request of its pages, so only the store knows its end; a key may be taken away. */
  async function isSessionOver(reader: Reader): Promise<boolean> {
    const { session } = reader;
    if (!isKeyAsBefore(deps.keys, reader.knownKey)) return true;
    if (session === null) return false;
    const nowMs = now().getTime();
    if (nowMs - reader.checkedAtMs < sessionCheckMs && nowMs < Date.parse(session.endsAt)) return false;
    reader.checkedAtMs = nowMs;
    reader.session = await deps.sessions.check(session.tokenHash);
    return !isSessionAsBefore(reader.session, session);
  }

  function quietFor({ session }: Reader): number {
    return session === null
      ? quietMs
      : Math.max(10, Math.min(quietMs, Date.parse(session.endsAt) - now().getTime() + 5));
  }

  return {
    async *follow({ principal, session, knownKey }, signal) {
      const reader: Reader = {
        principal,
        session,
        knownKey,
        waiting: new Map([['hello', hello()]]),
        counts: '',
        isOver: signal.aborted,
        checkedAtMs: now().getTime(),
        wake: () => undefined,
      };
      const stop = (): void => {
        reader.isOver = true;
        reader.wake();
      };
      signal.addEventListener('abort', stop, { once: true });
      join(reader);
      countSoon();
      try {
        while (!reader.isOver && !(await isSessionOver(reader))) {
          const events = [...reader.waiting.values()];
          reader.waiting.clear();
          if (events.length > 0) yield events.map((event) => ({ event, id: `${prefix}:${(items += 1)}` }));
          else await woken(reader, quietFor(reader));
        }
      } finally {
        signal.removeEventListener('abort', stop);
        leave(reader);
      }
    },
    endSession(tokenHash) {
      for (const reader of readers) {
        if (reader.session?.tokenHash !== tokenHash) continue;
        reader.isOver = true;
        reader.wake();
      }
    },
    close() {
      if (countsTimer !== null) clearTimeout(countsTimer);
      if (lingerTimer !== null) clearTimeout(lingerTimer);
      stopListening();
    },
  };
}

/** Until something waits for the reader, at most so long. */
function woken(reader: Reader, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      reader.wake = () => undefined;
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    timer.unref();
    reader.wake = done;
    if (reader.isOver || reader.waiting.size > 0) done();
  });
}
