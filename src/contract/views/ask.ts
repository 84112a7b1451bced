import { z } from 'zod';
import { plainText } from '../base/text-schemas.ts';

/** Longest wait of one request, in seconds; the question itself waits as long as its policy says. */
export const maxAskWaitS = 600;

const ObjectSchema = z.record(z.string(), z.unknown());

/** A name that the asking program gives its question: the same again waits for the same answer. */
export const AskIdSchema = z.string().min(1).max(120);

export const AskWaitSchema = z.coerce.number().min(0).max(maxAskWaitS).default(0);

const AskFileSchema = z.strictObject({
  name: plainText(200).min(1),
  mediaType: z
    .string()
    .max(200)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, 'a media type such as application/pdf'),
  /** Its bytes, as base64. */
  data: z.base64(),
});
export type AskFile = z.infer<typeof AskFileSchema>;

/** Body of `POST /api/ask`: a question with `message`, or a tool call to be approved with `tool`. */
export const AskBodySchema = z
  .strictObject({
    id: AskIdSchema.optional(),
    title: plainText(200).min(1).optional(),
    /** What to decide, the context, and what follows from each answer; with `tool`: why it is called. */
    message: z.string().max(16_000).optional(),
    /** JSON Schema of the answer, type object; missing: a free text (`values.text`). */
    schema: ObjectSchema.optional(),
    /** What the program proposes, by field. */
    defaults: ObjectSchema.optional(),
    tool: z
      .strictObject({
        name: z.string().min(1).max(200),
        args: ObjectSchema.default({}),
        /** People may change the arguments. */
        editable: z.boolean().default(false),
      })
      .optional(),
    policy: z.string().max(64).optional(),
    /** How risky the program calls it: one line; a longer one is read whole with the reasoning. */
    risk: z.string().max(2000).optional(),
    /** Why it asks; people see it as the program's own words. */
    reasoning: z.string().max(16_000).optional(),
    /** Web addresses shown as links, each with its host. */
    links: z
      .array(z.strictObject({ url: z.string().max(4096), title: z.string().max(200).optional() }))
      .max(10)
      .optional(),
    /** Shown with the question, and kept with it; each is part of what is approved. */
    files: z.array(AskFileSchema).min(1).max(10).optional(),
    /** Its own deadline, counted from its opening (`30m`, `PT4H`): it expires then, if its policy does not end it before. */
    expireAfter: z.string().max(40).optional(),
    /**
     * What becomes of an `id` that was used for another question: `refuse` (`run_conflict`; the default), `wait` for the answer to the one
     * that was asked, or `replace` it: that one is withdrawn, also where it was answered, and this one is asked.
     */
    ifChanged: z.enum(['refuse', 'wait', 'replace']).optional(),
    /** Seconds this request waits for the answer. */
    wait: z.number().min(0).max(maxAskWaitS).default(0),
    /** Is sent one POST, or one signal, when the question has ended. Of the two the signal alone brings the answer. */
    callback: z
      .union([
        z.strictObject({ url: z.string().max(2000) }),
        z.strictObject({
          temporal: z.strictObject({
            /** Missing: Standfast's own. */
            namespace: z.string().min(1).max(200).optional(),
            workflowId: z.string().min(1).max(1000),
            signal: z.string().min(1).max(200),
          }),
        }),
      ])
      .optional(),
  })
  .meta({
    id: 'AskBody',
    examples: [
      {
        id: 'invoice-7',
        message: 'Pay invoice 7, 1,200 EUR, from the new centre?',
        schema: { type: 'object', properties: { centre: { type: 'string', enum: ['4711', '4712'] } } },
        wait: 30,
      },
      { id: 'deploy-1.4', tool: { name: 'deploy', args: { version: '1.4' } }, policy: 'developers' },
    ],
  });
export type AskBody = z.infer<typeof AskBodySchema>;

/** Input of the Nexus operation `ask`: a body of `POST /api/ask` that neither waits nor calls back, and brings no files. */
export const NexusAskSchema = AskBodySchema.omit({
  tool: true,
  wait: true,
  callback: true,
  ifChanged: true,
  files: true,
});

/** Input of the Nexus operation `approve`: a tool call. */
export const ApproveInputSchema = AskBodySchema.omit({
  tool: true,
  wait: true,
  callback: true,
  ifChanged: true,
  files: true,
  message: true,
  schema: true,
  defaults: true,
}).extend({
  tool: z.string().min(1).max(200),
  args: ObjectSchema.default({}),
  editable: z.boolean().default(false),
  /** Why it is called. */
  why: z.string().max(16_000).optional(),
});

/** The status of a program's question; every one but `waiting` is final. */
export const AskReplySchema = z
  .object({
    id: z.string(),
    /** Which question under its id this is about, from 1: one that replaces another has the next number. */
    version: z.number().int(),
    status: z.enum(['waiting', 'answered', 'declined', 'expired', 'withdrawn', 'cancelled']),
    /** Null until it is opened, which takes moments. */
    holdId: z.string().nullable(),
    link: z.string().nullable(),
    /** When it expires; null: never, or it is not opened yet. */
    expiresAt: z.string().nullable(),
    values: ObjectSchema.nullable(),
    /** What the answer says: `answered` is neither a yes nor a no. Null: there is no answer. */
    verdict: z.enum(['yes', 'no', 'answered']).nullable(),
    /** Of a tool call: true for a plain yes alone. Null: none was asked about, or it is open. */
    approved: z.boolean().nullable(),
    /** The arguments that were approved, as people may have changed them. */
    args: ObjectSchema.nullable(),
    by: z.string().nullable(),
    reason: z.string().nullable(),
    /** True: no one answered in time, and the policy took the proposed answer. */
    assumed: z.boolean(),
    /** Signed proof of the approval (JWS), where the policy has `receipt`. */
    receipt: z.string().exactOptional(),
  })
  .meta({
    id: 'AskReply',
    examples: [
      {
        id: 'deploy-1.4',
        version: 1,
        status: 'answered',
        holdId: '0b9f3f5e-52b2-5d1c-9c8e-3a3c2f6f9d11',
        link: 'http://127.0.0.1:8600/holds/0b9f3f5e-52b2-5d1c-9c8e-3a3c2f6f9d11',
        expiresAt: '2026-12-01T09:00:00.000Z',
        values: { approved: true },
        verdict: 'yes',
        approved: true,
        args: { version: '1.4' },
        by: 'anna',
        reason: null,
        assumed: false,
      },
    ],
  });
export type AskReply = z.infer<typeof AskReplySchema>;

/** As many questions as one request follows. */
export const maxFollowedAsks = 2_000;

/** Body of `POST /api/ask/replies`. */
export const FollowAsksBodySchema = z
  .strictObject({
    /** One that names nothing, as no id can, is in `unknown` of the reply. */
    ids: z.array(z.string().max(10_000)).min(1).max(maxFollowedAsks),
    /** What is waited for: that a question has its page, or that it has ended. */
    until: z.enum(['opened', 'ended']).default('ended'),
    /** Seconds this request waits for the first of them. */
    wait: z.number().min(0).max(maxAskWaitS).default(0),
  })
  .meta({ id: 'FollowAsksBody' });

export const FollowAsksReplySchema = z
  .object({
    /** Those that are as far as was waited for, and no others. */
    items: z.array(AskReplySchema),
    /** Ids under which this caller asked nothing. */
    unknown: z.array(z.string()),
  })
  .meta({ id: 'FollowAsksReply' });
