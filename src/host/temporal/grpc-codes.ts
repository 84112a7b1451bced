// Status codes of gRPC, by which Temporal's server refuses and fails, under their own names.

export const grpc = {
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The code of an error; -1: it has none. */
export const grpcCodeOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : -1;
