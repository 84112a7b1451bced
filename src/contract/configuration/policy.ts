import { z } from 'zod';
import { agentKinds } from '../base/kind-names.ts';
import { audiencePattern, isWrittenOnce, writtenOnce } from '../base/text.ts';
import { plainText } from '../base/text-schemas.ts';
import type { JsonObject } from '../base/json.ts';
import type { ProvenGrant } from '../base/grant.ts';

/** A length of time: `500ms`, `30s`, `15m`, `4h`, `3d`, `2w`, or ISO 8601 (`PT4H`). */
export const durationPattern =
  /^(\d+(\.\d+)?(ms|s|m|h|d|w)|P(?!$)(\d+W|(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?))$/;
const durationWords = 'expected a duration such as 500ms, 30s, 15m, 4h, 3d, 2w or PT4H';
export const DurationSchema = z.string({ error: durationWords }).regex(durationPattern, durationWords);

/** Who is meant: `role:finance`, `user:anna`, `agent:supervisor`, or `owner`. */
export const AudienceEntrySchema = z
  .string()
  .regex(audiencePattern, 'expected role:<name>, user:<name>, agent:<name> or owner')
  .refine(isWrittenOnce, writtenOnce);

/** What silence does, in the words of docs/policies.md; `core/policy/expiry-actions.ts` has the rules. */
export const timeoutActions = {
  fail: 'the task fails with `hold_expired`, and the agent is asked to stop (the default).',
  cancel: 'the task is cancelled, and ends cancelled.',
  reject:
    "the agent gets a refusal in the policy's name. If its way of asking cannot carry one, the task is cancelled.",
  default:
    'the agent gets the values it proposed itself, in the policy\'s name. If they do not fit its own schema, or the question is an authorisation, the task fails. The agent reads "assumed, as no answer came", and so does the evidence (`assumed: true`).',
  'keep-open':
    'nothing; the question stays open and counts as overdue. It needs a reminder with `every`, so that it is not forgotten.',
};
// Safe: these are its keys.
export const TimeoutActionSchema = z.enum(Object.keys(timeoutActions) as (keyof typeof timeoutActions)[]);
export type TimeoutAction = z.infer<typeof TimeoutActionSchema>;

export const StepSchema = z
  .strictObject({
    after: DurationSchema.describe(
      'When the step is taken, counted from the question (of a stage: from its beginning).',
    ),
    remind: z
      .literal(true)
      .optional()
      .describe('Those who are asked and have not agreed yet are notified again. Either this or `escalate`.'),
    escalate: z
      .array(AudienceEntrySchema)
      .min(1)
      .optional()
      .describe('Who else may decide from then on. Either this or `remind`.'),
    replace: z.boolean().optional().describe('Whether these come in the place of the others. Default: `false`.'),
    every: DurationSchema.optional().describe('How often the reminder is repeated. Default: it is sent once.'),
  })
  .refine((step) => (step.remind === true) !== (step.escalate !== undefined), {
    message: 'a step is either `remind: true` or `escalate: [...]`',
  });

/** Office hours of one place: with a calendar every `after` counts them alone. */
export const CalendarSchema = z.strictObject({
  zone: z.string().min(1).max(64).describe('IANA time zone, such as `Europe/Berlin`.'),
  hours: z
    .string()
    .min(1)
    .max(200)
    .describe('Opening hours, such as `Mon-Fri 09:00-17:30, Sat 10:00-12:00`; 24:00 is the end of a day.'),
  holidays: z
    .string()
    .max(20)
    .optional()
    .describe(
      'Country whose public holidays are closed, with its region if that matters: `DE`, `DE-BY`. Default: no holidays.',
    ),
});
export type Calendar = z.infer<typeof CalendarSchema>;

const QuorumCountSchema = z.int().min(1).max(20);

/** One group of several that all must agree. */
export const StageSchema = z.strictObject({
  name: plainText(64).min(1).describe('Name of the group, as people see it.'),
  audience: z.array(AudienceEntrySchema).min(1).describe('Who may decide in the group.'),
  quorum: QuorumCountSchema.default(1).describe('How many of the group must agree.'),
  ladder: z
    .array(StepSchema)
    .default([])
    .describe('Reminders and escalations; times count from the moment at which the group is asked.'),
});
export type Stage = z.infer<typeof StageSchema>;

/** Which calls people may say need not be asked about any more. */
export const GrantsSchema = z.strictObject({
  by: z.int().min(1).max(20).default(1).describe('How many persons must give a grant; at least as many as `quorum`.'),
  within: z
    .array(z.string().min(1).max(200))
    .max(20)
    .default([])
    .describe('Comparisons, such as `amount <= 500`, within which arguments may differ from those that were approved.'),
  times: z.int().min(1).max(100_000).default(100).describe('How many calls a grant answers at most.'),
  sum: z
    .strictObject({
      of: z.string().min(1).max(200).describe('Path of an argument that is a number.'),
      most: z.number().positive().describe('The largest sum of it.'),
    })
    .optional()
    .describe('How much all calls of a grant may have together in one argument. Default: no limit.'),
  for: z
    .string()
    .regex(/^[1-9]\d{0,3}[hdw]$/, 'expected hours, days or weeks, such as 30d')
    .default('30d')
    .describe('How long a grant lasts at most, in hours, days or weeks, such as `30d`.'),
  recheck: z
    .string()
    .regex(/^1 in [1-9]\d{0,4}$/, 'expected such as 1 in 20')
    .default('1 in 20')
    .describe('One of so many calls is asked about all the same.'),
});

const ExpireSchema = z.strictObject({
  after: DurationSchema.describe('When the question ends, counted from its beginning.'),
  then: TimeoutActionSchema.default('fail').describe('What happens then.'),
  clock: z
    .enum(['wall', 'business'])
    .optional()
    .describe(
      'Whether `after` counts all hours or opening hours. Default: `business` with a calendar, otherwise `wall`.',
    ),
  spread: DurationSchema.optional().describe(
    'With a calendar: time after the deadline over which questions that end at one moment are spread, at most `1h`. Default: none.',
  ),
});

const QuorumSchema = z.union([
  QuorumCountSchema,
  z.strictObject({
    count: QuorumCountSchema.min(2).default(2).describe('How many must agree.'),
    distinct: z
      .enum(['person', 'credential'])
      .default('person')
      .describe('`credential`: each of them needs a key or session of their own, and a back end has one vote.'),
  }),
  z.strictObject({ each: QuorumCountSchema.describe('How many of each entry of the audience must agree.') }),
]);

export const PolicySchema = z.strictObject({
  audience: z
    .array(AudienceEntrySchema)
    .default([])
    .describe('Who may decide: `role:<name>`, `user:<name>`, `owner` or `agent:<name>`. An empty list asks the owner.'),
  exclude: z
    .array(z.literal('requester'))
    .default([])
    .describe('`requester`: the person who began the conversation may not decide (four eyes).'),
  ask: z
    .enum(['people', 'caller', 'both'])
    .default('people')
    .describe('Who answers in a task that came over A2A: people, its caller, or whichever of both is first.'),
  quorum: QuorumSchema.default(1).describe('How many must agree; with more than one, any refusal is a veto.'),
  stages: z
    .array(StageSchema)
    .min(2)
    .max(10)
    .optional()
    .describe('Groups that all must agree, in the place of `audience`, `quorum` and `ladder`. Default: one group.'),
  stageOrder: z
    .enum(['sequential', 'parallel'])
    .default('sequential')
    .describe('Whether groups are asked one after the other or all at once.'),
  sameAgain: z
    .boolean()
    .default(false)
    .describe('Whether one person counts in each group that asks them, and not in one of them alone.'),
  grants: GrantsSchema.optional().describe(
    'Which calls people may grant for later when they approve one. Default: none.',
  ),
  calendar: CalendarSchema.optional().describe(
    'Office hours; times then count these alone. Default: every hour counts.',
  ),
  ladder: z.array(StepSchema).default([]).describe('Reminders and escalations, at most 50.'),
  expire: ExpireSchema.default({ after: '24h', then: 'fail' }).describe('When waiting ends, and what happens then.'),
  danger: z
    .boolean()
    .default(false)
    .describe('Whether each question is decided alone, on its page: never with others, nor in a message.'),
  requireDigest: z
    .boolean()
    .default(false)
    .describe('Whether an answer must name the digest of the question that was shown.'),
  sign: z
    .literal('passkey')
    .optional()
    .describe("`passkey`: each answer is signed by a passkey of its author, on the question's page. Default: none."),
  reassign: z
    .enum(['within', 'anyone', 'none'])
    .optional()
    .describe(
      'To whom a question may be passed on: those whom the policy names, anyone, or `none`. Default: `within` with `exclude` or a `quorum`, otherwise `anyone`.',
    ),
  deputies: z
    .enum(['anyone', 'none'])
    .optional()
    .describe(
      'Whether deputies answer for people who are away. Default: `none` with `reassign: none`, otherwise `anyone`.',
    ),
  extend: z
    .enum(['asked', 'operators', 'none'])
    .default('operators')
    .describe('Who may move a deadline to a later time: who may decide and operators, operators alone, or `none`.'),
  grace: DurationSchema.optional().describe(
    'How long a decision can be taken back before it is sent, at most `1h`. Default: it is sent at once.',
  ),
  receipt: z
    .union([
      z.boolean(),
      z.strictObject({ for: DurationSchema.describe('How long the receipt is valid; `true` is an hour.') }),
    ])
    .default(false)
    .describe('Whether an approval carries a signed receipt.'),
  notify: z
    .array(z.string().max(64))
    .default([])
    .describe('Names of `notifications.channels` that are notified of every step.'),
});
export type Policy = z.infer<typeof PolicySchema>;

const patternText = z.string().min(1).max(200);

const WhenSchema = z.strictObject({
  kind: z.enum(agentKinds).optional().describe('Kind of the question. Default: any.'),
  dialect: patternText
    .optional()
    .describe('How the agent asked, such as `adk`; `*` matches anything, and case does not count. Default: any.'),
  title: patternText
    .optional()
    .describe('The whole title; `*` matches anything, and case does not count. Default: any.'),
  data: z
    .union([patternText, z.array(patternText).min(1).max(10)])
    .optional()
    .describe(
      'Comparisons on the arguments of a tool call, otherwise on the defaults of a form, such as `amount > 1000`; all must hold. Default: any.',
    ),
});

/** Which questions of an agent get another policy; every key given must match, the first matching rule holds. */
export const RuleSchema = z.strictObject({
  when: WhenSchema.refine(
    (when) => Object.keys(when).length > 0,
    'an empty `when` matches everything: use `policy` of the agent',
  ).describe('Which questions; every key that is given must match.'),
  policy: z.string().describe('The policy of these questions.'),
});
export type Rule = z.infer<typeof RuleSchema>;

/** The rule that chose the policy of a question: its number among those of the agent, from 1, and what it matched. */
export const MatchedRuleSchema = z.object({ number: z.int(), when: WhenSchema });
export type MatchedRule = z.infer<typeof MatchedRuleSchema>;

/** One planned step, in absolute time (ISO 8601, UTC). */
export interface PlannedStep {
  at: string;
  do: 'remind' | 'escalate';
  to: string[];
  replace: boolean;
  /** Set on a repeating reminder: milliseconds to the next one. */
  everyMs: number | null;
  /** Channels that are notified of this step in addition to the plan's: those of the users it asks. */
  notify?: string[];
  /** Number of the stage whose ladder it is of; missing: of the question's. */
  stage?: number;
}

/** A step of a stage that is not asked yet. */
export type StageStep = Omit<PlannedStep, 'at'> & { afterMs: number };

/** A group that must agree, as one question asks it. */
export interface PlannedStage {
  name: string;
  quorum: number;
  /** Who is asked in it, after its escalations. */
  audience: string[];
  /** Channels of those people in addition to the plan's. */
  notify: string[];
  /** Where stages come one after the other: its ladder, counted from the moment it is asked, and who is asked then. */
  opens?: { ladder: StageStep[]; audience: string[] };
}

/** An agent that was asked to decide, and what came of it. */
export interface SupervisorCall {
  agent: string;
  /** Names its message: the step that asked it; -1 at the opening, and below that for each time it was handed over. */
  call: number;
  at: string;
  /** Later its word counts no more. */
  until: string;
  /** Null: it is being asked. */
  doneAt: string | null;
  /** Why it did not decide; null: it did, or is being asked. */
  why: string | null;
}

/** A deadline that was moved to a later time. */
export interface DeadlineExtension {
  at: string;
  by: string;
  /** The deadline before. */
  from: string;
  until: string;
  note: string | null;
  /** Of the key or session that moved it. */
  credential: string | null;
}

/** That the plan was made again, under the policy as it was then. */
export interface Reapplied {
  at: string;
  by: string;
  /** Name of the policy before. */
  from: string;
  /** The deadline before. */
  fromExpiresAt: string | null;
  /** Of the key or session that asked for it. */
  credential: string | null;
}

/**
 * A policy turned into absolute times when the hold opened; an extension moves its expiry alone, and it is made again where an
 * operator reapplies the policy. */
export interface LadderPlan {
  policy: string;
  /** Missing: no rule chose the policy. */
  rule?: MatchedRule;
  /** Of a call that may be edited, where its agent has rules: an answer with other arguments is judged by them again. */
  judging?: { rules: readonly Rule[]; policy?: string; unreadable?: string; chosen: string | null };
  steps: PlannedStep[];
  expiresAt: string | null;
  /** With `keep-open`: from when on the question counts as overdue. */
  overdueAt?: string;
  then: TimeoutAction;
  exclude: 'requester'[];
  /** Set where the caller of a task over A2A is asked, too, or alone. */
  ask?: 'caller' | 'both';
  /** Who counts as requester in addition to the owner of the thread: they spoke in the task. */
  requesters?: string[];
  defaults: JsonObject | null;
  /** How many must agree; with stages: in all of them. */
  quorum: number;
  /** Set where several groups must agree; `at`: the one that is asked where they come one after the other. */
  stages?: {
    list: PlannedStage[];
    order: 'sequential' | 'parallel';
    at: number;
    sameAgain: boolean;
    /** With a calendar, for the ladders of stages that are asked later: its opening hours, from and to in ms. */
    hours?: [fromMs: number, toMs: number][];
  };
  /** Set where no two of them may have agreed by one credential, or through one back end. */
  distinct?: 'credential';
  /** What `expiresAt` was counted in; with a calendar the steps always count business time. */
  clock: 'wall' | 'business';
  danger: boolean;
  requireDigest: boolean;
  /** Set where each answer is signed by a passkey of its author. */
  sign?: 'passkey';
  /** Set where answers with Temporal's own tools are refused. */
  byTemporal?: false;
  reassign: 'within' | 'anyone' | 'none';
  /** Set where none answers in the stead of who is asked. */
  deputies?: 'none';
  /** Missing: operators alone. */
  extend?: 'asked' | 'none';
  /** Oldest first; missing: the deadline is the policy's. */
  extensions?: DeadlineExtension[];
  /** Oldest first; missing: the plan is that of the opening. */
  reapplied?: Reapplied[];
  /** Everybody the policy ever asks. */
  among: string[];
  /** How long a person's decision waits before it is sent; set where its policy says so. */
  graceMs?: number;
  /** Who took a decision back: their next one is sent at once. */
  graceUsedBy?: string[];
  /** Set where an approval carries a receipt: how long that is valid, and the policy's version as it says it. */
  receipt?: { forMs: number; version: string };
  /** Channels that are notified of every step. */
  notify: string[];
  /** How long a message to a channel is tried; set where there are channels. */
  giveUpAfterMs?: number;
  /**
   * With a calendar: the last repeating reminder comes again in its hours, for as long as the hold is open. Each time is
   * found outside the workflow, when the step before it is taken; `next` is the one that is known.
   */
  repeats?: { calendar: Calendar; next: { index: number; at: string } | null };
  /** Which calls its deciders may grant. */
  grants?: NonNullable<Policy['grants']>;
  /** Set where the call is within this grant: it is answered without people. */
  grant?: ProvenGrant;
  /** Set where it would be, and is asked about all the same. */
  recheck?: string;
  /** Agents asked so far. */
  supervisors: SupervisorCall[];
}

/** What happens next to a hold, and when. */
export interface NextStep {
  at: string;
  do: 'remind' | 'escalate' | 'expire';
  to: string[];
}
