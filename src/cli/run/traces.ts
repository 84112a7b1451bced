// OpenTelemetry traces: off, and not even loaded, unless the standard variables name a collector.
import type { WorkflowClientInterceptor } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { TraceRequest } from '../../api/api-deps.ts';
import type { Environment } from '../../host/process/environment.ts';

export interface Traces {
  ofRequest: TraceRequest;
  /** Calls of Temporal: spans, whose context goes along in headers. */
  ofClient: WorkflowClientInterceptor[];
  ofActivities: ActivityInterceptorsFactory[];
  /** The `fetch` for one agent: spans, whose context goes along as `traceparent`. */
  fetchOf(agent: string, send: typeof fetch): typeof fetch;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** `role` names the service unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES does. */
export async function startTraces({ traces }: Environment, role: string): Promise<Traces | null> {
  if (traces === null) return null;
  const { createTraces } = await import('./otel.ts');
  return createTraces(traces, role);
}
