// OpenTelemetry traces: off, and not even loaded, unless the standard variables name a collector.
import type { Environment } from '../../host/process/environment.ts';
import type { Traces } from './otel.ts';

export type { Traces };

/** `role` names the service unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES does. */
export async function startTraces({ traces }: Environment, role: string): Promise<Traces | null> {
  if (traces === null) return null;
  const { createTraces } = await import('./otel.ts');
  return createTraces(traces, role);
}
