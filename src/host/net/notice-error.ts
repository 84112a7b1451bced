/** A message that did not go out; `isFinal`: trying again would be refused again. */
export class NoticeError extends Error {
  override name = 'NoticeError';
  readonly isFinal: boolean;
  readonly retryAfterMs: number | null;
  constructor(message: string, isFinal: boolean, retryAfterMs: number | null = null) {
    super(message);
    this.isFinal = isFinal;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What failed on the way to a sink. Never its address: it may hold a password, or be one (Slack). */
export function sendingFault(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  return cause instanceof Error ? cause.name : 'unknown error';
}
