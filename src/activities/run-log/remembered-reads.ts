// One attempt asks the database the same thing again and again, from places that know nothing of each other: it is asked once,
// until this attempt writes into the same table.
import type { RunKey } from '../../contract/event.ts';
import type { Store, Tables } from '../../store/store.ts';

/** What is remembered of each table, and by which of its arguments; what is neutral changes none of that. */
const reads = {
  intake: { remembered: ['get'], neutral: [] },
  runs: { remembered: ['opening'], neutral: ['get', 'newest', 'openOf', 'ofTask'] },
  tasks: { remembered: ['get'], neutral: ['watch', 'unwatch', 'isWatched'] },
  holds: { remembered: ['ofTask'], neutral: ['get', 'many', 'byInterrupt', 'ofThread', 'lastN'] },
  threads: { remembered: ['get'], neutral: [] },
  agents: { remembered: ['sendsWithout', 'showsMessageIds'], neutral: [] },
} satisfies { [K in keyof Tables]?: { remembered: (keyof Tables[K])[]; neutral: (keyof Tables[K])[] } };

type Memory = Map<string, Map<string, Promise<unknown>>>;
type Call = (...args: unknown[]) => Promise<unknown>;

/** Rows come as keys as well: what names them counts. */
function nameOf(args: unknown[]): string {
  const [first, ...more] = args;
  if (typeof first !== 'object' || first === null) return JSON.stringify(args);
  const { agent, threadId, runId = null } = first as Partial<RunKey>;
  const { taskId = null } = first as { taskId?: string };
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
        // A task that was put is what would be read.
        const { taskId } = (result ?? {}) as { taskId?: string };
        if (method === 'put' && taskId !== undefined) memory.set(`get ${nameOf([taskId])}`, Promise.resolve(result));
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
          // What was read in it may never have been.
          forget();
          throw error;
        }),
  };
}
