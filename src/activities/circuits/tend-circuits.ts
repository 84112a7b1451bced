// Tends the circuits of agents that are away, for all workers: one probe an agent, one message to try, then the others.
import type { AgentCircuit, WaitingMessage } from '../../store/ports/circuits.ts';
import type { Store } from '../../store/store.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import type { ActivityDeps, Engine, Log } from '../deps.ts';
import { systemClock } from '../../host/process/clock.ts';
import { repeating } from '../../host/process/repeating.ts';
import { within } from '../../host/process/time-limit.ts';
import type { TurnTiming } from '../timing.ts';
import type { KnownCircuits } from './circuits.ts';
import { probe } from './probe.ts';

export interface TendDeps {
  store: { circuits: Store['circuits']; tasks: Pick<Store['tasks'], 'get'> };
  circuits: KnownCircuits;
  engine: Pick<Engine, 'signalMoved'>;
  transportOf: ActivityDeps['transportOf'];
  timing: Pick<TurnTiming, 'circuit'>;
  log: Log;
}

async function isThere(
  { transportOf, timing }: TendDeps,
  agent: string,
  stopping: AbortSignal,
): Promise<{ isThere: boolean; cause: string }> {
  const { signal } = within(stopping, timing.circuit.probeMs);
  let transport: ReturnType<typeof transportOf>;
  try {
    transport = transportOf(agent);
  } catch {
    // Taken out of the configuration: its messages go, so that operators are asked.
    return { isThere: true, cause: '' };
  }
  const probed = await probe(transport, signal);
  stopping.throwIfAborted();
  return probed;
}

export function tendCircuits(deps: TendDeps): { start(): void; stop(): Promise<void> } {
  const { store, circuits, engine, timing, log } = deps;
  let failures = 0;

  /** Nothing where it is to be woken again. */
  async function wakeOne(message: WaitingMessage): Promise<WaitingMessage[]> {
    const { agent, taskId, key, workflowId, firstExecutionRunId, resumes } = message;
    try {
      const waited = key === taskId ? { kind: 'turn' as const } : { kind: 'message' as const, key };
      await engine.signalMoved(workflowId, firstExecutionRunId, { ...waited, watchVersion: resumes });
      return [message];
    } catch (error) {
      const row = await store.tasks.get(taskId);
      // It ended while it waited.
      if (row !== null && isEndedStatus(row.status)) return [message];
      log.debug({ agent, taskId, err: error }, 'a message that waits was not woken; again later');
      return [];
    }
  }

  async function wake(agent: string, limit: number): Promise<number> {
    const messages = await store.circuits.claimWaiting(agent, limit, timing.circuit.leaseMs);
    const woken = await Promise.all(messages.map((message) => wakeOne(message)));
    await store.circuits.woken(woken.flat());
    return messages.length;
  }

  /** What a worker has begun to wake, and could not, is woken again: the circuit stays until then. */
  async function closeIfDrained(agent: string): Promise<void> {
    const waiting = (await store.circuits.countWaiting())[agent] ?? 0;
    if (waiting === 0) await circuits.apply(agent, { type: 'drained' });
  }

  /** What is due of one circuit. */
  async function tend({ agent, state }: AgentCircuit, stopping: AbortSignal): Promise<void> {
    const { circuit } = timing;
    switch (state) {
      case 'open': {
        if (!(await store.circuits.claimDue(agent, state, circuit.leaseMs))) return;
        const probed = await isThere(deps, agent, stopping);
        const next = await circuits.apply(agent, { type: 'probed', ...probed });
        if (next?.state === 'half-open') await tend(next, stopping);
        return;
      }
      case 'half-open':
        if (!(await store.circuits.claimDue(agent, state, circuit.wokenMs))) return;
        if ((await wake(agent, 1)) === 0) await closeIfDrained(agent);
        return;
      case 'closing':
        if (!(await store.circuits.claimDue(agent, state, circuit.wakeEveryMs))) return;
        if ((await wake(agent, circuit.wakeAtOnce)) === 0) await closeIfDrained(agent);
        return;
      default:
        return state satisfies never;
    }
  }

  /** By agent: one that answers no probe for seconds keeps no other one waiting. */
  const underWay = new Map<string, Promise<void>>();

  function tendAlone(row: AgentCircuit, stopping: AbortSignal): void {
    if (underWay.has(row.agent)) return;
    const tending = tend(row, stopping)
      .then(ended, (error: unknown) => failed(error, stopping))
      .finally(() => underWay.delete(row.agent));
    underWay.set(row.agent, tending);
  }

  const ended = (): void => {
    failures = 0;
  };
  function failed(error: unknown, stopping: AbortSignal): void {
    failures += 1;
    if (failures === 1 && !stopping.aborted)
      log.warn({ err: error }, 'agents that are away cannot be tended; trying on');
  }

  /** Between two passes that look for others' circuits, those that are known are tended. */
  const passes = repeating(timing.circuit.everyMs, async (stopping) => {
    try {
      for (;;) {
        const rows = await circuits.refresh();
        for (const row of rows) if (row.dueInMs <= 0) tendAlone(row, stopping);
        if (!rows.some(({ state }) => state === 'closing')) break;
        await systemClock.wait(timing.circuit.wakeEveryMs, stopping);
      }
      if (underWay.size === 0) ended();
    } catch (error) {
      failed(error, stopping);
    }
  });
  return {
    start: passes.start,
    async stop() {
      await passes.stop();
      await Promise.all(underWay.values());
    },
  };
}
