// Counts what a database is asked, at the drivers: the statements that cross to it, whoever built them.
import type { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';

export interface Statements {
  /** Texts since the last `take`, in their order; what runs by a clock of its own, and begin and commit, left out. */
  take(): string[];
}

/** Heartbeats, watches, announcements, settings and the looks that make up for lost announcements come when they come. */
const byClock =
  /^(begin|commit|rollback|set |listen|select pg_notify|checkpoint|select log_id, last_seq, status)|"workers"|"watches"[^]*skip locked/i;

function gather(): Statements & { add(text: string): void } {
  let texts: string[] = [];
  return {
    add(text) {
      if (!byClock.test(text.trim())) texts.push(text.replaceAll(/\s+/g, ' ').trim());
    },
    take() {
      const taken = texts;
      texts = [];
      return taken;
    },
  };
}

const ascii = { P: 0x50, B: 0x42 };

/** Reads names and texts in the messages of the protocol: parsed once, a statement is bound each time it runs. */
export function countPglite(pglite: PGlite): Statements {
  const statements = gather();
  const texts = new Map<string, string>();
  const exchange = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocolStream = (message, options) => {
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    const [first, second = ''] = bytes.subarray(5).toString('latin1', 0, 80).split('\0');
    if (bytes[0] === ascii.P) {
      const nameEnd = bytes.indexOf(0, 5);
      texts.set(first ?? '', bytes.toString('utf8', nameEnd + 1, bytes.indexOf(0, nameEnd + 1)));
    }
    // A portal without a name, then the statement's.
    if (bytes[0] === ascii.B) statements.add(texts.get(second) ?? '?');
    return exchange(message, options);
  };
  return statements;
}

/** Every client of this process, those of pools too. */
export function countPostgres(): Statements & { stop(): void } {
  const statements = gather();
  const prototype = Client.prototype as { query: (...args: unknown[]) => unknown };
  const query = prototype.query;
  prototype.query = function counted(this: unknown, ...args) {
    const [what] = args as [string | { text?: string }];
    const text = typeof what === 'string' ? what : what.text;
    if (text !== undefined) statements.add(text);
    return query.apply(this, args);
  };
  return {
    take: () => statements.take(),
    stop: () => {
      prototype.query = query;
    },
  };
}
