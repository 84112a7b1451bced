// Maps the reason why a command failed to an exit code (docs/operate/run.md).
import { StartError } from '../run/startup-output.ts';

export const exitCodes = {
  failed: 1,
  /** A person's no. */
  refused: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  invalid: 6,
  unreachable: 7,
  expired: 8,
  withdrawn: 9,
  waiting: 10,
} as const;
export type ExitCause = keyof typeof exitCodes;

export interface ProblemDetails {
  code?: string;
  title?: string;
  detail?: string;
  requestId?: string;
  errors?: { path: string; message: string }[];
}

/** A failed command; `problem` is the server's problem document, if there was one. */
export class CommandError extends StartError {
  override name = 'CommandError';
  readonly reason: ExitCause;
  readonly status: number | null;
  readonly problem: ProblemDetails | null;

  constructor(
    reason: ExitCause,
    message: string,
    { status = null, problem = null }: { status?: number | null; problem?: ProblemDetails | null } = {},
  ) {
    super(message);
    this.reason = reason;
    this.status = status;
    this.problem = problem;
  }
}

const causes: Record<number, ExitCause> = {
  400: 'invalid',
  401: 'notAllowed',
  403: 'notAllowed',
  404: 'notFound',
  409: 'conflict',
  413: 'invalid',
  422: 'invalid',
  429: 'unreachable',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
};

/** The error for a server's refusal. */
export function refusedBy(status: number, problem: ProblemDetails): CommandError {
  const errors = (problem.errors ?? []).map(({ path, message }) => `\n  ${path}: ${message}`).join('');
  // The detail repeats the list of errors.
  const text = errors === '' ? (problem.detail ?? problem.title) : (problem.title ?? problem.detail);
  const help = status === 401 ? ' (STANDFAST_API_KEY, or --api-key)' : '';
  const message = `${status} ${problem.code ?? ''}: ${text ?? 'refused'}${help}${errors}`;
  return new CommandError(causes[status] ?? 'failed', message, { status, problem });
}

/** Standfast is away, or busy; what it refuses it refuses the next time, too. */
export const isPassing = (error: unknown): error is CommandError =>
  error instanceof CommandError && (error.reason === 'unreachable' || (error.status ?? 0) >= 500);

export const exitCodeOf = (error: unknown): number =>
  exitCodes[error instanceof CommandError ? error.reason : 'failed'];

/** A fault of the program's own, which its authors need the place of. */
const isFault = (error: Error): boolean =>
  [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].some((one) => error instanceof one) ||
  error.name === 'AssertionError';

const isForPeople = (error: unknown): error is Error =>
  error instanceof StartError || (error instanceof Error && error.name.endsWith('Error') && !isFault(error));

/** The error as printed: with its stack if it was not written for people. */
export const errorText = (error: unknown): string =>
  isForPeople(error) ? error.message : String(error instanceof Error ? error.stack : error);

/** The error as printed with `--json`. */
export function errorJson(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const { status = null, problem = null } = error instanceof CommandError ? error : {};
  return JSON.stringify({
    error: {
      code: problem?.code ?? null,
      status,
      exitCode: exitCodeOf(error),
      message,
      errors: problem?.errors ?? [],
      requestId: problem?.requestId ?? null,
    },
  });
}
