import { z } from 'zod';

const DefinitionSchema = z.record(z.string(), z.unknown());

/** A tool behind a gate: as it was approved, and as its server lists it now. */
const GateToolSchema = z.object({
  name: z.string(),
  /** `changed`, `new`: held back until an operator approves it. */
  state: z.enum(['approved', 'changed', 'new']),
  /** Of how it is listed: an approval names it. */
  digest: z.string(),
  listed: DefinitionSchema,
  listedAt: z.string(),
  approved: DefinitionSchema.nullable(),
  approvedAt: z.string().nullable(),
  /** Null also where it was among the first that the server listed. */
  approvedBy: z.string().nullable(),
});
export type GateToolView = z.infer<typeof GateToolSchema>;

export const GateViewSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    /** Where clients reach it. */
    address: z.string(),
    /** The address of its server, or the program that is started. */
    server: z.string(),
    policy: z.string().nullable(),
    /** Why its server lists no tools now; null: it does. */
    fault: z.string().nullable(),
    tools: z.array(GateToolSchema),
  })
  .meta({ id: 'Gate' });
export type GateView = z.infer<typeof GateViewSchema>;

export const ApproveToolSchema = z.strictObject({ tool: z.string().min(1).max(500), digest: z.string().max(200) });
