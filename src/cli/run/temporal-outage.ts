// Of an outage of Temporal the SDK's core warns at each retry of each of its polls, and says nothing of its end.
import { outageOf, type OutageLog } from '../../host/process/outage.ts';
import { startFailure } from '../../host/temporal/start-failure.ts';
import { withConnection, type TemporalTarget } from '../../host/temporal/temporal-connection.ts';
import { sleep } from '../../host/process/sleep.ts';

export const isRetryWarning = (message: string): boolean => /^gRPC call \w+ retried \d+ times$/.test(message);

const probeMs = 2_000;

/** Why Temporal cannot be used now, with cause and cure; null: it can. */
export async function temporalFault(target: TemporalTarget): Promise<unknown> {
  try {
    await withConnection(target, probeMs, ({ workflowService }) =>
      workflowService.describeNamespace({ namespace: target.namespace }),
    );
    return null;
  } catch (error) {
    return startFailure(error, target);
  }
}

interface Watching {
  log: OutageLog;
  fault(): Promise<unknown>;
  /** Between two probes; by default a time that keeps no process running. */
  wait?(): Promise<unknown>;
  now?(): number;
}

/**
 * Call it at each retry warning, with what logs it: there is one line when Temporal goes and one when it is back, and the
 * warning only where a probe finds nothing wrong.
 */
export function createOutageWatch({
  log,
  fault,
  wait = () => sleep(probeMs, { ref: false }),
  now,
}: Watching): (warn: () => void) => void {
  let isWatching = false;
  const effect = 'Temporal cannot be used: this worker takes no work until it is back';
  const outage = outageOf('temporal', { effect, log, ...(now && { now }) });
  async function watch(warn: () => void): Promise<void> {
    const err = await fault();
    if (err === null) {
      warn();
      return;
    }
    outage.fails(() => err);
    do await wait();
    while ((await fault()) !== null);
    outage.works();
  }
  return (warn) => {
    if (isWatching) return;
    isWatching = true;
    void watch(warn).finally(() => {
      isWatching = false;
    });
  };
}
