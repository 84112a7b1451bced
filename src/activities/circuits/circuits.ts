// The circuits of agents, as this worker knows them: it learns of others' every few seconds, and writes what it meets itself.
import { nextCircuit, passage, type CircuitEvent } from '../../core/turn/circuit.ts';
import type { AgentCircuit } from '../../store/ports/circuits.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../deps.ts';
import type { CircuitTiming } from '../timing.ts';
import type { Circuits } from './port.ts';
import type { Slots } from './slots.ts';

export interface KnownCircuits extends Circuits {
  /** Learns what others wrote; while no agent is away, only every few times. */
  refresh(): Promise<AgentCircuit[]>;
  apply(agent: string, event: CircuitEvent): Promise<AgentCircuit | null>;
}

/** Until it is known that an agent is away its messages are sent, and give up after their bound. */
const quietRefreshes = 5;

export function createCircuits({
  store,
  log,
  timing,
  slots,
}: {
  store: { circuits: Store['circuits'] };
  log: Log;
  timing: CircuitTiming;
  slots: Pick<Slots, 'away'>;
}): KnownCircuits {
  let known = new Map<string, AgentCircuit>();
  let skipped = quietRefreshes;

  async function apply(agent: string, event: CircuitEvent): Promise<AgentCircuit | null> {
    const before = known.get(agent) ?? null;
    const after = await store.circuits.change(agent, (circuit) => nextCircuit(circuit, event, timing));
    if (after === null) known.delete(agent);
    else known.set(agent, after);
    if (after?.state === 'open') slots.away(agent);
    if (before?.state !== 'open' && after?.state === 'open')
      log.warn({ agent, cause: after.cause, since: after.since }, 'the agent is away; its messages wait');
    if (before !== null && before.state !== 'closing' && after?.state === 'closing')
      log.info({ agent, since: before.since }, 'the agent is back; its messages go');
    return after;
  }

  return {
    apply,
    async refresh() {
      skipped += 1;
      if (known.size === 0 && skipped < quietRefreshes) return [];
      skipped = 0;
      const rows = await store.circuits.list();
      known = new Map(rows.map((row) => [row.agent, row]));
      for (const { agent, state } of rows) if (state === 'open') slots.away(agent);
      return rows;
    },
    async passage(agent, taskId) {
      if (passage(known.get(agent) ?? null) === 'free') return { goes: true, isTrial: false };
      const circuit = await store.circuits.get(agent);
      const how = passage(circuit);
      if (circuit === null || how === 'free') return { goes: true, isTrial: false };
      if (how === 'as-trial' && (await store.circuits.claimTrial(agent, taskId, timing.trialMs)))
        return { goes: true, isTrial: true };
      return { goes: false, since: circuit.since, cause: circuit.cause };
    },
    async failed(agent, cause, retryAfterMs = 0) {
      if (known.get(agent)?.state === 'open') return;
      await apply(agent, { type: 'failed', cause, retryAfterMs });
    },
    async taken(agent) {
      const state = known.get(agent)?.state;
      if (state !== undefined && state !== 'closing') await apply(agent, { type: 'taken' });
    },
    async wait(message) {
      await store.circuits.wait(message);
      // Who closes it reads the messages that wait before it does: one of the two sees the other.
      return passage(await store.circuits.get(message.agent)) !== 'free';
    },
  };
}
