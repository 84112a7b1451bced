// The slots of one worker for work with agents: what is done in each, and whether an agent may have another.

/** `sending`: the agent has not answered yet · `answering`: it has, lately · `silent`: it has sent nothing for long. */
export const slotStates = ['sending', 'answering', 'silent'] as const;
export type SlotState = (typeof slotStates)[number];

/** In milliseconds of one clock. */
export interface Slot {
  agent: string;
  /** Null: nothing yet. */
  lastEventMs: number | null;
  /** Its agent was away after it was taken, and has answered nothing in it since. */
  isFromOutage: boolean;
}

/** Longer than agents think between two words, and shorter than people notice. */
const silentAfterMs = 5_000;

export function slotState({ lastEventMs }: Slot, nowMs: number): SlotState {
  if (lastEventMs === null) return 'sending';
  return nowMs - lastEventMs > silentAfterMs ? 'silent' : 'answering';
}

/** What slots from an outage leave free, as a part of all: without it an agent that is away now and then would take all. */
const outagesLeave = 1 / 8;

/** As many as three more agents that hang need to leave one free. */
const neverOfOutages = 4;

/** Whether slots are so few that an agent that was away gets them one after the other, and the last ones not at all. */
function isKeptBack(counted: number, free: number, total: number): boolean {
  return free <= Math.floor(total * outagesLeave) && (counted > 0 || free <= neverOfOutages);
}

/**
 * An agent may have another slot while fewer of its own only wait for it than are free. So one that hangs gets half of
 * them, two get a third each, and some are always left; one that answers is not held back. What it took before it was
 * away says nothing of how it takes messages now.
 */
export function mayHaveSlot(slots: readonly Slot[], agent: string, total: number, nowMs: number): boolean {
  const waiting = slots.filter((slot) => slot.agent === agent && slotState(slot, nowMs) !== 'answering');
  const counted = waiting.filter(({ isFromOutage }) => !isFromOutage).length;
  const wasAway = counted < waiting.length;
  const free = total - slots.length;
  return counted < free && !(wasAway && isKeptBack(counted, free, total));
}

/** How many slots of each agent are in each state. */
export type SlotCounts = Record<string, Record<SlotState, number>>;

export function countSlots(slots: readonly Slot[], nowMs: number): SlotCounts {
  const counts: SlotCounts = {};
  for (const slot of slots) {
    const own = (counts[slot.agent] ??= { sending: 0, answering: 0, silent: 0 });
    own[slotState(slot, nowMs)] += 1;
  }
  return counts;
}

export const sumOf = (counts: Record<SlotState, number>): number => counts.sending + counts.answering + counts.silent;

/** Slots for work with agents, of one worker or of several. */
export interface WorkerSlots {
  total: number;
  agents: SlotCounts;
}

export function addSlots(all: readonly WorkerSlots[]): WorkerSlots {
  const agents: SlotCounts = {};
  for (const [agent, counts] of all.flatMap((one) => Object.entries(one.agents))) {
    const own = (agents[agent] ??= { sending: 0, answering: 0, silent: 0 });
    for (const state of slotStates) own[state] += counts[state];
  }
  return { total: all.reduce((sum, { total }) => sum + total, 0), agents };
}
