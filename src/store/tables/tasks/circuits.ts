// Circuits of agents and the messages that wait for them.
import { and, asc, count, desc, eq, lte, or, isNull, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../database/database.ts';
import { clock } from '../../columns.ts';
import { circuits, waitingMessages } from '../../circuit-schema.ts';
import type { Tables } from '../../store.ts';
import type { AgentCircuit, WaitingMessage } from '../../ports/circuits.ts';
import type { Circuit } from '../../../core/turn/circuit.ts';

// clock_timestamp(), since now() is the start of the transaction.
const inMillis = (ms: number): SQL => sql`clock_timestamp() + ${ms}::double precision * interval '1 millisecond'`;
const isDue = lte(circuits.dueAt, clock);

const millisOf = (interval: SQL): SQL<number> =>
  sql`extract(epoch from ${interval}) * 1000`.mapWith((ms) => Math.max(0, Math.ceil(Number(ms))));

const columns = {
  agent: circuits.agent,
  state: circuits.state,
  cause: circuits.cause,
  failures: circuits.failures,
  since: circuits.since,
  awayMs: millisOf(sql`${clock} - ${circuits.since}`),
  dueInMs: millisOf(sql`${circuits.dueAt} - ${clock}`),
};

/** More workers than change one circuit at one time. */
const maxTries = 20;

export function createCircuits(db: Db): Tables['circuits'] {
  async function versioned(agent: string): Promise<{ circuit: AgentCircuit; version: number } | null> {
    const [row] = await db
      .select({ ...columns, version: circuits.version })
      .from(circuits)
      .where(eq(circuits.agent, agent));
    if (row === undefined) return null;
    const { version, ...circuit } = row;
    return { circuit, version };
  }

  /** Null: another came between. */
  async function put(agent: string, next: Circuit, version: number | null): Promise<AgentCircuit | null> {
    const { state, cause, failures } = next;
    const values = { state, cause, failures, dueAt: inMillis(next.dueInMs), trial: null };
    const [row] =
      version === null
        ? await db
            .insert(circuits)
            .values({ ...values, agent })
            .onConflictDoNothing()
            .returning(columns)
        : await db
            .update(circuits)
            .set({ ...values, version: version + 1 })
            .where(and(eq(circuits.agent, agent), eq(circuits.version, version)))
            .returning(columns);
    return row ?? null;
  }

  return {
    list: () => db.select(columns).from(circuits).orderBy(asc(circuits.agent)),
    get: async (agent) => (await versioned(agent))?.circuit ?? null,
    async change(agent, next) {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const before = await versioned(agent);
        const circuit = next(before?.circuit ?? null);
        if (circuit === (before?.circuit ?? null)) return before?.circuit ?? null;
        if (circuit !== null) {
          const written = await put(agent, circuit, before?.version ?? null);
          if (written !== null) return written;
        } else {
          const removed = await db
            .delete(circuits)
            .where(and(eq(circuits.agent, agent), eq(circuits.version, before?.version ?? 0)))
            .returning({ agent: circuits.agent });
          if (removed.length > 0) return null;
        }
      }
      throw new Error(`the circuit of ${agent} changes all the time`);
    },
    async claimDue(agent, state, forMs) {
      const claimed = await db
        .update(circuits)
        .set({ dueAt: inMillis(forMs), trial: null, version: sql`${circuits.version} + 1` })
        .where(and(eq(circuits.agent, agent), eq(circuits.state, state), isDue))
        .returning({ agent: circuits.agent });
      return claimed.length > 0;
    },
    async claimTrial(agent, taskId, forMs) {
      const claimed = await db
        .update(circuits)
        .set({ trial: taskId, dueAt: inMillis(forMs), version: sql`${circuits.version} + 1` })
        .where(and(eq(circuits.agent, agent), eq(circuits.state, 'half-open'), or(isNull(circuits.trial), isDue)))
        .returning({ agent: circuits.agent });
      return claimed.length > 0;
    },
    ...createWaiting(db),
  };
}

function createWaiting(db: Db): Pick<Tables['circuits'], 'wait' | 'claimWaiting' | 'woken' | 'countWaiting'> {
  return {
    async wait(message) {
      const dueAt = sql`clock_timestamp()`;
      await db
        .insert(waitingMessages)
        .values({ ...message, dueAt })
        .onConflictDoUpdate({ target: waitingMessages.key, set: { ...message, dueAt } });
    },
    async claimWaiting(agent, limit, forMs): Promise<WaitingMessage[]> {
      const next = db
        .select({ key: waitingMessages.key })
        .from(waitingMessages)
        .where(and(eq(waitingMessages.agent, agent), lte(waitingMessages.dueAt, clock)))
        .orderBy(desc(waitingMessages.hasAnswers), asc(waitingMessages.since))
        .limit(limit)
        .for('update', { skipLocked: true });
      // An array, since a join may evaluate the locking subquery more than once.
      return db
        .update(waitingMessages)
        .set({ dueAt: inMillis(forMs) })
        .where(sql`${waitingMessages.key} = any(array(${next}))`)
        .returning({
          key: waitingMessages.key,
          taskId: waitingMessages.taskId,
          agent: waitingMessages.agent,
          workflowId: waitingMessages.workflowId,
          firstExecutionRunId: waitingMessages.firstExecutionRunId,
          resumes: waitingMessages.resumes,
          hasAnswers: waitingMessages.hasAnswers,
        });
    },
    async woken(messages) {
      for (const { key, firstExecutionRunId, resumes } of messages)
        await db
          .delete(waitingMessages)
          .where(
            and(
              eq(waitingMessages.key, key),
              eq(waitingMessages.firstExecutionRunId, firstExecutionRunId),
              eq(waitingMessages.resumes, resumes),
            ),
          );
    },
    async countWaiting() {
      const rows = await db
        .select({ agent: waitingMessages.agent, waiting: count() })
        .from(waitingMessages)
        .groupBy(waitingMessages.agent);
      return Object.fromEntries(rows.map(({ agent, waiting }) => [agent, waiting]));
    },
  };
}
