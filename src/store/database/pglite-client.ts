// PGlite's own `query` takes five exchanges with the engine and plans every statement anew. Prepared once, and bound, run
// and synced in one exchange, a statement costs a fifth; it all happens on the event loop, so this is felt everywhere.
import { AsyncLocalStorage } from 'node:async_hooks';
import { messages, Mutex, parse, protocol, type PGlite, type QueryOptions, type Results } from '@electric-sql/pglite';

const { serialize } = protocol;
const { CommandCompleteMessage, DataRowMessage, RowDescriptionMessage } = messages;

type Answers = Awaited<ReturnType<PGlite['execProtocolStream']>>;

/** What drizzle asks of PGlite. */
interface Queries {
  query(text: string, params?: unknown[], options?: QueryOptions): Promise<Results>;
}

interface Prepared {
  name: string;
  parameterTypes: number[];
  /** What its rows look like; none for a statement without rows. */
  fields: Results['fields'];
}

/** Texts differ with the length of a list in them, so there is no end to them. */
const maxPrepared = 200;
/** Nothing analyzes tables here, so nothing else would ever make the engine drop a plan made while a table was small. */
const replanMs = 10_000;
/** Alone in its process, PostgreSQL has no checkpointer: its log would grow for ever, and with it the start after a kill -9. */
const checkpointMs = 60_000;

/** A client for drizzle over this PGlite; nobody else may use the PGlite meanwhile. */
export function createPgliteClient(
  pglite: PGlite,
  now: () => number = () => performance.now(),
): { client: PGlite; close: () => Promise<void> } {
  /** A transaction keeps all others out; inside it, one statement after the other. */
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
      // Last in order is last used.
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
  // The same for all transactions, so that statements can be built for it once; whose a call is, its context tells.
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

/** As PGlite's own reading, which copies its table of types for every statement. */
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

/** Safe: drizzle's session calls `query` and `transaction`, and nothing else, of the client it is given. */
function asPglite(queries: Queries): PGlite {
  return queries as unknown as PGlite;
}
