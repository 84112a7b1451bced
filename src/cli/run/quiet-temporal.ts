import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { LogLevel } from '@temporalio/worker';
import type { Logger } from '../../host/process/log.ts';
import type { OutageLog } from '../../host/process/outage.ts';
import type { TemporalTarget } from '../../host/temporal/temporal-connection.ts';
import { createOutageWatch, isRetryWarning, temporalFault } from './temporal-outage.ts';

/**
 * Redirects the Temporal SDK's log to Standfast's, and its metrics to a server at this address; must run before its first
 * connection.
 */
export function logTemporalTo(
  log: Logger,
  target: TemporalTarget,
  metricsAddress: string | null,
  outages?: OutageLog,
): void {
  const part = log.child({ part: 'temporal' });
  const methods: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
    TRACE: 'trace',
    DEBUG: 'debug',
    INFO: 'debug',
    WARN: 'warn',
    ERROR: 'error',
  };
  const noteRetry = createOutageWatch({ log: outages ?? part, fault: () => temporalFault(target) });
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    // The workers of turns and of Nexus have no workflows or activities by design, and failed tasks with our code are expected.
    const isExpected = /^No (workflows|activities) registered/.test(message) || message === 'Workflow failed';
    const write = (as: LogLevel): void => part[methods[as]](withoutPayloads(meta), message);
    if (isRetryWarning(message)) noteRetry(() => write(level));
    else write(isExpected ? 'DEBUG' : level);
  });
  Runtime.install({
    logger,
    telemetryOptions: {
      logging: { forward: {}, filter: 'WARN' },
      ...(metricsAddress === null
        ? {}
        : {
            metrics: {
              prometheus: {
                bindAddress: metricsAddress,
                countersTotalSuffix: true,
                unitSuffix: true,
                useSecondsForDurations: true,
              },
            },
          }),
    },
    // Our shutdown stops the workers, because the API needs them for its last responses.
    shutdownSignals: [],
  });
}

/** The log fields without payloads, which must not be logged; errors and ids are kept. */
function withoutPayloads(meta: Record<string | symbol, unknown> | undefined): Record<string, unknown> {
  const wanted = [
    'error',
    'workflowId',
    'runId',
    'activityType',
    'taskQueue',
    'attempt',
    'taskId',
    'holdId',
    'agent',
    'why',
  ];
  return Object.fromEntries(
    Object.entries(meta ?? {}).flatMap(([key, value]) =>
      wanted.includes(key) ? [[key === 'error' ? 'err' : key, value]] : [],
    ),
  );
}
