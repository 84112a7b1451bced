export interface FieldError {
  path: string;
  message: string;
}

interface Problem {
  code?: string;
  title?: string;
  detail?: string;
  requestId?: string;
  errors?: FieldError[];
}

/**
 * A request that Standfast refused, or one without a usable answer (`status` 0): `network`, `wrong_address`, or
 * `payload_invalid` for an answer that does not fit its schema. `NotAnswered` has `status` 200.
 */
export class StandfastError extends Error {
  override name = 'StandfastError';
  readonly status: number;
  /** One of the codes in Standfast's docs/errors.md, or the client's own: `network`, `wrong_address`, `not_answered`. */
  readonly code: string;
  /** What is wrong with which field of an answer. */
  readonly errors: FieldError[];
  readonly requestId: string | null;

  constructor(status: number, problem: Problem, options?: ErrorOptions) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`, options);
    this.status = status;
    this.code = problem.code ?? 'unknown';
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId ?? null;
  }

  /** The same request again is safe and may succeed. */
  get isRetryable(): boolean {
    return (this.status === 0 && this.code === 'network') || [429, 502, 503, 504].includes(this.status);
  }
}

/** A server's message to a refused request; a proxy's page of HTML is not a problem document. */
export function problemFrom(response: Pick<Response, 'status'>, body: unknown): StandfastError {
  const problem = typeof body === 'object' && body !== null ? body : { detail: String(body ?? '').slice(0, 300) };
  return new StandfastError(response.status, problem);
}
