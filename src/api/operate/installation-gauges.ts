// Numbers of the whole installation, read from the database when a scraper asks; every api says the same.
import { Gauge, type Registry } from 'prom-client';
import { stuckCauses } from '../../contract/tasks/task.ts';
import { slotStates, sumOf } from '../../core/turn/slots.ts';
import type { Store } from '../../store/store.ts';
import { heartbeatStaleMs } from '../engine/temporal-failures.ts';

const readMs = 2_000;
const countedMetrics = ['open', 'overdue', 'unclaimed', 'operator', 'undecidable'] as const;

/** A database that does not answer in time leaves a gap: an earlier number would hide that it is unknown. */
async function within<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), readMs);
  });
  try {
    return await Promise.race([work.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

type MakeGauge = <T>(
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => Promise<T>,
  set: (value: T, to: (labels: Record<string, string>, value: number) => void) => void,
) => void;

type GaugeStore = Pick<Store, 'holds' | 'tasks' | 'workers' | 'circuits' | 'figures' | 'unreadable'>;

export function registerInstallationGauges(registry: Registry, store: GaugeStore): void {
  const registers = [registry];
  /** Set at each scrape by `read`; no sample while the database is away. */
  function gauge<T>(
    name: string,
    help: string,
    labelNames: readonly string[],
    read: () => Promise<T>,
    set: (value: T, to: (labels: Record<string, string>, value: number) => void) => void,
  ): void {
    const made = new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers,
      async collect() {
        const value = await within(read());
        made.reset();
        if (value !== null) set(value, (labels, number) => made.set(labels, number));
        // Without labels `reset` leaves a zero.
        else if (labelNames.length === 0) made.remove();
      },
    });
  }
  gauge(
    'standfast_holds',
    'Questions that wait, by metric, of the whole installation: every api says the same.',
    ['metric'],
    () => Promise.all(countedMetrics.map((metric) => store.holds.counts({ metric }))),
    (counts, to) => {
      for (const [index, metric] of countedMetrics.entries()) to({ metric }, counts[index] ?? 0);
    },
  );
  gauge(
    'standfast_workers',
    'Workers with a heartbeat within 30 s.',
    [],
    () => store.workers.alive(heartbeatStaleMs),
    (alive, to) => to({}, alive),
  );
  registerAgentGauges(gauge, store);
  const stuck = (): ReturnType<Store['tasks']['stuckCounts']> => store.tasks.stuckCounts();
  gauge('standfast_tasks_stuck', 'Open tasks that do not go on, by cause.', ['cause'], stuck, (counts, to) => {
    for (const cause of stuckCauses) to({ cause }, counts.find((one) => one.cause === cause)?.tasks ?? 0);
  });
  gauge(
    'standfast_tasks_stuck_oldest_seconds',
    'How long the oldest of the tasks that do not go on has been so, by cause.',
    ['cause'],
    stuck,
    (counts, to) => {
      for (const { cause, oldestMs } of counts) to({ cause }, oldestMs / 1000);
    },
  );
  const operation = (): ReturnType<Store['figures']> => store.figures();
  gauge('standfast_intake_backlog', 'Runs that were kept and not begun yet.', [], operation, (found, to) =>
    to({}, found.unadmittedRuns),
  );
  gauge(
    'standfast_intake_oldest_seconds',
    'How long the oldest kept run has been waiting to begin.',
    [],
    operation,
    (found, to) => to({}, found.oldestUnadmittedMs / 1000),
  );
  gauge(
    'standfast_evidence_unsigned_seconds',
    'Age of the last signature of the evidence, 0 while all records are signed.',
    [],
    operation,
    (found, to) => to({}, found.unsignedEvidenceMs / 1000),
  );
  gauge(
    'standfast_unreadable_rows',
    'Rows that this process could not read, or found altered, since it started.',
    ['table'],
    () => Promise.resolve(store.unreadable()),
    (rows, to) => {
      const tables = new Set(['holds', ...rows.map(({ table }) => table)]);
      for (const table of tables) to({ table }, rows.filter((row) => row.table === table).length);
    },
  );
}

/** Slots for work with agents, and agents that are away. */
function registerAgentGauges(gauge: MakeGauge, store: Pick<GaugeStore, 'workers' | 'circuits'>): void {
  const slots = (): ReturnType<Store['workers']['slots']> => store.workers.slots(heartbeatStaleMs);
  gauge(
    'standfast_turn_slots',
    'Slots of all workers for work with agents, by agent and by what is done in them.',
    ['agent', 'state'],
    slots,
    ({ agents }, to) => {
      for (const [agent, counts] of Object.entries(agents))
        for (const state of slotStates) to({ agent, state }, counts[state]);
    },
  );
  gauge(
    'standfast_turn_slots_free',
    'Slots of all workers for work with agents that are free.',
    [],
    slots,
    ({ total, agents }, to) =>
      to(
        {},
        Object.values(agents).reduce((free, counts) => free - sumOf(counts), total),
      ),
  );
  gauge(
    'standfast_agent_away_seconds',
    'How long each agent has been away whose circuit is not closed, by the state of the circuit.',
    ['agent', 'state'],
    () => store.circuits.list(),
    (circuits, to) => {
      for (const { agent, state, awayMs } of circuits) to({ agent, state }, awayMs / 1000);
    },
  );
  gauge(
    'standfast_messages_waiting',
    'Messages and answers that wait for an agent that is away, by agent.',
    ['agent'],
    () => store.circuits.countWaiting(),
    (counts, to) => {
      for (const [agent, waiting] of Object.entries(counts)) to({ agent }, waiting);
    },
  );
}
