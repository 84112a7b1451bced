// So many starts at a time are handed to Temporal, so that answers do not wait behind new work there. Others wait here, in the
// order they came, and beyond so many a start is refused before anything of it is kept.
import { StandfastError } from '../../core/base/errors.ts';
import type { PrometheusMetrics } from '../http/prometheus.ts';

export interface StartGate {
  /** Throws `rate_limited` when as many wait as may; what was kept before is taken at any time. */
  refuseWhenFull(wasKept?: () => Promise<boolean>): Promise<void>;
  /** Runs the start when its turn has come. While others wait, its place is given on only once its work `hasBegun`. */
  pass<T>(start: () => Promise<T>, hasBegun: (result: T) => Promise<unknown>): Promise<T>;
}

/** More than a worker can begin in a second, and few enough that an answer behind them comes soon. */
const atOnce = 16;

/** @param maxWaiting 0: no limit */
export function createStartGate(maxWaiting: number, metrics: Pick<PrometheusMetrics, 'refusedStarts'>): StartGate {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) underWay -= 1;
    else next();
  };
  return {
    async refuseWhenFull(wasKept) {
      if (maxWaiting === 0 || waiting.length < maxWaiting || (await wasKept?.()) === true) return;
      metrics.refusedStarts.inc();
      throw new StandfastError('rate_limited', `${maxWaiting} starts wait already; nothing of this one was kept`);
    },
    async pass(start, hasBegun) {
      if (underWay < atOnce) underWay += 1;
      else await new Promise<void>((go) => waiting.push(go));
      const started = start();
      void started.then((result) => (waiting.length === 0 ? undefined : hasBegun(result))).then(leave, leave);
      return started;
    },
  };
}
