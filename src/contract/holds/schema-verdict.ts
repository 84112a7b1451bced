/** Whether values fit a foreign schema, which is only ever applied in a thread that can be ended (`host/schema/schema-runner.ts`). */
export type SchemaVerdict =
  | { ok: true }
  | { ok: false; errors: { path: string; message: string }[] }
  /** Why the schema cannot be used: invalid, unsupported or too costly. */
  | { ok: false; unusable: string };
