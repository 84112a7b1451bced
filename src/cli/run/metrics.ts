// The metrics of a process, and the port on which scrapers read them.
import type { Registry } from 'prom-client';
import type { Environment } from '../../host/process/environment.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import { choosePort } from '../../host/net/free-port.ts';
import { startMetricsListener, type MetricsListener } from '../../host/metrics/listener.ts';
import { createRegistry } from '../../host/metrics/registry.ts';
import { createWorkerMetrics, type WorkerMetrics } from '../../host/metrics/worker-metrics.ts';
import type { Logger } from '../../host/process/log.ts';
import { createTemporalTime, type TemporalTime } from '../../host/temporal/temporal-time.ts';
import type { QuestionEvent } from '../../store/ports/upkeep.ts';

export interface ProcessMetrics {
  registry: Registry;
  worker: WorkerMetrics;
  /** Address for the exporter of Temporal's SDK; null: it would not be read. */
  sdkAddress: string | null;
  /** Counts a change of a question; now is by the clock of deadlines. */
  onEvent(event: QuestionEvent, now: Date): void;
  /** Opens the port of STANDFAST_METRICS_PORT; null without one. */
  listen(fault: () => Promise<string | null>): Promise<MetricsListener | null>;
}

const scrapeMs = 2_000;

export async function createProcessMetrics(
  role: 'api' | 'worker' | 'up',
  { metricsPort, metricsHost }: Pick<Environment, 'metricsPort' | 'metricsHost'>,
): Promise<ProcessMetrics> {
  const registry = createRegistry(role);
  const worker = createWorkerMetrics(registry);
  // Its own port, on loopback: the SDK exports by a server of its own, which the listener passes on.
  const sdkAddress = metricsPort === undefined || role === 'api' ? null : `127.0.0.1:${await choosePort([])}`;

  async function text(): Promise<string> {
    const [own, sdk] = await Promise.all([registry.metrics(), sdkAddress === null ? '' : scrape(sdkAddress)]);
    return sdk === '' ? own : `${own.trimEnd()}\n${sdk}`;
  }
  return {
    registry,
    worker,
    sdkAddress,
    onEvent({ kind, policy, openedAt, at, dueAt }, now) {
      worker.questionEvents.inc({ policy, event: kind });
      if (kind === 'decided' && at !== null)
        worker.decisionWait.observe({ policy }, Math.max(0, (Date.parse(at) - Date.parse(openedAt)) / 1000));
      if (dueAt !== null) worker.levels.observe('deadline', { policy }, (now.getTime() - Date.parse(dueAt)) / 1000);
    },
    async listen(fault) {
      if (metricsPort === undefined) return null;
      return startMetricsListener({ host: metricsHost, port: metricsPort, metrics: text, fault });
    },
  };
}

/** Temporal's time, as a process knows it once a role of it reads it. */
export const timeOf = (log: Logger, { worker }: Pick<ProcessMetrics, 'worker'>): TemporalTime =>
  createTemporalTime({
    log: log.child({ part: 'clock' }),
    seen: (aheadMs) => worker.clockAhead.set(aheadMs / 1000),
  });

/** Metrics of Temporal's SDK; empty if they cannot be read, so that the others still are. */
async function scrape(address: string): Promise<string> {
  try {
    const response = await fetch(`http://${address}/metrics`, { signal: timeLimit(scrapeMs) });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}
