// Where logs end, as far as this process knows: an encrypted entry is bound to its number, which it gets on being written.
import { isSealing } from '../sealed-columns.ts';

/** Logs beyond this number are read again. */
const maxKnown = 10_000;
/** More writers than that never meet at one log. */
const maxTries = 50;

export interface LogEnds {
  get(log: string | number): number | undefined;
  set(log: string | number, lastSeq: number): void;
}

export function createLogEnds(): LogEnds {
  const known = new Map<string | number, number>();
  return {
    get: (log) => known.get(log),
    set(log, lastSeq) {
      known.delete(log);
      known.set(log, lastSeq);
      const [oldest] = known.keys();
      if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    },
  };
}

/** SQL parameter for "wherever it ends", which is all that entries in clear need. */
export type WrittenAfter = number | null;

interface EndOfLog<Row> {
  log: string | number;
  ends: LogEnds;
  /** Reads the last number; null if this writer may not write. */
  find: () => Promise<number | null>;
  /** Writes after this number; undefined if the log ends elsewhere, or this writer may not write. */
  write: (after: WrittenAfter) => Promise<Row | undefined>;
}

/** Writes at the end of a log, of which another writer may know more; null if this writer may not write. */
export async function writeAtEnd<Row>({ log, ends, find, write }: EndOfLog<Row>): Promise<Row | null> {
  if (!isSealing()) return (await write(null)) ?? null;
  let after = ends.get(log) ?? (await find());
  for (let tries = 1; after !== null; tries += 1) {
    const row = await write(after);
    if (row !== undefined) return row;
    if (tries === maxTries) throw new Error(`log ${log} is written by others all the time`);
    after = await find();
  }
  return null;
}
