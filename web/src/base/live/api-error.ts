// Why a request brought no result.
export interface FieldError {
  path: string;
  message: string;
}

/** A request that brought no result: by the server's word (`code`), or `network` with status 0. */
export class ApiError extends Error {
  readonly code: string;
  /** 0: no answer came. */
  readonly status: number;
  readonly detail: string = '';
  readonly errors: FieldError[] = [];
  /** The whole problem, with its members other than the code (`ended`, `supersededBy`, …). */
  readonly data: Record<string, unknown> = {};
  readonly requestId: string | null = null;
  readonly retryAfterMs: number | null = null;

  constructor(problem: Pick<ApiError, 'code' | 'status'> & Partial<Omit<ApiError, keyof Error | 'mayPass'>>) {
    super(`${problem.code}: ${problem.detail ?? ''}`);
    this.name = 'ApiError';
    this.code = problem.code;
    this.status = problem.status;
    Object.assign(this, problem);
  }

  /** The same again may succeed: no answer came, or the server had no time for one. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}
