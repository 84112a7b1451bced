// Posts again what was kept and never admitted: Temporal or its workers were away, or this process died in between.
import type { FastifyBaseLogger } from 'fastify';
import { repeating, type Repeating } from '../../host/process/repeating.ts';
import { isWorkerThere } from '../engine/temporal-failures.ts';
import { submitRun, type SubmitDeps } from './submit-run.ts';

interface SweeperOptions {
  everyMs?: number;
  olderThanMs?: number;
  /** Runs of one pass. */
  limit?: number;
}

/** A run that breaks every try is given up after this. */
const giveUpAfterMs = 3_600_000;

/** A pass resolves with the number of runs that it settled. */
export function createSweeper(
  deps: SubmitDeps & { log: FastifyBaseLogger },
  options: SweeperOptions = {},
): Repeating<number> {
  const { everyMs = 3_000, olderThanMs = 5_000, limit = 50 } = options;

  async function sweep(signal: AbortSignal): Promise<number> {
    const rows = await deps.store.intake.unsettled(olderThanMs, limit);
    // Without a worker every call would only wait for its deadline.
    if (rows.length === 0 || !(await isWorkerThere(deps))) return 0;
    let settled = 0;
    for (const row of rows) {
      if (signal.aborted) break;
      try {
        const admission = await submitRun(deps, row);
        if (admission.result === 'unanswered' && admission.isWaiting === true) continue;
        if (admission.result === 'unanswered') break;
        settled += 1;
        deps.log.info({ agent: row.agent, runId: row.runId, result: admission.result }, 'a kept run was posted again');
      } catch (error) {
        deps.log.error({ err: error, agent: row.agent, runId: row.runId }, 'a kept run cannot be posted');
        // The oldest come first: a few that can never be posted must not block all others.
        if (Date.now() - Date.parse(row.receivedAt) > giveUpAfterMs)
          await deps.store.intake.settle(row, { refused: 'internal' });
      }
    }
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
      if (!isFailing) deps.log.warn({ err: error }, 'kept runs could not be read; trying on');
      isFailing = true;
      return 0;
    }
  });
}
