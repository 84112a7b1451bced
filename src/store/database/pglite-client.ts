// PGlite's own `query` takes five exchanges with the engine and plans each statement again, on the event loop. A
// prepared statement that is bound, executed and synced in one exchange costs a fifth of that.
import { AsyncLocalStorage } from 'node:async_hooks';
import { messages, Mutex, parse, protocol, type PGlite, type QueryOptions, type Results } from '@electric-sql/pglite';

const { serialize } = protocol;
const { CommandCompleteMessage, DataRowMessage, RowDescriptionMessage } = messages;

type Answers = Awaited<ReturnType<PGlite['execProtocolStream']>>;

/** The part of PGlite that drizzle calls. */
interface Queries {
  query(text: string, params?: unknown[], options?: QueryOptions): Promise<Results>;
}

interface Prepared {
  name: string;
  parameterTypes: number[];
  /** Columns of the result; empty for a statement without rows. */
  fields: Results['fields'];
}

/** Bounded, since statement texts vary with the lengths of the lists in them. */
const maxPrepared = 200;
/** Without autovacuum no ANALYZE invalidates plans made while a table was small. */
const replanMs = 10_000;
/** Without a checkpointer process the WAL would grow for ever, and with it recovery after a crash. */
const checkpointMs = 60_000;

/** Creates a drizzle client over a PGlite, which nothing else may use. */
export function createPgliteClient(
  pglite: PGlite,
  now: () => number = () => performance.now(),
): { client: PGlite; close: () => Promise<void> } {
  /** Held for a whole transaction or single statement; `engine` serialises statements inside it. */
  const lock = new Mutex();
  const engine = new Mutex();
  const prepared = new Map<string, Prepared>();
  let count = 0;
  let plannedAtMs = now();
  let checkpointAtMs = now();

  const exchange = (...requests: Uint8Array[]): Promise<Answers> => {
    if (pglite.closed) throw new Error('the embedded database is closed');
    return pglite.execProtocolStream(Buffer.concat(requests), { syncToFs: false });
  };

  async function prepare(text: string): Promise<Prepared> {
    const known = prepared.get(text);
    if (known !== undefined) {
      // Reinserted, so that the map is ordered by last use.
      prepared.delete(text);
      prepared.set(text, known);
      return known;
    }
    count += 1;
    const name = `s${count}`;
    const answers = await exchange(
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    );
    const fresh: Prepared = {
      name,
      parameterTypes: parse.parseDescribeStatementResults(answers),
      fields: answers.flatMap((answer) => (answer instanceof RowDescriptionMessage ? answer.fields : [])),
    };
    const [oldest] = prepared;
    if (oldest !== undefined && prepared.size >= maxPrepared) {
      prepared.delete(oldest[0]);
      await exchange(serialize.close({ type: 'S', name: oldest[1].name }), serialize.sync());
    }
    prepared.set(text, fresh);
    return fresh;
  }

  async function runNow(text: string, params: unknown[], options: QueryOptions | undefined): Promise<Results> {
    const { name, parameterTypes, fields } = await prepare(text);
    const values = params.map((value, index) => {
      if (value === null || value === undefined) return null;
      const toText = pglite.serializers[parameterTypes[index] ?? 0];
      if (toText !== undefined) return toText(value);
      return typeof value === 'string' ? value : JSON.stringify(value);
    });
    const answers = await exchange(
      serialize.bind({ statement: name, values }),
      serialize.execute({}),
      serialize.sync(),
    );
    return resultsOf(answers, fields, { ...options, fallback: pglite.parsers });
  }

  const run = (text: string, params: unknown[] = [], options?: QueryOptions): Promise<Results> =>
    engine.runExclusive(() => runNow(text, params, options));

  async function maintain(): Promise<void> {
    if (now() - plannedAtMs >= replanMs) {
      plannedAtMs = now();
      await run('discard plans');
    }
    if (now() - checkpointAtMs >= checkpointMs) {
      checkpointAtMs = now();
      await run('checkpoint');
    }
  }

  const transaction = new AsyncLocalStorage<{ isOpen: boolean }>();
  // One object for all transactions, so that statements are built for it once; async context tells them apart.
  const inside: Queries = {
    query: (text, params, options) => {
      if (transaction.getStore()?.isOpen !== true) throw new Error('the transaction is over');
      return run(text, params, options);
    },
  };
  const queries: Queries & { transaction<T>(work: (inside: Queries) => Promise<T>): Promise<T> } = {
    query: (text, params, options) =>
      lock.runExclusive(async () => {
        await maintain();
        return run(text, params, options);
      }),
    transaction: (work) =>
      lock.runExclusive(async () => {
        await maintain();
        await run('begin');
        const state = { isOpen: true };
        try {
          const result = await transaction.run(state, () => work(inside));
          state.isOpen = false;
          const { command } = await run('commit');
          if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it had failed');
          return result;
        } catch (error) {
          state.isOpen = false;
          if (pglite.isInTransaction()) await run('rollback');
          throw error;
        }
      }),
  };
  return { client: asPglite(queries), close: () => lock.runExclusive(() => pglite.close()) };
}

/** Parses results as PGlite does, but without copying its parser table for each statement. */
function resultsOf(
  answers: Answers,
  fields: Results['fields'],
  { rowMode, parsers, fallback }: QueryOptions & { fallback: PGlite['parsers'] },
): Results {
  const read = fields.map(({ dataTypeID }) => parsers?.[dataTypeID] ?? fallback[dataTypeID]);
  const rows: Results['rows'] = [];
  let command = '';
  for (const answer of answers) {
    if (answer instanceof CommandCompleteMessage) command = answer.text.split(' ')[0] ?? '';
    if (!(answer instanceof DataRowMessage)) continue;
    const values = answer.fields.map((text, index): unknown => {
      const toValue = read[index];
      return text === null || toValue === undefined ? text : toValue(text);
    });
    rows.push(
      rowMode === 'array' ? values : Object.fromEntries(fields.map(({ name }, index) => [name, values[index]])),
    );
  }
  return { rows, fields, command };
}

/** Safe: drizzle's session calls only `query` and `transaction` of its client. */
function asPglite(queries: Queries): PGlite {
  return queries as unknown as PGlite;
}
