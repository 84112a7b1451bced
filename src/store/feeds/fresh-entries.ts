import type { AguiEvent, LogEntry } from '../../contract/tasks/run.ts';
import type { RunRow } from '../store.ts';

/** Entries that have just been written, as JSON. */
export interface Written {
  firstSeq: number;
  texts: string[];
  /** The run ended with these entries. */
  isLast?: boolean;
}

/** A run that has just been claimed, passed to its waiters so that they need not query for it. */
export interface Claimed {
  run: RunRow;
  /** There was no such run before: its log begins. */
  isNew: boolean;
}

export interface Fresh {
  entries: LogEntry[];
  isLast: boolean;
}

/** Limits of the buffer of one reader, which reads the log once they are exceeded. */
const maxEntries = 500;
const maxChars = 256 * 1024;

/** Passes entries from writer to reader, so that tokens are not read back from the database. */
export interface FreshEntries {
  add(written: Written): void;
  /** Drops the buffer: the log has changed in a way unknown here. */
  invalidate(): void;
  /** Returns the entries after `afterSeq` if they have no gap; null if the log must be read. */
  take(afterSeq: number): Fresh | null;
}

/** `isFromStart`: there was no entry before, so that none is missing from the first on. */
export function createFreshEntries(isFromStart = false): FreshEntries {
  let held: { seq: number; text: string }[] = [];
  let chars = 0;
  // Entries written before the reader joined are not in the buffer.
  let mustReadLog = !isFromStart;
  let isEnded = false;

  return {
    add({ firstSeq, texts, isLast = false }) {
      isEnded ||= isLast;
      for (const [index, text] of texts.entries()) {
        held.push({ seq: firstSeq + index, text });
        chars += text.length;
      }
      if (held.length > maxEntries || chars > maxChars) {
        held = [];
        chars = 0;
        mustReadLog = true;
      }
    },
    invalidate() {
      mustReadLog = true;
    },
    take(afterSeq) {
      const next = held.filter(({ seq }) => seq > afterSeq);
      const isWhole = !mustReadLog && next.length > 0 && next.every(({ seq }, index) => seq === afterSeq + 1 + index);
      held = [];
      chars = 0;
      mustReadLog = false;
      if (!isWhole) return null;
      // Parsed for each reader, so that readers and writer share no objects.
      return { entries: next.map(({ seq, text }) => ({ seq, event: JSON.parse(text) as AguiEvent })), isLast: isEnded };
    },
  };
}
