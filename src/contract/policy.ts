import { z } from 'zod';
import type { JsonObject } from './json.ts';

const durationText = /^(\d+(\.\d+)?)(ms|s|m|h|d|w)$/;
const isoDuration = /^P(?!$)(\d+W|(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)$/;

/** A length of time: `500ms`, `30s`, `15m`, `4h`, `3d`, `2w`, or ISO 8601 (`PT4H`). */
export const DurationSchema = z
  .string()
  .refine(
    (text) => durationText.test(text) || isoDuration.test(text),
    'expected a duration such as 500ms, 30s, 15m, 4h, 3d, 2w or PT4H',
  );

/** Who is meant: `role:finance`, `user:anna`, `agent:supervisor`, or `owner`. */
export const AudienceEntrySchema = z
  .string()
  .regex(/^(owner|(role|user|agent):[^\s:][^\s]{0,99})$/, 'expected role:<name>, user:<name>, agent:<name> or owner');

export const TimeoutActionSchema = z.enum(['fail', 'cancel', 'reject', 'default', 'keep-open']);
export type TimeoutAction = z.infer<typeof TimeoutActionSchema>;

export const StepSchema = z
  .strictObject({
    after: DurationSchema,
    remind: z.literal(true).optional(),
    escalate: z.array(AudienceEntrySchema).min(1).optional(),
    replace: z.boolean().optional(),
    every: DurationSchema.optional(),
  })
  .refine((step) => (step.remind === true) !== (step.escalate !== undefined), {
    message: 'a step is either `remind: true` or `escalate: [...]`',
  });

export const PolicySchema = z.strictObject({
  audience: z.array(AudienceEntrySchema).default([]),
  exclude: z.array(z.literal('requester')).default([]),
  ladder: z.array(StepSchema).default([]),
  expire: z
    .strictObject({ after: DurationSchema, then: TimeoutActionSchema.default('fail') })
    .default({ after: '24h', then: 'fail' }),
});
export type Policy = z.infer<typeof PolicySchema>;

/** One planned step, in absolute time (ISO 8601, UTC). */
export interface PlannedStep {
  at: string;
  do: 'remind' | 'escalate';
  to: string[];
  replace: boolean;
  /** Set on a repeating reminder: milliseconds to the next one. */
  everyMs: number | null;
}

/** A policy turned into absolute times when the hold opened; never planned again. */
export interface LadderPlan {
  policy: string;
  steps: PlannedStep[];
  expiresAt: string | null;
  then: TimeoutAction;
  exclude: 'requester'[];
  defaults: JsonObject | null;
}

/** What happens next to a hold, and when. */
export interface NextStep {
  at: string;
  do: 'remind' | 'escalate' | 'expire';
  to: string[];
}
