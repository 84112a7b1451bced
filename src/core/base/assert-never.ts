/** Ends a switch over a closed union; reached only when a value breaks its type. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
