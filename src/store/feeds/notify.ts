import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Client } from 'pg';
import { errorMessage } from '../database/database.ts';
import type { StoreLog } from '../database/migrate.ts';
import { handWritten, statement } from '../database/statement.ts';
import { anyHoldTopic, isHoldTopic } from './hold-feed.ts';
import { openNotice, pack, type Changes } from './notices.ts';
import type { News, Topic } from './waiters.ts';
import { backoff } from '../../core/base/backoff.ts';

const channel = 'standfast_log';
/** Tokens of all streams pass here: what waits is added to the delay of each. */
const everyMs = 5;
/** Delay after a failed NOTIFY. */
const retryMs = 250;

export const sendNotify = statement(['payload'], (db, { payload }) =>
  handWritten(db, sql`select pg_notify(${sql.raw(`'${channel}'`)}, ${payload}::text)`),
);

/** Notifies other processes of changed topics, and of what has just been written. */
interface Announcer {
  sender: string;
  /** `news`: all that has changed, of a single topic. */
  announce(topics: Iterable<Topic>, news?: News): void;
  /** Resolves once all pending topics have been sent. */
  close(): Promise<void>;
}

/**
 * Sends topics in batches, at most one every 5 ms and outside of the writers' transactions, since NOTIFY takes a
 * global lock at commit. Readers re-read logs periodically, so a lost batch only delays them.
 */
export function createAnnouncer(notify: (payload: string) => Promise<unknown>, log: StoreLog): Announcer {
  const sender = randomBytes(4).toString('hex');
  const pending: Changes = new Map();
  let sending: Promise<void> | null = null;
  let isClosed = false;

  async function sendAll(): Promise<void> {
    while (pending.size > 0) {
      const payloads = pack(sender, pending);
      const hasHolds = [...pending.keys()].some(isHoldTopic);
      pending.clear();
      const startedAtMs = performance.now();
      let wantedMs = everyMs;
      try {
        for (const payload of payloads) await notify(payload);
      } catch (error) {
        log('warn', 'other processes could not be notified of new events; they find them at their next poll', {
          error: errorMessage(error),
        });
        // Holds are not re-read periodically, so followers must learn of a gap; the ids themselves are dropped.
        if (hasHolds && !isClosed) pending.set(anyHoldTopic, null);
        wantedMs = retryMs;
      }
      const restMs = wantedMs - (performance.now() - startedAtMs);
      if (restMs > 0 && !isClosed) await sleep(restMs);
    }
  }

  return {
    sender,
    announce(topics, news) {
      for (const topic of topics) {
        const before = pending.get(topic);
        pending.set(topic, news === undefined || before === null ? null : [...(before ?? []), news]);
      }
      // A moment later, so that all topics of one change are in one notice.
      sending ??= Promise.resolve()
        .then(sendAll)
        .finally(() => {
          sending = null;
        });
    },
    async close() {
      isClosed = true;
      await sending;
    },
  };
}

export interface Listener {
  /** Whether what others send arrives here. */
  isListening(): boolean;
  close(): Promise<void>;
}

interface ListenerOptions {
  newClient: () => Client;
  /** Notifications of this sender are skipped, since this process has woken its readers directly. */
  sender: string;
  onChanges: (changes: Changes) => void;
  /** Called after each connect, when notifications may have been missed. */
  onConnected: () => void;
  log: StoreLog;
}

/** Keeps one connection listening, and reconnects with exponential backoff, up to 5 s. */
export function startListener(options: ListenerOptions): Listener {
  const { log } = options;
  let isClosed = false;
  let client: Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let failures = 0;
  let isListening = false;
  let attempt: Promise<void>;

  function connectLater(): void {
    if (isClosed) return;
    const delayMs = backoff(failures, { firstMs: 100, mostMs: 5_000 }, Math.random());
    failures += 1;
    timer = setTimeout(() => {
      attempt = connect();
    }, delayMs);
  }

  async function connect(): Promise<void> {
    const fresh = options.newClient();
    client = fresh;
    const drop = (why: string): void => {
      // A client may report its end more than once, and an old one late.
      if (client !== fresh) return;
      client = null;
      isListening = false;
      void fresh.end().catch(() => undefined);
      // Once, until it listens again: this is tried every few seconds.
      if (!isClosed && failures === 0) log('warn', 'no longer listening for new events; connecting again', { why });
      connectLater();
    };
    fresh.on('error', (error) => drop(error.message));
    fresh.on('end', () => drop('the connection ended'));
    fresh.on('notification', ({ payload = '' }) => {
      if (!payload.startsWith(`${options.sender}:`)) options.onChanges(openNotice(payload));
    });
    try {
      await fresh.connect();
      if (isClosed) return;
      await fresh.query(`listen ${channel}`);
    } catch (error) {
      drop(errorMessage(error));
      return;
    }
    failures = 0;
    isListening = true;
    options.onConnected();
  }

  attempt = connect();
  return {
    isListening: () => isListening,
    async close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      const last = client;
      client = null;
      // A connecting client cannot be ended, but times out soon.
      await attempt;
      await last?.end().catch(() => undefined);
    },
  };
}
