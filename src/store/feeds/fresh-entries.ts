import type { AguiEvent, LogEntry } from '../../contract/tasks/run.ts';
import type { RunRow } from '../store.ts';

/** Entries this process has just written, in the words the log keeps. */
export interface Written {
  firstSeq: number;
  texts: string[];
  /** Nothing follows them: the run ended with them. */
  isLast?: boolean;
}

/** A run that was claimed: who waits for it need not look for it. */
export interface Claimed {
  run: RunRow;
}

/** Entries as a reader is given them. */
export interface Fresh {
  entries: LogEntry[];
  isLast: boolean;
}

/** What is kept for one reader who has not come for it; past that it reads the log, like everybody else. */
const maxEntries = 500;
const maxChars = 256 * 1024;

/** Hands entries from writer to reader within a process, so that a token need not be read back from the database. */
export interface FreshEntries {
  add(written: Written): void;
  /** The log has changed in a way that only reading it can tell. */
  spoil(): void;
  /** What follows `afterSeq` without a gap; null when the log must be read. */
  take(afterSeq: number): Fresh | null;
}

export function createFreshEntries(): FreshEntries {
  let held: { seq: number; text: string }[] = [];
  let chars = 0;
  // Nobody knows what was written before the reader came.
  let isSpoilt = true;
  let isOver = false;

  return {
    add({ firstSeq, texts, isLast = false }) {
      isOver ||= isLast;
      for (const [index, text] of texts.entries()) {
        held.push({ seq: firstSeq + index, text });
        chars += text.length;
      }
      if (held.length > maxEntries || chars > maxChars) {
        held = [];
        chars = 0;
        isSpoilt = true;
      }
    },
    spoil() {
      isSpoilt = true;
    },
    take(afterSeq) {
      const next = held.filter(({ seq }) => seq > afterSeq);
      const isWhole = !isSpoilt && next.length > 0 && next.every(({ seq }, index) => seq === afterSeq + 1 + index);
      held = [];
      chars = 0;
      isSpoilt = false;
      // From the text, as the log gives it: readers and writer share no objects.
      if (!isWhole) return null;
      return { entries: next.map(({ seq, text }) => ({ seq, event: JSON.parse(text) as AguiEvent })), isLast: isOver };
    },
  };
}
