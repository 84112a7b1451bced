// Inspects a database without changing it, for `standfast doctor`.
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client } from 'pg';
import { addSlots, type WorkerSlots } from '../../core/turn/slots.ts';
import { endedStatuses } from '../../contract/tasks/task-names.ts';
import { keyIdsInUse } from './key-ids.ts';
import { addressOf, migrations } from './migrate.ts';
import { startError } from './plain-errors.ts';
import { schemaStateOf, type SchemaState } from './schema-state.ts';

export interface InspectedDatabase {
  schema: SchemaState;
  /** Ids of the keys that encrypt it; empty where its tables are not there yet. */
  keyIds: string[];
  /** Agents that do not take what open tasks have for them, and since when; empty where its tables are not there yet. */
  away: { agent: string; tasks: number; since: string }[];
  /** Circuits that are not closed, and slots of the workers that are alive; empty where its tables are not there yet. */
  circuits: { agent: string; state: string; since: string; cause: string; waiting: number }[];
  slots: WorkerSlots;
  /** Its time (Unix milliseconds), at a moment between two of this process's own. */
  clock: { atMs: number; between: [number, number] };
}

const connectTimeoutMs = 3_000;

/** Inspects a PostgreSQL in a read-only session; throws StoreUnavailableError if it cannot be reached. */
export async function inspectPostgres(databaseUrl: string): Promise<InspectedDatabase> {
  const client = new Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: 3 * connectTimeoutMs,
    application_name: 'standfast doctor',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('set default_transaction_read_only = on');
    const db = drizzle(client);
    const schema = await schemaStateOf(db, migrations);
    const hasTables = schema.kind === 'current' || schema.kind === 'newer';
    const keyIds = hasTables ? await keyIdsInUse(db) : [];
    const away = hasTables ? await agentsAway(client) : [];
    const circuits = hasTables ? await openCircuits(client) : [];
    const slots = hasTables ? await slotsOf(client) : { total: 0, agents: {} };
    const from = Date.now();
    const { rows } = await client.query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms');
    return { schema, keyIds, away, circuits, slots, clock: { atMs: Number(rows[0]?.ms), between: [from, Date.now()] } };
  } catch (error) {
    throw startError(addressOf(client), error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function slotsOf(client: Client): Promise<WorkerSlots> {
  const { rows } = await client.query<{ slots: string }>(
    `select slots from workers where slots is not null and heartbeat_at > clock_timestamp() - interval '30 seconds'`,
  );
  // Safe: written by workers alone.
  return addSlots(rows.map(({ slots }) => JSON.parse(slots) as WorkerSlots));
}

async function openCircuits(client: Client): Promise<InspectedDatabase['circuits']> {
  const { rows } = await client.query<{ agent: string; state: string; since: Date; cause: string; waiting: string }>(
    `select agent, state, since, cause, (select count(*) from waiting_messages m where m.agent = c.agent) as waiting
     from circuits c order by agent`,
  );
  return rows.map(({ since, waiting, ...row }) => ({ ...row, since: since.toISOString(), waiting: Number(waiting) }));
}

async function agentsAway(client: Client): Promise<InspectedDatabase['away']> {
  const { rows } = await client.query<{ agent: string; tasks: string; since: string }>(
    `select agent, count(*) as tasks, min(stuck::jsonb ->> 'since') as since from tasks
     where stuck is not null and stuck::jsonb ->> 'cause' = 'agent_away' and status <> all($1)
     group by agent order by agent`,
    [[...endedStatuses]],
  );
  return rows.map(({ agent, tasks, since }) => ({ agent, tasks: Number(tasks), since }));
}
