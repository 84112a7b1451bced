import type { Topic } from './waiters.ts';

/** A change of one hold: `h:<id>`, with nothing in the id that separates topics. */
export const holdTopic = (holdId: string): Topic => `h:${encodeURIComponent(holdId)}`;

/** Holds have changed, and nobody can say which. */
export const anyHoldTopic: Topic = 'h:*';

export const isHoldTopic = (topic: Topic): boolean => topic.startsWith('h:');

/** Ids kept for one reader who does not come for them; past that they read everything anew. */
const maxIds = 5_000;

/** Hands changed holds to all who follow them in this process. */
interface HoldFeed {
  /** Follows from now on, not only once the first batch is asked for. */
  follow(signal: AbortSignal): AsyncIterable<string[] | 'gap'>;
  publish(topics: Iterable<Topic>): void;
  /** Anything may have been missed. */
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

  function spoil(reader: Reader): void {
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
          if (topic === anyHoldTopic || reader.ids.size >= maxIds) spoil(reader);
          // What the gap makes its reader re-read includes this.
          else if (!reader.hasGap) reader.ids.add(decodeURIComponent(topic.slice(2)));
          reader.wake();
        }
      }
    },
    gap() {
      for (const reader of readers) spoil(reader);
    },
    close() {
      isClosed = true;
      for (const reader of readers) reader.wake();
    },
  };
}
