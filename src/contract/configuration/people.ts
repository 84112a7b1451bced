// What the configuration says of people. Texts of `describe` are what editors and docs/configuration-keys.md show.
import { z } from 'zod';
import { DisplayNameSchema } from '../base/text-schemas.ts';
import { noticeEvents } from './notice-names.ts';
import { AudienceEntrySchema, CalendarSchema } from './policy.ts';

/** Times of the day at which a person gets one list of what waits, in place of a message for each question. */
const DigestTimesSchema = z.strictObject({
  zone: z.string().min(1).max(64).describe('IANA time zone, such as `Europe/Berlin`.'),
  at: z
    .array(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time of the day, such as 09:00'))
    .min(1)
    .max(24)
    .describe('Times of the day at which the list is sent, such as `09:00`.'),
  days: z
    .string()
    .regex(/^[A-Za-z, -]{3,60}$/, 'expected days, such as Mon-Fri')
    .optional()
    .describe('Days on which the list is sent, such as `Mon-Fri` or `Mon, Wed`. Default: every day.'),
});
export type DigestTimes = z.infer<typeof DigestTimesSchema>;
/** `off`: at once. */
export const DigestSchema = z.union([z.literal('off'), DigestTimesSchema]);

const AwaySchema = z.strictObject({
  from: z.iso.datetime({ offset: true }).optional().describe('First moment, with its zone. Default: from now on.'),
  until: z.iso.datetime({ offset: true }).optional().describe('Last moment, with its zone. Default: without end.'),
  delegate: AudienceEntrySchema.describe(
    'Who may decide meanwhile what this person is asked by name: `user:<name>` or `role:<name>`.',
  ),
});

/** A person as others see them, and who answers in their place. */
export const UserConfigSchema = z.strictObject({
  name: DisplayNameSchema.optional().describe('Name that other people see. Default: the key.'),
  email: z.email().optional().describe('Mail address, also to find the person in Slack and Teams. Default: no mail.'),
  notify: z
    .array(z.string().max(64))
    .default([])
    .describe("Channels that get what this person is asked by name, in addition to the policy's."),
  events: z
    .array(z.enum(noticeEvents))
    .min(1)
    .optional()
    .describe('Events of which the person gets mails and direct messages. Default: all.'),
  hours: CalendarSchema.optional().describe(
    'Hours in which mails and direct messages come; at other times they wait for the next of them. Default: at once.',
  ),
  digest: DigestSchema.optional().describe(
    'One list at these times in place of a message for each question; a question that would expire before comes at once. Default: `off`, a message for each.',
  ),
  away: AwaySchema.optional().describe('When another person answers in the place of this one. Default: never.'),
});
