import type { ProblemCode, Refusal } from '../../contract/base/problem.ts';

/** A refusal or failure with a stable code of `contract/base/problem.ts`. */
export class StandfastError extends Error {
  override name = 'StandfastError';
  readonly code: ProblemCode;
  readonly data: Refusal['data'];
  constructor(code: ProblemCode, message: string, options: { data?: Refusal['data']; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }
}

export function refuse(code: ProblemCode, message: string, data?: Refusal['data']): Refusal {
  return data === undefined ? { ok: false, code, message } : { ok: false, code, message, data };
}

export function errorOf(refusal: Refusal): StandfastError {
  return new StandfastError(refusal.code, refusal.message, refusal.data === undefined ? {} : { data: refusal.data });
}

/** Ends a switch over a closed union; reached only when a value breaks its type. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
