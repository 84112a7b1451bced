/** The entry of a name that came from elsewhere, such as `constructor`; undefined: the record has none of its own. */
export const ownEntry = <T>(record: Readonly<Record<string, T>>, name: string | null | undefined): T | undefined =>
  typeof name === 'string' && Object.hasOwn(record, name) ? record[name] : undefined;
