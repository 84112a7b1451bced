import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { LogLevel } from '@temporalio/worker';
import type { Logger } from '../../host/process/log.ts';

/** Temporal's own words go into our log; must run before its first connection. */
export function logTemporalTo(log: Logger): void {
  const part = log.child({ part: 'temporal' });
  const methods: Record<LogLevel, 'trace' | 'debug' | 'info' | 'warn' | 'error'> = {
    TRACE: 'trace',
    DEBUG: 'debug',
    INFO: 'debug',
    WARN: 'warn',
    ERROR: 'error',
  };
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    // The worker of turns has no workflows on purpose, and a task that ends Failed with our code ends honestly.
    const isExpected = message.startsWith('No workflows registered') || message === 'Workflow failed';
    part[isExpected ? 'debug' : methods[level]](withoutPayloads(meta), message);
  });
  Runtime.install({
    logger,
    telemetryOptions: { logging: { forward: {}, filter: 'WARN' } },
    // Workers stop when we stop them: what the api still answers needs them.
    shutdownSignals: [],
  });
}

/** Errors and ids are wanted; payloads must not be printed. */
function withoutPayloads(meta: Record<string | symbol, unknown> | undefined): Record<string, unknown> {
  const wanted = ['error', 'workflowId', 'runId', 'activityType', 'taskQueue', 'attempt'];
  return Object.fromEntries(
    Object.entries(meta ?? {}).flatMap(([key, value]) =>
      wanted.includes(key) ? [[key === 'error' ? 'err' : key, value]] : [],
    ),
  );
}
