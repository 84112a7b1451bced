// What comes with each act on a question (`act-names.ts`), and what became of an act on many.
import { z } from 'zod';
import { plainText } from '../base/text-schemas.ts';
import { AudienceEntrySchema, DurationSchema } from '../configuration/policy.ts';
import { DecisionBodySchema } from '../holds/decision.ts';
import { type ActName, type ManyAct, maxAmended } from './act-names.ts';

const note = plainText(2000).optional();
const to = z.array(AudienceEntrySchema).min(1).max(20);

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

/** The body of each act on one question; missing: it has none. */
const actBodies = {
  /** `takeOver`: also when another person works on it. */
  claim: z.object({ takeOver: z.boolean().optional() }).nullish(),
  answer: DecisionBodySchema,
  reassign: z.object({ to, note }).meta({ id: 'ReassignBody' }),
  'ask-reassign': z.object({ note: plainText(500).optional() }).nullish(),
  extend: z.object(LaterShape).refine(isOne, eitherOne).meta({ id: 'ExtendBody' }),
  snooze: z.object({ until: z.iso.datetime({ offset: true }) }).meta({ id: 'SnoozeBody' }),
  comment: z.object({ text: plainText(4000) }).meta({ id: 'CommentBody' }),
} as const satisfies Partial<Record<ActName, z.ZodType>>;
export type ActBody<N extends ActName> = N extends keyof typeof actBodies ? z.output<(typeof actBodies)[N]> : undefined;

/** Null: the act has no body. */
export const bodyOf = (act: ActName): z.ZodType | null =>
  (actBodies as Partial<Record<ActName, z.ZodType>>)[act] ?? null;

const set = z
  .record(z.string().max(300), z.string().max(100))
  .refine((marks) => Object.keys(marks).length <= maxAmended, `expected at most ${maxAmended} questions`)
  .optional()
  .describe('the `set` of a reply: what is confirmed; missing: nothing is changed, and the reply has it');

/** Body of `POST /api/holds/amend`: an act on many questions. */
export const AmendManyBodySchema = z
  .discriminatedUnion('do', [
    z.object({ do: z.literal('extend'), ...LaterShape, set }).refine(isOne, eitherOne),
    z.object({ do: z.literal('reassign'), to, note, set }),
    z.object({ do: z.literal('cancel'), set }),
    z.object({ do: z.literal('reapply'), set }),
    z.object({ do: z.literal('answer'), verdict: z.enum(['yes', 'no']), reason: plainText(2000).optional(), set }),
  ])
  .meta({ id: 'AmendManyBody' });
/** The body of one of them, or of any. */
export type ManyBody<N extends ManyAct = ManyAct> = Extract<z.output<typeof AmendManyBodySchema>, { do: N }>;

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
