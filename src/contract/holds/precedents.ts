import { z } from 'zod';

/** What the caller decided before, of the questions of the same agent; nobody else's decisions are in it. */
export const PrecedentsSchema = z
  .object({
    /** What the caller wrote with their last noes, latest first, each once. */
    reasons: z.array(z.string()),
  })
  .meta({ id: 'Precedents' });
export type PrecedentsView = z.infer<typeof PrecedentsSchema>;
