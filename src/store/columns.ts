import { customType } from 'drizzle-orm/pg-core';

/**
 * JSON kept as `text`: what agents write may hold `\u0000` and lone surrogates, which jsonb refuses. JSON.stringify
 * escapes both, so the stored text is always valid.
 */
export const json = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (text) => JSON.parse(text) as unknown,
});

/** A point in time, ISO 8601 in UTC with milliseconds on our side. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  fromDriver: (text) => new Date(text).toISOString(),
});
