// Counts what a database is asked, at the drivers: the statements that cross to it, from any module.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import type { Store, Tables } from '../../../src/store/store.ts';

export interface Statements {
  /** Texts since the last `take`, in their order; what runs by a clock of its own, and begin and commit, left out. */
  take(): string[];
}

/** Heartbeats, circuits, watches, announcements, settings, chores and the re-reads that make up for lost announcements come when they come. */
const byClock =
  /^(begin|commit|rollback|set |listen|select pg_notify|checkpoint|select log_id, last_seq, status|select agent, thread_id, \()|"workers"|from "circuits"|skip locked|"caller_pushes" inner join/i;

/** Without these, what else a cycle sends: it is counted where each trip of a process is. */
const around = /^(begin|commit|select pg_notify)/i;

/** STANDFAST_TEST_STATEMENTS=1: each statement is named by who asks for it, and `list` prints them. */
const isListed = process.env['STANDFAST_TEST_STATEMENTS'] === '1';
const callers = new AsyncLocalStorage<string>();

/** Where in the sources the store was called from; awaited queries of drizzle have no stack of their own. */
function callerOf(name: string): string {
  const lines = (new Error('call').stack ?? '').split('\n').filter((line) => /src\//.test(line));
  const places = lines.filter((line) => !/remembered-reads|src\/store/.test(line)).slice(0, 2);
  return `${name} < ${places.map((line) => /src\/([^)]*?):\d+\)?$/.exec(line)?.[1] ?? line.trim()).join(' < ')}`;
}

function named<T extends Tables>(tables: T): T {
  const groups = Object.entries(tables).map(([name, group]: [string, unknown]) => {
    if (typeof group !== 'object' || group === null) return [name, group];
    const verbs = Object.entries(group).map(([verb, call]: [string, (...args: unknown[]) => unknown]) => [
      verb,
      (...args: unknown[]) => callers.run(callerOf(`${name}.${verb}`), () => call(...args)),
    ]);
    return [name, Object.fromEntries(verbs)];
  });
  // Safe: the same tables, each call under a name.
  return Object.fromEntries(groups) as T;
}

/** The store with its callers known, when statements are listed. */
export function listingCallers(store: Store): Store {
  if (!isListed) return store;
  return {
    ...named(store),
    tx: (work) => callers.run(callerOf('tx'), () => store.tx((tables) => work(named(tables)))),
  };
}

export function listStatements(title: string, texts: readonly string[]): void {
  if (isListed) console.log(`${title}: ${texts.length}\n${texts.map((text) => `  ${text.slice(0, 260)}`).join('\n')}`);
}

function gather(): Statements & { add(text: string): void } {
  let texts: string[] = [];
  return {
    add(text) {
      if (byClock.test(text.trim())) return;
      const caller = isListed ? `${callers.getStore() ?? '?'}: ` : '';
      texts.push(`${caller}${text.replaceAll(/\s+/g, ' ').trim()}`);
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

/** Every client of this process, those of pools too; returns the way back. */
interface Sent {
  client: object;
  /** Nothing else of this connection is under way. */
  isAlone: boolean;
}

function onPostgres(add: (text: string, values: unknown[], sent: Sent) => void): () => void {
  const prototype = Client.prototype as { query: (...args: unknown[]) => unknown };
  const query = prototype.query;
  const underWay = new WeakMap<object, number>();
  // A begin is sent with what follows it.
  const beginning = new WeakSet<object>();
  prototype.query = function counted(this: object, ...args) {
    const [what, values] = args as [string | { text?: string }, unknown];
    const text = typeof what === 'string' ? what : what.text;
    if (text !== undefined) {
      const isAlone = !underWay.get(this) && !beginning.delete(this);
      add(text, Array.isArray(values) ? values : [], { client: this, isAlone });
      if (/^begin/i.test(text)) beginning.add(this);
    }
    const result = query.apply(this, args);
    const count = (by: number): unknown => underWay.set(this, (underWay.get(this) ?? 0) + by);
    if (result instanceof Promise) {
      count(1);
      void result.catch(() => undefined).then(() => count(-1));
    }
    return result;
  };
  return () => {
    prototype.query = query;
  };
}

export function countPostgres(): Statements & { stop(): void } {
  const statements = gather();
  return { take: () => statements.take(), stop: onPostgres((text) => statements.add(text)) };
}

interface Trips {
  /** All statements since the last `take`; those that went with the one before them begin with "+ ". */
  take(): string[];
  stop(): void;
}

/**
 * All that processes of their own send PostgreSQL, begin, commit and notices too. A transaction whose statements are all left
 * out, is left out whole.
 */
export function countTrips(): Trips {
  let texts: string[] = [];
  const open = new WeakMap<object, string[]>();
  const isCounted = (text: string): boolean => !byClock.test(text) || around.test(text);
  const stop = onPostgres((given, _values, { client, isAlone }) => {
    const text = given.trim();
    const caller = isListed ? `${callers.getStore() ?? '?'}: ` : '';
    const line = `${isAlone ? '' : '+ '}${caller}${text.replaceAll(/\s+/g, ' ')}`;
    const inside = open.get(client);
    if (/^begin/i.test(text)) open.set(client, [line]);
    else if (inside === undefined) texts.push(...(isCounted(text) ? [line] : []));
    else if (/^(commit|rollback)/i.test(text)) {
      open.delete(client);
      if (inside.length > 1) texts.push(...inside, line);
    } else if (isCounted(text)) inside.push(line);
  });
  return {
    take() {
      const taken = texts;
      texts = [];
      return taken;
    },
    stop,
  };
}

export interface RecordedStatements {
  /** Whole statements with their parameters since the last `take`, in their order. */
  take(): { text: string; values: unknown[] }[];
  stop(): void;
}

export function recordPostgres(): RecordedStatements {
  let statements: ReturnType<RecordedStatements['take']> = [];
  return {
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
    stop: onPostgres((text, values) => statements.push({ text, values })),
  };
}
