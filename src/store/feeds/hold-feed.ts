import type { HoldId } from '../../contract/base/id-types.ts';
import type { Topic } from './waiters.ts';

/** Topic of one hold: `h:<id>`, encoded since `,` separates topics in a payload. */
export const holdTopic = (holdId: HoldId): Topic => `h:${encodeURIComponent(holdId)}`;

/** Topic of changes of unknown holds. */
export const anyHoldTopic: Topic = 'h:*';

export const isHoldTopic = (topic: Topic): boolean => topic.startsWith('h:');

/** Maximum number of ids buffered for one reader; beyond it, the reader gets `gap`. */
const maxIds = 5_000;

/** Broadcasts the ids of changed holds to the followers in this process. */
interface HoldFeed {
  /** Follows from this call on, not only from the first `next()`. */
  follow(signal: AbortSignal): AsyncIterable<string[] | 'gap'>;
  publish(topics: Iterable<Topic>): void;
  /** Tells all followers that they may have missed changes. */
  gap(): void;
  close(): void;
}

interface Reader {
  ids: Set<string>;
  hasGap: boolean;
  wake: () => void;
}

export function createHoldFeed(): HoldFeed {
  const readers = new Set<Reader>();
  let isClosed = false;

  function markGap(reader: Reader): void {
    reader.ids.clear();
    reader.hasGap = true;
    reader.wake();
  }

  const isOver = (signal: AbortSignal): boolean => isClosed || signal.aborted;

  async function* read(reader: Reader, signal: AbortSignal): AsyncGenerator<string[] | 'gap', void> {
    try {
      while (!isOver(signal)) {
        if (reader.hasGap) {
          reader.hasGap = false;
          yield 'gap';
        } else if (reader.ids.size > 0) {
          const batch = [...reader.ids];
          reader.ids.clear();
          yield batch;
        } else {
          await new Promise<void>((resolve) => {
            reader.wake = resolve;
          });
        }
      }
    } finally {
      readers.delete(reader);
    }
  }

  return {
    follow(signal) {
      const reader: Reader = { ids: new Set(), hasGap: false, wake: () => undefined };
      if (!isOver(signal)) readers.add(reader);
      const leave = (): void => {
        readers.delete(reader);
        reader.wake();
      };
      signal.addEventListener('abort', leave, { once: true });
      return read(reader, signal);
    },
    publish(topics) {
      if (readers.size === 0) return;
      for (const topic of topics) {
        if (!isHoldTopic(topic)) continue;
        for (const reader of readers) {
          if (topic === anyHoldTopic || reader.ids.size >= maxIds) markGap(reader);
          // A reader with a gap re-reads everything, this hold included.
          else if (!reader.hasGap) reader.ids.add(decodeURIComponent(topic.slice(2)));
          reader.wake();
        }
      }
    },
    gap() {
      for (const reader of readers) markGap(reader);
    },
    close() {
      isClosed = true;
      for (const reader of readers) reader.wake();
    },
  };
}
