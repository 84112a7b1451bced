// An attempt reads the same rows in unrelated places. Each read reaches the database once, until this attempt writes
// into the same table.
import type { TaskId } from '../../contract/base/id-types.ts';
import type { RunKey } from '../../contract/tasks/run.ts';
import type { HoldRow, RunBeginning, Store, Tables } from '../../store/store.ts';

/** What is remembered of each table, and by which of its arguments; what is neutral changes none of that. */
const reads = {
  intake: { remembered: ['get'], neutral: [] },
  tasks: { remembered: ['get'], neutral: ['watch', 'unwatch', 'watched', 'openInContext'] },
  holds: {
    remembered: ['ofTask'],
    neutral: ['get', 'many', 'byInterrupt', 'ofThread', 'newestOf', 'endedOf', 'lastN'],
  },
  threads: { remembered: ['get'], neutral: [] },
  agents: { remembered: ['sendsWithout', 'showsMessageIds'], neutral: [] },
} satisfies { [K in keyof Tables]?: { remembered: (keyof Tables[K])[]; neutral: (keyof Tables[K])[] } };

/** Writes of one table that change others as well. */
const reaching: Partial<Record<string, Partial<Record<string, (keyof typeof reads)[]>>>> = {
  runs: { claim: ['tasks'] },
  log: { end: ['tasks', 'holds', 'threads'] },
};

/** As many holds of a thread as are read at most: of fewer, none of a task is missing. */
const wholeThread = 50;

type Memory = Map<string, Map<string, Promise<unknown>>>;
type Call = (...args: unknown[]) => Promise<unknown>;

/** Rows may be passed as keys, too; only what identifies them counts. */
function nameOf(args: unknown[]): string {
  const [first, ...more] = args;
  if (typeof first !== 'object' || first === null) return JSON.stringify(args);
  const { agent, threadId, runId = null } = first as Partial<RunKey>;
  const { taskId = null } = first as { taskId?: TaskId };
  return JSON.stringify([agent, threadId, runId ?? taskId, ...more]);
}

function remember(memory: Map<string, Promise<unknown>>, name: string, ask: () => Promise<unknown>): Promise<unknown> {
  const known = memory.get(name);
  if (known !== undefined) return known;
  const asked = ask();
  memory.set(name, asked);
  asked.catch(() => memory.delete(name));
  return asked;
}

function tableWith<G extends object>(
  table: G,
  { remembered, neutral }: { remembered: PropertyKey[]; neutral: PropertyKey[] },
  memory: Map<string, Promise<unknown>>,
): G {
  return new Proxy(table, {
    get(target, method, receiver): unknown {
      // Safe: tables have methods alone.
      const call = Reflect.get(target, method, receiver) as Call;
      if (neutral.includes(method)) return call;
      if (remembered.includes(method))
        return (...args: unknown[]) => remember(memory, `${String(method)} ${nameOf(args)}`, () => call(...args));
      return async (...args: unknown[]) => {
        memory.clear();
        const result = await call(...args).finally(() => memory.clear());
        // A task that was written is what would be read.
        const { taskId } = (result ?? {}) as { taskId?: TaskId };
        if (method === 'put' && taskId !== undefined) memory.set(`get ${nameOf([taskId])}`, Promise.resolve(result));
        return result;
      };
    },
  });
}

/** What else is known by what was read: a run's beginning is made of rows, and a thread's holds are those of its tasks. */
function seed(memory: Memory, name: string, args: unknown[], result: unknown): void {
  const keep = (table: keyof typeof reads, read: string, value: unknown): void =>
    void memory.get(table)?.set(read, Promise.resolve(value));
  if (name === 'runs.start') {
    // Safe: what the store answers to these arguments.
    const [key, found] = [args[0] as RunKey, result as RunBeginning];
    keep('threads', `get ${nameOf([key.agent, key.threadId])}`, found.thread);
    keep('intake', `get ${nameOf([key])}`, found.intake);
    keep('agents', `sendsWithout ${nameOf([key.agent])}`, found.sendsWithout);
  }
  if (name === 'holds.ofThread') {
    const rows = result as HoldRow[];
    if (rows.length >= wholeThread) return;
    for (const { taskId } of rows) {
      const own = rows.filter((row) => row.taskId === taskId).toSorted((a, b) => a.n - b.n);
      keep('holds', `ofTask ${nameOf([taskId])}`, own);
    }
  }
}

/** Calls that return more than they were asked for, or change more than their own table. */
function reachingTable<G extends object>(table: G, name: string, memory: Memory): G {
  return new Proxy(table, {
    get(target, method, receiver): unknown {
      // Safe: tables have methods alone.
      const call = Reflect.get(target, method, receiver) as Call;
      const full = `${name}.${String(method)}`;
      const others = reaching[name]?.[String(method)];
      if (others !== undefined)
        return (...args: unknown[]) =>
          call(...args).finally(() => {
            for (const other of others) memory.get(other)?.clear();
          });
      if (full !== 'runs.start' && full !== 'holds.ofThread') return call;
      return async (...args: unknown[]) => {
        const result = await call(...args);
        seed(memory, full, args, result);
        return result;
      };
    },
  });
}

function tablesWith<T extends Tables>(tables: T, memory: Memory): T {
  const changed: Record<string, object> = {};
  for (const [name, kinds] of Object.entries(reads)) {
    const known = memory.get(name) ?? new Map<string, Promise<unknown>>();
    memory.set(name, known);
    changed[name] = tableWith(tables[name as keyof typeof reads], kinds, known);
  }
  for (const name of ['runs', 'log', 'holds'] as const)
    changed[name] = reachingTable(changed[name] ?? tables[name], name, memory);
  return { ...tables, ...changed };
}

/** The store as one attempt uses it. `forget`: others may have written since. */
export function rememberReads(store: Store): Store & { forget(): void } {
  const memory: Memory = new Map();
  const forget = (): void => {
    for (const known of memory.values()) known.clear();
  };
  return {
    ...tablesWith(store, memory),
    forget,
    tx: (work) =>
      store
        .tx((tables) => {
          // What may have changed is read in the transaction that relies on it.
          for (const name of ['tasks', 'threads', 'holds']) memory.get(name)?.clear();
          return work(tablesWith(tables, memory));
        })
        .catch((error: unknown) => {
          // What was read in a transaction that failed may not exist.
          forget();
          throw error;
        }),
  };
}
