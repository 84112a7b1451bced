import { z } from 'zod';
import { HoldRowViewSchema } from './inbox.ts';

/** What was decided before, of the questions of the same agent: the caller's own noes, and what they may read of others. */
export const PrecedentsSchema = z
  .object({
    /** What the caller wrote with their last noes, latest first, each once. */
    reasons: z.array(z.string()),
    /** Of a tool call: the last one of the same tool that was approved, and what is different now; null: none is known. */
    call: z
      .object({
        id: z.string(),
        at: z.string(),
        by: z.string(),
        /** Calls of it that were approved, among the last questions of the agent. */
        approved: z.number(),
        /** Arguments that are as they were then. */
        same: z.number(),
        /** The others. `before` and `now`: null where it is not given; `times` and `mine`: how often what it was then was approved, and by the caller. */
        differs: z.array(
          z.object({
            path: z.array(z.string()),
            kind: z.enum(['changed', 'added', 'removed']),
            before: z.union([z.string(), z.number(), z.boolean()]).nullable(),
            now: z.union([z.string(), z.number(), z.boolean()]).nullable(),
            times: z.number(),
            mine: z.number(),
          }),
        ),
      })
      .nullable(),
    /** The agent's last 50 questions like this one that have ended; null: none is known. */
    alike: z
      .object({
        count: z.number(),
        /** Approved. */
        granted: z.number(),
        /** Neither approved nor refused, as most forms are. */
        answered: z.number(),
        refused: z.number(),
        expired: z.number(),
        /** The last five, latest first. */
        last: z.array(HoldRowViewSchema),
        /** How much it is about, against what was granted of the same in the same currency; null: fewer than three are known. */
        amount: z
          .object({
            name: z.string(),
            value: z.number(),
            currency: z.string().nullable(),
            median: z.number(),
            highest: z.number(),
            of: z.number(),
            /** The last twenty of them, latest first. */
            recent: z.array(z.number()),
            /** More than was ever granted, or more than three times the median. */
            isUnusual: z.boolean(),
          })
          .nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Precedents' });
export type PrecedentsView = z.infer<typeof PrecedentsSchema>;
export type Alike = NonNullable<PrecedentsView['alike']>;
export type LastCall = NonNullable<PrecedentsView['call']>;
