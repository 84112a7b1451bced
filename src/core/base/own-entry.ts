/** The entry of a name that came from elsewhere, such as `constructor`; undefined: the record has none of its own. */
export const ownEntry = <T>(record: Readonly<Record<string, T>>, name: string | null | undefined): T | undefined =>
  typeof name === 'string' && Object.hasOwn(record, name) ? record[name] : undefined;

/** The value at a path, of own entries alone; undefined: none. */
export const valueAt = (from: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      // Safe: of whatever it is, its own entries are read.
      typeof value === 'object' && value !== null ? ownEntry(value as Record<string, unknown>, name) : undefined,
    from,
  );
