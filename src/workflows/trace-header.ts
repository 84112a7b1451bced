// Hands the trace context of the newest command on to everything that the workflow does next. The header is copied as it came:
// nothing is measured in here, and without a header (traces are off) nothing is done. Loaded as an interceptor module.
import type { Headers } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';

/** As `@temporalio/interceptors-opentelemetry` names it, which reads and writes it in clients and activities. */
const header = '_tracer-data';
/** Of a client without a span the header has an empty object. */
const emptyBytes = '{}'.length;

export const interceptors = (): WorkflowInterceptors => {
  let newest: Headers[string] | null = null;
  const take = (headers: Headers): void => {
    const given = headers[header];
    if ((given?.data?.length ?? 0) > emptyBytes) newest = given ?? null;
  };
  const withTrace = <T extends { headers: Headers }>(input: T): T =>
    newest === null ? input : { ...input, headers: { ...input.headers, [header]: newest } };
  return {
    inbound: [
      {
        execute: (input, next) => (take(input.headers), next(input)),
        handleUpdate: (input, next) => (take(input.headers), next(input)),
        handleSignal: (input, next) => (take(input.headers), next(input)),
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        startChildWorkflowExecution: (input, next) => next(withTrace(input)),
        continueAsNew: (input, next) => next(withTrace(input)),
      },
    ],
  };
};
