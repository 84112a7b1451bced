// What the inbox page and other readers of the people's side get: rows, counts, live events, conversations.
import { z } from 'zod';
import { endNames } from '../holds/hold-names.ts';
import { OutgoingSchema, HoldViewSchema, rowFields, ShownStatusSchema } from '../holds/hold.ts';
import { plainText } from '../base/text-schemas.ts';
import { bulkAtMost } from './inbox-names.ts';

/** Hours ahead, up to a year: `dueWithin` of a list. */
export const maxDueHours = 8_784;
export const maxMetricDays = 365;

const step = z.object({ at: z.string(), do: z.enum(['remind', 'escalate', 'expire']), to: z.array(z.string()) });

/** One line of the list; everything else is read with the hold. */
export const HoldRowViewSchema = z
  .object({
    ...rowFields,
    outgoing: OutgoingSchema.pick({ at: true, by: true, status: true, name: true, mayUndo: true }).nullable(),
    votes: z.object({ have: z.number(), need: z.number() }),
    nextStep: step.nullable(),
    /** Escalations taken. */
    escalations: z.number(),
    decidedStatus: z.enum(['resolved', 'cancelled']).nullable(),
    decidedBy: z.string().nullable(),
    /** As of the question; absent where it has no such field, as most lines of a list have none. */
    decides: HoldViewSchema.shape.decides.unwrap().exactOptional(),
  })
  .meta({ id: 'HoldRow' });
export type HoldRowView = z.infer<typeof HoldRowViewSchema>;

/** Ended holds are counted no further: they only become more, and every list would read them all. */
export const maxEndedCount = 1_000;

/** Answer of `GET /api/inbox/alike`: open questions that the caller can answer together. */
export const AlikeGroupsSchema = z
  .object({
    groups: z.array(
      z.object({
        /** One of them. */
        id: z.string(),
        /** What all of their titles have in common, with what differs as the blank. */
        title: z.string(),
        count: z.number(),
        /** What all of them come to, where each is about an amount in the same currency; empty: of none that is named. */
        sum: z.object({ amount: z.number(), currency: z.string() }).nullable(),
      }),
    ),
    /** With `like`: the lines of those like it, and of itself; empty where no other one is. */
    rows: z.array(HoldRowViewSchema).max(bulkAtMost),
    /** False: so many are open that not all of them were compared. */
    isAll: z.boolean(),
  })
  .meta({ id: 'AlikeGroups' });
export type AlikeGroups = z.infer<typeof AlikeGroupsSchema>;
export type AlikeGroup = AlikeGroups['groups'][number];

/**
 * Open holds. forMe: what the caller may decide now, without their vote, and claimed by no one else. mine: asked
 * of the caller by name or as owner, or claimed (without keys: all). team: of their roles too. all: what they may see.
 * decided: ended ones that they may see, up to `maxEndedCount`.
 */
export const InboxCountsSchema = z
  .object({
    forMe: z.number(),
    mine: z.number(),
    team: z.number(),
    all: z.number(),
    decided: z.number().max(maxEndedCount).describe('Ended ones are counted up to this and no further.'),
  })
  .meta({ id: 'InboxCounts' });
export type InboxCounts = z.infer<typeof InboxCountsSchema>;

/** How many questions ended on a day, by how they ended. */
export const EndedDaySchema = z.object({
  day: z.string(),
  approved: z.number(),
  answered: z.number(),
  refused: z.number(),
  expired: z.number(),
  other: z.number(),
});
export type EndedDay = z.infer<typeof EndedDaySchema>;

/** Each day that has any; days are those of the zone asked for. */
export const EndedDaysSchema = z.object({ items: z.array(EndedDaySchema) }).meta({ id: 'EndedDays' });

/** Answer of `GET /api/me`. */
export const MeSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    roles: z.array(z.string()),
    isOperator: z.boolean(),
    /** Names of people, by their id, where the configuration gives one. */
    names: z.record(z.string(), z.string()),
    /** The agents by their names for people. */
    agents: z.array(z.object({ name: z.string(), title: z.string() })),
    /** The policies by their names, to filter by. */
    policies: z.array(z.string()),
    /** How this caller came in: `none` without keys on loopback. */
    via: z.enum(['none', 'key', 'session']),
    /** Temporal's pages with the tasks' workflows, where they are known. */
    temporalUrl: z.string().nullable(),
    /** ISO end of the session; null without one. */
    sessionEndsAt: z.string().nullable(),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof MeSchema>;

/** `GET /api/inbox/events` (SSE): `event:` names the shape of `data:`; a comment comes every 15 s. */
export interface InboxEvents {
  /** First on every connection, and when something may have been missed; another `build` than before: a new page is served. */
  hello: { now: string; build: string };
  /** A hold the caller may see was opened or changed. */
  hold: { id: string; version: number; row: HoldRowView };
  /** A hold that the caller could see and now may not: it was handed to others. */
  gone: { id: string; version: number };
  /** After changes, at most once a second. */
  counts: InboxCounts;
}

/** One line of a task's conversation, oldest first; agents' text is hostile until shown escaped. */
const ChatMessageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['agent', 'user', 'person', 'system']),
    /** Principal of a person's message; null for all others, and where only the agent knows who sent it. */
    by: z.string().nullable(),
    /** Null for what only the agent knows: A2A messages carry no time. */
    at: z.string().nullable(),
    text: z.string(),
    files: z.array(z.object({ name: z.string(), mediaType: z.string(), url: z.string().nullable() })),
    /** Set when this is a question of the agent's. */
    holdId: z.string().nullable(),
    /** How that question ended, where this line tells of its end. */
    end: z.object({ by: z.string(), name: z.enum(endNames), chosen: rowFields.chosen }).optional(),
  })
  .meta({ id: 'ChatMessage' });
export type ChatMessage = z.infer<typeof ChatMessageSchema>;

/** Answer of `GET /api/holds/:id/reassign`: whom a question could be passed on to. */
export const AudienceOptionsSchema = z
  .object({
    items: z.array(
      z.object({
        entry: z.string().describe('as `to` takes it'),
        name: z.string().nullable().describe('of a user, where the configuration has one'),
      }),
    ),
  })
  .meta({ id: 'AudienceOptions' });
export type AudienceOption = z.infer<typeof AudienceOptionsSchema>['items'][number];

/** Answer of `GET /api/tasks/:id/chat`. */
export const ChatSchema = z
  .object({
    items: z.array(ChatMessageSchema),
    source: z
      .enum(['agent', 'stored'])
      .describe(
        'agent: with what the agent tells of the task now. stored: as kept here alone, because there is no task at the agent, or the agent cannot be reached, is slow, refuses, or shows no history.',
      ),
  })
  .meta({ id: 'Chat' });
export type Chat = z.infer<typeof ChatSchema>;

/** Body and answer of `POST /api/tasks/:id/chat/message`. */
const opsWords = plainText(16_000).min(1);
export const ChatBodySchema = z
  .object({
    text: opsWords.optional(),
    /** The same as `text`, for programs that call it so. */
    message: opsWords.optional(),
    messageId: z.uuid().optional(),
    /** The question in words that is answered as its author read it, by its id; null: none. Left out: whichever is open then. */
    answers: plainText(100).nullable().optional(),
  })
  .refine(({ text, message }) => (text === undefined) !== (message === undefined), {
    message: 'expected the words as `text`',
    path: ['text'],
  })
  .meta({ id: 'ChatBody' });
export const ChatReplySchema = z
  .object({
    messageId: z.string(),
    /** As `MessageReply`; follow-up: the task had ended, another one began on the same thread. */
    as: z.enum(['decided', 'asked', 'injected', 'follow-up']),
    taskId: z.string(),
  })
  .meta({ id: 'ChatReply' });
export type ChatReply = z.infer<typeof ChatReplySchema>;

/** One entry of a task's timeline, oldest first. */
export const TimelineEntrySchema = z
  .object({
    at: z.string(),
    what: z.enum([
      'status',
      'hold.opened',
      'hold.step',
      'hold.moved',
      'hold.extended',
      'hold.nudged',
      'hold.ended',
      'vote',
      'restarted',
    ]),
    /** A task status, how a hold ended (as `end.name` of a conversation), a step: the words of the source. */
    word: z.string(),
    /** Whom a step or a move asks from then on. */
    to: z.array(z.string()),
    /** The note of the person who moved it. */
    note: z.string().nullable(),
    by: z.string().nullable(),
    holdId: z.string().nullable(),
    title: z.string().nullable(),
  })
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.infer<typeof TimelineEntrySchema>;

/** Body of `POST /api/holds/decisions`, and its answer: each id for itself, in the order asked. */
export const BulkBodySchema = z
  .object({
    decisions: z
      .array(
        z.object({
          id: z.string().min(1).max(300),
          status: z.enum(['resolved', 'cancelled']),
          values: z.record(z.string(), z.unknown()).optional(),
          reason: z.string().max(2000).optional(),
          /** What was on screen; a bulk decision is never blind. */
          digest: z.string().max(100),
          /** Under which policy, with which deadline and asked of whom it was. */
          planDigest: z.string().max(100),
        }),
      )
      .min(1)
      .max(bulkAtMost),
  })
  .meta({ id: 'BulkBody' });
export const BulkReplySchema = z
  .object({
    results: z.array(
      z.object({
        id: z.string(),
        ok: z.boolean(),
        status: ShownStatusSchema.nullable(),
        votes: z.object({ have: z.number(), need: z.number() }).nullable(),
        code: z.string().nullable(),
        detail: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'BulkReply' });
export type BulkReply = z.infer<typeof BulkReplySchema>;
