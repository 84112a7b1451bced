// What a failed call to Temporal means. The errors are those measured on server 1.29 (closing races, no worker, no server).
import { wordsOfFullSlots } from '../../core/turn/slot-words.ts';
import {
  ApplicationFailure,
  CancelledFailure,
  isGrpcDeadlineError,
  isGrpcServiceError,
  NamespaceNotFoundError,
  QueryNotRegisteredError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { problems, type ProblemCode, type Refusal } from '../../contract/base/problem.ts';
import { refuse, StandfastError } from '../../core/base/errors.ts';
import type { Store } from '../../store/store.ts';
import { grpc } from '../../host/temporal/grpc-codes.ts';

export type CallFailure =
  /** The workflow's own refusal. */
  | { kind: 'refused'; refusal: Refusal }
  /** The execution was just ending: the next try meets the next one, or none. */
  | { kind: 'race' }
  /** No such open execution: it has ended, or it is another chain by now. */
  | { kind: 'closed' }
  /** No answer in time; it may still be carried out. */
  | { kind: 'timeout' }
  | { kind: 'engine-unavailable' }
  /** The server limits the rate of requests. */
  | { kind: 'overloaded' }
  | { kind: 'broken'; error: unknown };

/** The error and its causes, at any depth. */
function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one !== undefined && chain.length < 4; one = one instanceof Error ? one.cause : undefined)
    chain.push(one);
  return chain;
}

/** What grpc-js throws, without a code, at a call on a connection that this process has closed since it is stopping. */
const closedConnection = 'Channel has been shut down';

/**
 * A server that is starting, stopping or short of its own store says so, although the namespace was there when we started.
 * And a connection that breaks in the middle of a call may be reported as an internal error.
 */
function isServerUnavailable(error: unknown): boolean {
  return chainOf(error).some((one) => {
    if (one instanceof NamespaceNotFoundError) return true;
    if (one instanceof Error && one.message === closedConnection) return true;
    if (!isGrpcServiceError(one)) return false;
    if (one.code === grpc.notFound) return one.details.startsWith('Namespace ');
    return one.code === grpc.internal && one.details.includes('RST_STREAM');
  });
}

function grpcCodeOf(error: unknown): number | null {
  return chainOf(error).find((one) => isGrpcServiceError(one))?.code ?? null;
}

function updateFailureOf(error: WorkflowUpdateFailedError): CallFailure {
  const { cause } = error;
  if (cause instanceof CancelledFailure) return { kind: 'race' };
  if (!(cause instanceof ApplicationFailure)) return { kind: 'broken', error };
  if (cause.type === 'AcceptedUpdateCompletedWorkflow') return { kind: 'race' };
  // It came while the workflow task was being prolonged, and no workflow code has seen it.
  if (cause.type === 'UnprocessedUpdate') return { kind: 'race' };
  if (cause.type === undefined || cause.type === null || !Object.hasOwn(problems, cause.type)) {
    return { kind: 'broken', error };
  }
  const data: unknown = cause.details?.[0];
  // Safe: found in the one list just above; details of Standfast's refusals are Refusal.data.
  const code = cause.type as ProblemCode;
  const isData = typeof data === 'object' && data !== null;
  return { kind: 'refused', refusal: refuse(code, cause.message, isData ? (data as Refusal['data']) : undefined) };
}

export function failureOf(error: unknown): CallFailure {
  if (error instanceof WorkflowUpdateFailedError) return updateFailureOf(error);
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error))
    return { kind: 'timeout' };
  if (isServerUnavailable(error)) return { kind: 'engine-unavailable' };
  if (error instanceof WorkflowNotFoundError) return { kind: 'closed' };
  // Temporal reports so, too, that the worker could not go on with the history: one of another version may.
  if (error instanceof QueryNotRegisteredError) return { kind: 'timeout' };
  switch (grpcCodeOf(error)) {
    case grpc.unavailable:
      return { kind: 'engine-unavailable' };
    case grpc.resourceExhausted:
      return { kind: 'overloaded' };
    // A workflow task that keeps failing: a worker of another version may still take it.
    case grpc.failedPrecondition:
    case grpc.deadlineExceeded:
    // A call that was given up at its deadline is reported so, too, when the server was the first to see it.
    case grpc.cancelled:
      return { kind: 'timeout' };
    case grpc.aborted:
      return { kind: 'race' };
    default:
      return { kind: 'broken', error };
  }
}

/** A worker without a heartbeat for this long counts as gone. */
export const heartbeatStaleMs = 30_000;

export async function isWorkerThere(api: { store: Pick<Store, 'workers'> }): Promise<boolean> {
  const ageMs = await api.store.workers.sinceHeartbeatMs();
  return ageMs !== null && ageMs < heartbeatStaleMs;
}

const unavailableMessages: Partial<Record<ProblemCode, string>> = {
  engine_unavailable: 'Temporal cannot be reached; the same request again is safe',
  worker_unavailable: 'no worker has taken this yet; the same request again is safe',
  decision_not_confirmed: 'no worker has confirmed the decision yet; the same request again is safe',
};

/** Why Temporal did not answer in time; `slow` is the code when everything seems to be up. */
export async function noAnswerError(
  api: { store: Pick<Store, 'workers' | 'circuits'> },
  by: 'worker' | 'engine',
  slow: 'worker_unavailable' | 'decision_not_confirmed',
): Promise<StandfastError> {
  const code = by === 'engine' ? 'engine_unavailable' : (await isWorkerThere(api)) ? slow : 'worker_unavailable';
  const full = code === 'worker_unavailable' ? await whySlotsAreFull(api) : null;
  const message = unavailableMessages[code] ?? code;
  return new StandfastError(code, full === null ? message : `${message}: ${full}`);
}

/** Null: they are not, or it is not known. */
async function whySlotsAreFull({ store }: { store: Pick<Store, 'workers' | 'circuits'> }): Promise<string | null> {
  try {
    const [slots, circuits] = await Promise.all([store.workers.slots(heartbeatStaleMs), store.circuits.list()]);
    return wordsOfFullSlots(slots, circuits);
  } catch {
    return null;
  }
}
