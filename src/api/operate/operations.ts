// How the installation runs, over all workers: service levels, slots, agents that are away, and what waits.
import type { Operations } from '../../contract/views/operations.ts';
import { levelObjective } from '../../contract/base/service-level-names.ts';
import { heartbeatStaleMs } from '../engine/temporal-failures.ts';
import type { WithStore } from '../api-parts.ts';

export async function readOperations({ store }: WithStore): Promise<Operations> {
  const [workers, slots, levels, circuits, waiting, stuck, figures] = await Promise.all([
    store.workers.alive(heartbeatStaleMs),
    store.workers.slots(heartbeatStaleMs),
    store.workers.levels(heartbeatStaleMs),
    store.circuits.list(),
    store.circuits.countWaiting(),
    store.tasks.stuckCounts(),
    store.figures(),
  ]);
  return {
    workers,
    objective: levelObjective,
    levels,
    slots: {
      total: slots.total,
      agents: Object.entries(slots.agents).map(([agent, counts]) => ({ agent, ...counts })),
    },
    circuits: circuits.map(({ agent, since, state, cause }) => ({
      agent,
      since,
      state,
      cause,
      waiting: waiting[agent] ?? 0,
    })),
    stuck,
    runs: { waiting: figures.unadmittedRuns, oldestMs: figures.oldestUnadmittedMs },
  };
}
