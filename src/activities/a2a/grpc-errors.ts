// What a status of gRPC means that is no error of A2A's own: those have their reason in its details, and are read by name.
import { status as statuses } from '@grpc/grpc-js';
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';

/** Of gRPC's client: the request had no connection to leave by. */
const neverLeft = /No connection established|Name resolution failed/;
/** Of gRPC's client: the connection, and not the agent, ended the request. */
const cut = /RST_STREAM|Connection dropped|Channel closed|transport/i;

interface GrpcStatus {
  code: number;
  details: string;
}

/** The status in an error of the SDK's client; null for any other error. */
export function grpcStatusIn(error: unknown): GrpcStatus | null {
  if (typeof error !== 'object' || error === null || Reflect.get(error, 'transport') !== 'grpc') return null;
  const code: unknown = Reflect.get(error, 'status');
  const cause: unknown = Reflect.get(error, 'cause');
  const details: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'details') : undefined;
  return typeof code === 'number' ? { code, details: typeof details === 'string' ? details : '' } : null;
}

/** Only what the agent's own server states for good is a refusal; a status may also come from any proxy on the way. */
export function ofGrpcStatus({ code, details }: GrpcStatus): A2aErrorInfo {
  const words = details === '' ? `gRPC status ${code}` : details;
  const answered = `the agent answered: ${words}`;
  const refused = { kind: 'final', wasTaken: false, message: answered } as const;
  const broken = {
    kind: 'retryable',
    what: 'network',
    wasTaken: 'unknown',
    message: `the connection to the agent broke (${words})`,
  } as const;
  switch (code) {
    case statuses.UNAUTHENTICATED:
      return { ...refused, what: 'http', status: 401 };
    case statuses.PERMISSION_DENIED:
      return { ...refused, what: 'http', status: 403 };
    case statuses.NOT_FOUND:
      return { ...refused, what: 'task-not-found' };
    case statuses.UNIMPLEMENTED:
      return { ...refused, what: 'no-method' };
    case statuses.INVALID_ARGUMENT:
    case statuses.FAILED_PRECONDITION:
    case statuses.OUT_OF_RANGE:
      return { ...refused, what: 'refused' };
    case statuses.RESOURCE_EXHAUSTED:
      return details.startsWith('Received message larger')
        ? {
            kind: 'final',
            what: 'too-large',
            wasTaken: 'unknown',
            message: `the agent's answer is too large: ${details}`,
          }
        : { kind: 'retryable', what: 'http', status: 429, wasTaken: 'unknown', message: answered };
    case statuses.UNAVAILABLE:
      if (!neverLeft.test(details)) return broken;
      return { kind: 'not-sent', what: 'network', wasTaken: false, message: `the agent cannot be reached (${words})` };
    case statuses.CANCELLED:
    case statuses.DEADLINE_EXCEEDED:
      return broken;
    default:
      if (cut.test(details)) return broken;
      return { kind: 'retryable', what: 'agent-error', wasTaken: 'unknown', message: answered };
  }
}

/** Whether it is how gRPC's client reports that its caller gave the request up. */
export const isCancelled = (error: unknown): boolean => grpcStatusIn(error)?.code === statuses.CANCELLED;

/** The agent wants other credentials than it got. */
export const isUnauthenticated = (error: unknown): boolean => grpcStatusIn(error)?.code === statuses.UNAUTHENTICATED;
