// Changes of open questions, of one and of many: what is asked for, and what became of each of many.
import { z } from 'zod';
import { plainText } from '../base/text-schemas.ts';
import { maxAmended } from './inbox-names.ts';
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
const set = z
  .record(z.string().max(300), z.string().max(100))
  .refine((marks) => Object.keys(marks).length <= maxAmended, `expected at most ${maxAmended} questions`)
  .optional()
  .describe('the `set` of a reply: what is confirmed; missing: nothing is changed, and the reply has it');

/** Body of `POST /api/holds/amend`. */
export const AmendManyBodySchema = z
  .discriminatedUnion('do', [
    z.object({ do: z.literal('extend'), ...LaterShape, set }).refine(isOne, eitherOne),
    z.object({ do: z.literal('reassign'), to: z.array(AudienceEntrySchema).min(1).max(20), note, set }),
    z.object({ do: z.literal('cancel'), set }),
    z.object({ do: z.literal('reapply'), set }),
    z.object({ do: z.literal('answer'), verdict: z.enum(['yes', 'no']), reason: plainText(2000).optional(), set }),
  ])
  .meta({ id: 'AmendManyBody' });
export type AmendManyBody = z.output<typeof AmendManyBodySchema>;

export const AmendManyReplySchema = z
  .object({
    /** Questions that match. */
    count: z.number(),
    /** False: nothing was changed, as no `set` was given. */
    applied: z.boolean(),
    /** These questions as they are now, to be sent back as what is confirmed: a mark by each id. */
    set: z.record(z.string(), z.string()),
    /** The same in a word. */
    setName: z.string(),
    /**
     * What became of each; of a cancel one a task. Those that were not confirmed, or have changed since, are
     * `changed_meanwhile`, and are as they were. Of a reapplied policy and of an answer also without `set`: what would
     * become of each, and its headline.
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
