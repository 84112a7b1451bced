// Who waits for a change learns of it: in this process at once, in others by a notice.
import type { Database } from '../database/database.ts';
import type { StoreLog } from '../database/migrate.ts';
import { createHoldFeed } from './hold-feed.ts';
import { createAnnouncer, sendNotify, startListener, type Listener } from './notify.ts';
import { createWaiters, type News, type Topic, type Waiters } from './waiters.ts';

interface ChangeFeeds {
  waiters: Waiters;
  /** Wakes who waits for these topics, here and elsewhere; `news` must be all that has changed, of a single topic. */
  changed(topics: Iterable<Topic>, news?: News): void;
  /** Listens to other processes from now on. */
  listen(): void;
  /** Whether all that any process writes from now on comes here. */
  isListening(): boolean;
  /** Ids of holds that change; `gap`: some may have been missed. */
  followHolds(signal: AbortSignal): ReturnType<ReturnType<typeof createHoldFeed>['follow']>;
  close(): Promise<void>;
}

export function createChangeFeeds({ db, listenerClient }: Database, log: StoreLog): ChangeFeeds {
  const waiters = createWaiters();
  const feed = createHoldFeed();
  // PGlite has a single process, so a NOTIFY would only occupy its one connection.
  const announcer = listenerClient === null ? null : createAnnouncer((payload) => sendNotify(db, { payload }), log);
  let listener: Listener | null = null;
  let isClosed = false;

  return {
    waiters,
    changed(topics, news) {
      waiters.wake(topics, news);
      feed.publish(topics);
      announcer?.announce(topics, news);
    },
    listen() {
      if (isClosed || listener || !announcer || !listenerClient) return;
      listener = startListener({
        newClient: listenerClient,
        sender: announcer.sender,
        onChanges(changes) {
          for (const [topic, news] of changes) {
            for (const one of news ?? [undefined]) waiters.wake([topic], one);
          }
          feed.publish(changes.keys());
        },
        onConnected() {
          waiters.wakeAll();
          feed.gap();
        },
        log,
      });
    },
    isListening: () => announcer === null || listener?.isListening() === true,
    followHolds: (signal) => feed.follow(signal),
    async close() {
      isClosed = true;
      feed.close();
      await announcer?.close();
      await listener?.close();
    },
  };
}
