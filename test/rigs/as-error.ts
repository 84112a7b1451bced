/**
 * Whatever was thrown, as an Error. Node's own errors come from outside jest's realm, where `instanceof Error` is false
 * for them, so they are known by their shape.
 */
export function asError(thrown: unknown): Error {
  return isErrorLike(thrown) ? thrown : new Error(String(thrown));
}

function isErrorLike(value: unknown): value is Error {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  );
}
