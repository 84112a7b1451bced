// Posts again what was kept and never admitted: Temporal or its workers were away, or this process died in between.
import type { FastifyBaseLogger } from 'fastify';
import { isWorkerThere } from '../engine/temporal-failures.ts';
import { admit, type AdmitDeps } from './admit.ts';

export interface Sweeper {
  start(): void;
  /** Resolves when the pass under way is over. */
  stop(): Promise<void>;
  /** One pass; returns how many runs were settled. */
  sweep(): Promise<number>;
}

export interface SweeperOptions {
  everyMs?: number;
  olderThanMs?: number;
  /** Runs of one pass. */
  limit?: number;
}

/** A run that breaks every try is given up after this. */
const giveUpAfterMs = 3_600_000;

export function createSweeper(deps: AdmitDeps & { log: FastifyBaseLogger }, options: SweeperOptions = {}): Sweeper {
  const { everyMs = 3_000, olderThanMs = 5_000, limit = 50 } = options;
  let timer: NodeJS.Timeout | null = null;
  let pass: Promise<number> | null = null;
  let isStopped = true;
  let isStopping = false;

  async function sweepOnce(): Promise<number> {
    const rows = await deps.store.intake.unsettled(olderThanMs, limit);
    // Without a worker every call would only wait for its deadline.
    if (rows.length === 0 || !(await isWorkerThere(deps))) return 0;
    let settled = 0;
    for (const row of rows) {
      if (isStopping) break;
      try {
        const admission = await admit(deps, row);
        if (admission.result === 'unanswered') break;
        settled += 1;
        deps.log.info({ agent: row.agent, runId: row.runId, result: admission.result }, 'a kept run was posted again');
      } catch (error) {
        deps.log.error({ err: error, agent: row.agent, runId: row.runId }, 'a kept run cannot be posted');
        // The oldest come first: a few that can never be posted must not stand in the way of all others.
        if (Date.now() - Date.parse(row.receivedAt) > giveUpAfterMs)
          await deps.store.intake.settle(row, { refused: 'internal' });
      }
    }
    return settled;
  }

  /** One pass at a time, whoever asks. */
  function sweep(): Promise<number> {
    pass ??= sweepOnce().finally(() => {
      pass = null;
    });
    return pass;
  }

  function later(): void {
    if (isStopped) return;
    timer = setTimeout(() => {
      sweep()
        .catch((error: unknown) => deps.log.warn({ err: error }, 'kept runs could not be read; trying on'))
        .finally(later);
    }, everyMs);
    timer.unref();
  }

  return {
    sweep,
    start() {
      if (!isStopped) return;
      isStopped = false;
      isStopping = false;
      later();
    },
    async stop() {
      isStopped = true;
      isStopping = true;
      if (timer !== null) clearTimeout(timer);
      await pass?.catch(() => 0);
    },
  };
}
