// What people have set for themselves, and where they are reached.
import { z } from 'zod';
import { DigestSchema } from './people.ts';
import { noticeEvents } from './notice-names.ts';
import { CalendarSchema } from './policy.ts';

const base64url = (bytes: number): z.ZodString =>
  z
    .string()
    .regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}=*$`), `expected ${bytes} bytes as base64url`);

/** A browser's push subscription, as `PushSubscription.toJSON()` gives it. */
export const PushSubscriptionSchema = z
  .object({
    endpoint: z.url({ protocol: /^https?$/ }).max(2_000),
    keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
  })
  .meta({ id: 'PushSubscription' });

/** A subscription with what a delivery must know of its person. */
export const PushDeviceSchema = z.object({
  ...PushSubscriptionSchema.shape,
  label: z.string(),
  /** Hash of the session in which it was switched on, whose end ends it; null: by a key or token, or without either. */
  session: z.string().nullable(),
  /** Roles of a sign-in by the identity provider, and how long it lasts; null: the configuration knows them. */
  signedIn: z.object({ roles: z.array(z.string()), until: z.string() }).nullable(),
});

/** What a person chooses for themselves, in place of the same keys of `users.<name>`. */
export const PreferencesSchema = z
  .strictObject({
    /** Which events they are notified of; missing: as configured. */
    events: z.array(z.enum(noticeEvents)).min(1).optional(),
    /** Hours in which mails and direct messages come; at other times they wait. */
    hours: CalendarSchema.optional(),
    /** One list at these times in place of a message for each question; missing: as configured. */
    digest: DigestSchema.optional(),
    /** Who may decide what they are asked by name, and when. */
    away: z
      .strictObject({
        from: z.iso.datetime({ offset: true }).optional(),
        until: z.iso.datetime({ offset: true }),
        delegate: z
          .string()
          .regex(/^user:.+/, 'expected a person, user:<name>')
          .max(200),
        /** When they named this person; Standfast sets it. */
        namedAt: z.iso.datetime().optional(),
      })
      .optional(),
  })
  .meta({ id: 'Preferences' });
export type Preferences = z.infer<typeof PreferencesSchema>;
