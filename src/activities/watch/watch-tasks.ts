// Polls the tasks of agents that no turn follows now: those of parked turns, and those that wait for people. Every
// worker does this in the background; the database shares the work out, so that no task is polled twice at once.
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import type { Watch } from '../../store/ports/tasks.ts';
import type { Store } from '../../store/store.ts';
import type { A2aTransport } from '../a2a/a2a-transport.ts';
import type { ActivityDeps } from '../deps.ts';
import { createStuckNote, type StuckNote } from '../stuck-note.ts';
import { judgeProbe, pacesFor, waitMs, type TaskVersion } from './watch-probe.ts';
import { jittered } from '../timing.ts';
import { within } from '../../host/process/time-limit.ts';
import { sleep } from '../../host/process/sleep.ts';
import { errorText } from '../../host/process/errno.ts';

export interface WatchDeps extends Pick<ActivityDeps, 'engine' | 'transportOf' | 'log' | 'timing' | 'now'> {
  store: { tasks: Pick<Store['tasks'], 'get' | 'dueWatches' | 'countWatches' | 'probed' | 'stuck' | 'unwatch'> };
}

interface Watcher {
  /** Resolves when the signal has fired and no probe is under way any more. */
  ended: Promise<void>;
}

const atOnce = 20;
/** An agent that cannot be reached is spared, for longer each time; its other tasks wait with it. */
const withSpareTime = { firstMs: 2_000, maxMs: 60_000 };
const maxOutageMs = 15_000;

type ProbeResult = { result: 'seen'; seen: TaskVersion } | { result: 'failed'; why: string; minGapMs: number };

const stuckOf = (deps: WatchDeps, { taskId }: Watch): StuckNote => createStuckNote(deps, taskId, true);

/** Agents that could not be reached, which are left alone for a while. */
interface Sparing {
  /** How long this agent is still left alone; not above 0: it may be asked. */
  leftMs(agent: string): number;
  /** Returns for how long it is left alone now: `leastMs` at least. */
  failed(watch: Watch, why: string, leastMs: number): number;
  reached(agent: string): void;
}

function createSparing(log: WatchDeps['log']): Sparing {
  const spared = new Map<string, { untilMs: number; failures: number }>();
  const leftMs = (agent: string): number => (spared.get(agent)?.untilMs ?? 0) - performance.now();
  return {
    leftMs,
    failed({ agent, taskId }, why, leastMs) {
      // Probes that were in flight together fail together, and count as one.
      const left = leftMs(agent);
      if (left > 0) return left;
      const before = spared.get(agent)?.failures ?? 0;
      const ms = Math.max(leastMs, waitMs(withSpareTime, before));
      spared.set(agent, { untilMs: performance.now() + ms, failures: before + 1 });
      // Once, until it can be reached again: an agent that is away would fill the log.
      log[before === 0 ? 'warn' : 'debug']({ agent, taskId, why }, 'a watched task could not be polled; trying on');
      return ms;
    },
    reached(agent) {
      if (spared.delete(agent)) log.info({ agent }, 'the agent’s tasks can be polled again');
    },
  };
}

async function askAgent(deps: WatchDeps, watch: Watch, signal: AbortSignal): Promise<ProbeResult> {
  let transport: A2aTransport;
  try {
    transport = deps.transportOf(watch.agent);
  } catch (error) {
    // Taken out of the configuration while it had the task.
    return { result: 'failed', why: errorText(error), minGapMs: 0 };
  }
  try {
    const task = await transport.getTask(watch.a2aTaskId, {}, within(signal, deps.timing.callMs));
    const seen = judgeProbe(watch, task);
    return seen === null ? { result: 'failed', why: 'no task came', minGapMs: 0 } : { result: 'seen', seen };
  } catch (error) {
    signal.throwIfAborted();
    const known = transport.classify(error);
    if (known.what !== 'task-not-found')
      return { result: 'failed', why: known.message, minGapMs: known.retryAfterMs ?? 0 };
    const seen = judgeProbe(watch, 'gone');
    return seen === null ? { result: 'failed', why: known.message, minGapMs: 0 } : { result: 'seen', seen };
  }
}

async function signalMoved({ store, timing, engine, log }: WatchDeps, watch: Watch): Promise<void> {
  const row = await store.tasks.get(watch.taskId);
  // Left behind by a writer that came too late. The thread's next task has the same workflow id and must not receive it.
  if (row === null || isEndedStatus(row.status)) return store.tasks.unwatch(watch.taskId);
  await store.tasks.probed(
    watch,
    watch.seen,
    Math.max(timing.watch.againMs, waitMs(timing.watch[watch.kind], watch.probes)),
  );
  const { taskId, agent, kind: what, watchVersion, probes: count } = watch;
  await engine.signalMoved(watch.workflowId, watch.firstExecutionRunId, { kind: what, watchVersion });
  log.info({ taskId, agent, what, watchVersion, probes: count }, 'the agent’s task has moved');
}

/** Watches from now on until the signal fires. A failing agent, database or Temporal only delays it. */
export function createWatcher(deps: WatchDeps, { signal }: { signal: AbortSignal }): Watcher {
  const { log, store, timing } = deps;
  const sparing = createSparing(log);
  const probes = new Set<Promise<void>>();
  /** The task of a worker that dies while it polls goes to others after this. */
  const leaseMs = 2 * timing.callMs + 10_000;
  let paces: ReturnType<typeof pacesFor> = timing.watch;
  let countAgainAt = 0;

  const rest = (ms: number): Promise<unknown> => sleep(ms, { signal }).catch(() => undefined);

  async function probe(watch: Watch): Promise<void> {
    const leftMs = sparing.leftMs(watch.agent);
    if (leftMs > 0) return store.tasks.probed(watch, watch.seen, jittered(leftMs + timing.watch.everyMs));
    const probed = await askAgent(deps, watch, signal);
    switch (probed.result) {
      case 'failed': {
        const ms = sparing.failed(watch, probed.why, probed.minGapMs);
        // A pause can be answered meanwhile; a turn waits for nothing but its agent.
        if (watch.kind === 'turn') await stuckOf(deps, watch).set('agent_away', probed.why);
        return store.tasks.probed(watch, watch.seen, jittered(Math.max(ms, waitMs(paces[watch.kind], watch.probes))));
      }
      case 'seen': {
        sparing.reached(watch.agent);
        if (watch.kind === 'turn') await stuckOf(deps, watch).clear();
        const { hasMoved, seen, pace, polls } = probed.seen;
        if (hasMoved) return signalMoved(deps, watch);
        const ms = pace === 'confirm' ? waitMs(timing.watch.confirm, polls - 1) : waitMs(paces[pace], watch.probes);
        return store.tasks.probed(watch, seen, jittered(ms));
      }
      default:
        return probed satisfies never;
    }
  }

  async function probeSafely(watch: Watch): Promise<void> {
    try {
      await probe(watch);
    } catch (error) {
      // A stopping worker hands back what it had begun.
      if (signal.aborted) await store.tasks.probed(watch, watch.seen, 0).catch(() => undefined);
      else log.warn({ taskId: watch.taskId, agent: watch.agent, err: error }, 'a probe of a task failed; again later');
    }
  }

  async function countNow(): Promise<void> {
    if (performance.now() < countAgainAt) return;
    paces = pacesFor(timing.watch, await store.tasks.countWatches());
    countAgainAt = performance.now() + timing.watch.countEveryMs;
  }

  /** Begins as many probes as there is room for; returns how many there were. */
  async function begin(): Promise<number> {
    const room = atOnce - probes.size;
    if (room === 0) return 0;
    const due = await store.tasks.dueWatches(room, leaseMs);
    for (const watch of due) {
      const running = probeSafely(watch).finally(() => probes.delete(running));
      probes.add(running);
    }
    return due.length;
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      let hasMore = false;
      try {
        await countNow();
        hasMore = (await begin()) > 0;
        if (failures > 0) log.info({}, 'watched tasks are polled again');
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) log.warn({ err: error }, 'watched tasks cannot be polled; trying on');
      }
      const restMs =
        failures > 0 ? waitMs({ firstMs: timing.watch.everyMs, maxMs: maxOutageMs }, failures) : timing.watch.everyMs;
      // With more than there is room for, the next one begins when one is done.
      if (hasMore && probes.size >= atOnce) await Promise.race([...probes, rest(restMs)]);
      else await rest(jittered(restMs));
    }
    await Promise.all(probes);
  }

  return { ended: run() };
}
