// Posts again what was kept and never admitted: Temporal or its workers were away, or the api that kept it died. That api has it
// for its first seconds; after them the one that took it. One that breaks is tried again ever more rarely.
import type { FastifyBaseLogger } from 'fastify';
import type { IntakeRow } from '../../store/store.ts';
import { repeating, type Repeating } from '../../host/process/repeating.ts';
import type { WithClock } from '../api-parts.ts';
import { isWorkerThere } from '../engine/temporal-failures.ts';
import { isRunAsItCame } from '../../core/base/proved-row.ts';
import { submitRun, type SubmitDeps } from './submit-run.ts';

interface SweeperOptions {
  everyMs?: number;
  olderThanMs?: number;
  leaseMs?: number;
  /** Runs of one pass. */
  limit?: number;
}

/** A run that breaks every try is given up after this. */
const giveUpAfterMs = 3_600_000;
/** Longer than the api that keeps a run tries to have it admitted: slowness must not make every api post it. */
const ownMs = 10_000;

type Outcome = 'settled' | 'waits' | 'failed' | 'away';

/** A pass resolves with the number of runs that it settled. */
export function createSweeper(
  deps: SubmitDeps & WithClock & { log: FastifyBaseLogger },
  options: SweeperOptions = {},
): Repeating<number> {
  const { everyMs = 3_000, olderThanMs = ownMs, leaseMs = ownMs, limit = 50 } = options;

  async function post(row: IntakeRow, counts: Map<string, number>, signal: AbortSignal): Promise<Outcome> {
    try {
      if (!isRunAsItCame(deps.prover, row)) {
        deps.log.error({ agent: row.agent, runId: row.runId }, 'a kept run is not as it came: it is refused');
        await deps.store.intake.settle(row, { refused: 'internal' });
        return 'failed';
      }
      const admission = await submitRun(deps, row);
      if (admission.result === 'unanswered') return admission.isWaiting === true ? 'waits' : 'away';
      counts.set(admission.result, (counts.get(admission.result) ?? 0) + 1);
      return 'settled';
    } catch (error) {
      // Its connections are closed as the process stops.
      if (signal.aborted) return 'away';
      deps.log.error({ err: error, agent: row.agent, runId: row.runId }, 'a kept run cannot be posted');
      // The oldest come first: a few that can never be posted must not block all others.
      if (deps.now().getTime() - Date.parse(row.receivedAt) > giveUpAfterMs)
        await deps.store.intake.settle(row, { refused: 'internal' });
      return 'failed';
    }
  }

  async function sweep(signal: AbortSignal): Promise<number> {
    const { intake } = deps.store;
    const rows = await intake.takeUnsettled({ olderThanMs, leaseMs, limit });
    if (rows.length === 0) return 0;
    const counts = new Map<string, number>();
    const free: IntakeRow[] = [];
    // Without a worker every call would only wait for its deadline.
    let isAway = !(await isWorkerThere(deps));
    for (const row of rows) {
      const outcome = isAway || signal.aborted ? null : await post(row, counts, signal);
      if (outcome === 'away') isAway = true;
      // What broke waits for its lease; all else is only early.
      if (outcome === null || outcome === 'waits' || outcome === 'away') free.push(row);
    }
    await intake.release(free);
    const settled = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (settled > 0) deps.log.info(Object.fromEntries(counts), `${settled} kept runs were posted again`);
    return settled;
  }

  let isFailing = false;
  return repeating(everyMs, async (signal) => {
    try {
      const settled = await sweep(signal);
      isFailing = false;
      return settled;
    } catch (error) {
      // Once, until they are read again: this is tried every few seconds.
      if (!isFailing && !signal.aborted) deps.log.warn({ err: error }, 'kept runs could not be read; trying on');
      isFailing = true;
      return 0;
    }
  });
}
