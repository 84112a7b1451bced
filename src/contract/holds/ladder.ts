// The steps of a question as the outside sees them, in order of time: what was done, what comes, and the end.
import { z } from 'zod';

export const StepKindSchema = z.enum(['remind', 'escalate', 'expire']);

export const LadderSchema = z.array(
  z.object({
    at: z.string(),
    do: StepKindSchema,
    to: z.array(z.string()),
    /** An escalation in the place of those asked before. */
    replace: z.boolean(),
    doneAt: z.string().nullable(),
  }),
);
export type LadderStepView = z.infer<typeof LadderSchema>[number];
