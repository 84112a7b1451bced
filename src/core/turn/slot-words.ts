// What keeps the slots of all workers, in words for people.
import { sumOf, type SlotCounts } from './slots.ts';

interface Away {
  agent: string;
  /** Since when, ISO 8601. */
  since: string;
}

/** Null: some are free. */
export function wordsOfFullSlots(
  { total, agents }: { total: number; agents: SlotCounts },
  away: readonly Away[],
): string | null {
  const held = Object.entries(agents).map(([agent, counts]) => ({ agent, slots: sumOf(counts) }));
  const used = held.reduce((sum, { slots }) => sum + slots, 0);
  if (total === 0 || used < total) return null;
  const most = held.toSorted((a, b) => b.slots - a.slots)[0];
  if (most === undefined) return null;
  const since = away.find(({ agent }) => agent === most.agent)?.since;
  const which = since === undefined ? '' : `, which is away since ${since}`;
  return `all ${total} slots of the workers are taken, ${most.slots} of them by agent ${most.agent}${which}`;
}

/** What is done in the slots of one agent: `3 wait for its first word, 1 has been silent for long`. */
export function wordsOfSlots({ sending, answering, silent }: SlotCounts[string]): string {
  const parts = [
    [sending, 'wait for its first word'],
    [answering, 'receive its answer'],
    [silent, 'have had nothing from it for long'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ');
}
