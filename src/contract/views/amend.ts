// Changes of open questions, of one and of many: what is asked for, and what became of each of many.
import { z } from 'zod';
import { plainText } from '../base/text-schemas.ts';
import { AudienceEntrySchema, DurationSchema } from '../configuration/policy.ts';

const note = plainText(2000).optional();

/** Either a moment, or how long after the present deadline. */
const LaterShape = {
  until: z.iso.datetime({ offset: true }).optional().describe('the new deadline'),
  by: DurationSchema.optional().describe('how long after the present deadline'),
  note,
};
interface Later {
  until?: string | undefined;
  by?: string | undefined;
}
const isOne = ({ until, by }: Later): boolean => (until === undefined) !== (by === undefined);
const eitherOne = { message: 'give either `until` or `by`' };

/** Body of `POST /api/holds/:id/extend`. */
export const ExtendBodySchema = z.object(LaterShape).refine(isOne, eitherOne).meta({ id: 'ExtendBody' });
export type ExtendBody = z.output<typeof ExtendBodySchema>;
const count = z
  .int()
  .min(0)
  .optional()
  .describe('how many questions match; missing: nothing is changed, and the reply says how many');

/** Body of `POST /api/holds/amend`. */
export const AmendManyBodySchema = z
  .discriminatedUnion('do', [
    z.object({ do: z.literal('extend'), ...LaterShape, count }).refine(isOne, eitherOne),
    z.object({ do: z.literal('reassign'), to: z.array(AudienceEntrySchema).min(1).max(20), note, count }),
    z.object({ do: z.literal('cancel'), count }),
    z.object({ do: z.literal('reapply'), count }),
    z.object({ do: z.literal('answer'), verdict: z.enum(['yes', 'no']), reason: plainText(2000).optional(), count }),
  ])
  .meta({ id: 'AmendManyBody' });
export type AmendManyBody = z.output<typeof AmendManyBodySchema>;

export const AmendManyReplySchema = z
  .object({
    /** Questions that match. */
    count: z.number(),
    /** False: nothing was changed, as no `count` was given. */
    applied: z.boolean(),
    /**
     * What became of each; of a cancel one a task. Of a reapplied policy and of an answer also without `count`: what would
     * become, and the title of each.
     */
    results: z.array(
      z.object({
        id: z.string(),
        taskId: z.string(),
        ok: z.boolean(),
        code: z.string().nullable(),
        detail: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'AmendManyReply' });
export type AmendManyReply = z.infer<typeof AmendManyReplySchema>;
