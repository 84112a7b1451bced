// Slots of this worker for work with agents: each turn, message and question to an agent holds one while its activity runs.
import { countSlots, mayHaveSlot, type Slot, type WorkerSlots } from '../../core/turn/slots.ts';

export interface HeldSlot {
  /** The agent has just sent something. */
  answered(): void;
  leave(): void;
}

export interface Slots {
  /** Null: the agent has its share already. */
  enter(agent: string): HeldSlot | null;
  /** For what may not wait. */
  take(agent: string): HeldSlot;
  /** The agent is away: what it holds does not count against its share when it is back. */
  away(agent: string): void;
  counts(): WorkerSlots;
}

/** Why an agent gets no other slot now. */
export const whyNoSlot = (agent: string): string => `${agent} has as many slots as it may have`;

export function createSlots(total: number, nowMs: () => number = () => performance.now()): Slots {
  const held = new Set<Slot>();
  const take = (agent: string): HeldSlot => {
    const slot: Slot = { agent, lastEventMs: null, isFromOutage: false };
    held.add(slot);
    return {
      answered() {
        slot.lastEventMs = nowMs();
        slot.isFromOutage = false;
      },
      leave: () => void held.delete(slot),
    };
  };
  return {
    enter: (agent) => (mayHaveSlot([...held], agent, total, nowMs()) ? take(agent) : null),
    take,
    away(agent) {
      for (const slot of held) if (slot.agent === agent) slot.isFromOutage = true;
    },
    counts: () => ({ total, agents: countSlots([...held], nowMs()) }),
  };
}
