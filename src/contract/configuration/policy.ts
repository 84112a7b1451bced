import { z } from 'zod';
import { agentKinds } from '../base/kind-names.ts';
import { audiencePattern, isWrittenOnce, writtenOnce } from '../base/text.ts';
import { plainText } from '../base/text-schemas.ts';
import type { JsonObject } from '../base/json.ts';
import type { ProvenGrant } from '../base/grant.ts';

const durationText = /^(\d+(\.\d+)?)(ms|s|m|h|d|w)$/;
const isoDuration = /^P(?!$)(\d+W|(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)$/;

/** A length of time: `500ms`, `30s`, `15m`, `4h`, `3d`, `2w`, or ISO 8601 (`PT4H`). */
const durationWords = 'expected a duration such as 500ms, 30s, 15m, 4h, 3d, 2w or PT4H';
export const DurationSchema = z
  .string({ error: durationWords })
  .refine((text) => durationText.test(text) || isoDuration.test(text), durationWords);

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
    after: DurationSchema,
    remind: z.literal(true).optional(),
    escalate: z.array(AudienceEntrySchema).min(1).optional(),
    replace: z.boolean().optional(),
    every: DurationSchema.optional(),
  })
  .refine((step) => (step.remind === true) !== (step.escalate !== undefined), {
    message: 'a step is either `remind: true` or `escalate: [...]`',
  });

/** Office hours of one place: with a calendar every `after` counts them alone. */
export const CalendarSchema = z.strictObject({
  /** IANA time zone, `Europe/Berlin`. */
  zone: z.string().min(1).max(64),
  /** `Mon-Fri 09:00-17:30`, several separated by commas; 24:00 is the end of a day. */
  hours: z.string().min(1).max(200),
  /** Country, with region if it matters, as `date-holidays` names them: `DE`, `DE-BY`. */
  holidays: z.string().max(20).optional(),
});
export type Calendar = z.infer<typeof CalendarSchema>;

const QuorumCountSchema = z.int().min(1).max(20);

/** One group of several that all must agree. */
export const StageSchema = z.strictObject({
  name: plainText(64).min(1),
  audience: z.array(AudienceEntrySchema).min(1),
  quorum: QuorumCountSchema.default(1),
  /** Times count from the moment the stage is asked. */
  ladder: z.array(StepSchema).default([]),
});
export type Stage = z.infer<typeof StageSchema>;

/** Which calls people may say need not be asked about any more. */
export const GrantsSchema = z.strictObject({
  /** How many persons must give one. */
  by: z.int().min(1).max(20).default(1),
  /** Comparisons within which arguments may differ from those that were approved; all others are equal. */
  within: z.array(z.string().min(1).max(200)).max(20).default([]),
  times: z.int().min(1).max(100_000).default(100),
  /** At most so much over all calls, in the argument at this path. */
  sum: z.strictObject({ of: z.string().min(1).max(200), most: z.number().positive() }).optional(),
  for: z
    .string()
    .regex(/^[1-9]\d{0,3}[hdw]$/, 'expected hours, days or weeks, such as 30d')
    .default('30d'),
  /** One of so many calls is asked about all the same. */
  recheck: z
    .string()
    .regex(/^1 in [1-9]\d{0,4}$/, 'expected such as 1 in 20')
    .default('1 in 20'),
});

export const PolicySchema = z.strictObject({
  audience: z.array(AudienceEntrySchema).default([]),
  exclude: z.array(z.literal('requester')).default([]),
  /** Of a task that came over A2A: people are asked, its caller (the pause goes through), or both, and the first answer counts. */
  ask: z.enum(['people', 'caller', 'both']).default('people'),
  /** How many must agree; with more than one, any rejection vetoes. */
  quorum: z
    .union([
      QuorumCountSchema,
      z.strictObject({
        count: QuorumCountSchema.min(2).default(2),
        /** `credential`: each of them by a key or session of their own, and no back end for two. */
        distinct: z.enum(['person', 'credential']).default('person'),
      }),
      /** So many of each entry of the audience: a stage each, at once. */
      z.strictObject({ each: QuorumCountSchema }),
    ])
    .default(1),
  /** Groups that all must agree, in the place of `audience`, `quorum` and `ladder`. */
  stages: z.array(StageSchema).min(2).max(10).optional(),
  /** `sequential`: one after the other; `parallel`: all at once. */
  stageOrder: z.enum(['sequential', 'parallel']).default('sequential'),
  /** One person counts in each stage that they are asked in, and not in one of them alone. */
  sameAgain: z.boolean().default(false),
  /** Calls like one that was approved may be granted for later. */
  grants: GrantsSchema.optional(),
  calendar: CalendarSchema.optional(),
  ladder: z.array(StepSchema).default([]),
  expire: z
    .strictObject({
      after: DurationSchema,
      then: TimeoutActionSchema.default('fail'),
      /** `wall`: the expiry counts all hours although there is a calendar. */
      clock: z.enum(['wall', 'business']).optional(),
      /** With a calendar: deadlines that fall on one moment are spread over so long after it, each question always alike. */
      spread: DurationSchema.optional(),
    })
    .default({ after: '24h', then: 'fail' }),
  /** Questions of this policy are never decided in bulk, nor from a message. */
  danger: z.boolean().default(false),
  /** An answer has to name the digest of what was shown. */
  requireDigest: z.boolean().default(false),
  /** `passkey`: each answer is signed by a passkey of its author, on the question's page. */
  sign: z.literal('passkey').optional(),
  /**
   * Whom a question may be passed on to: those the policy names, at once or by a step; anyone; `none`. Missing: `within` where the
   * requester is left out or several must agree, else `anyone`.
   */
  reassign: z.enum(['within', 'anyone', 'none']).optional(),
  /** Whether deputies answer in the stead of who is asked. Missing: `none` where none may be passed on, else `anyone`. */
  deputies: z.enum(['anyone', 'none']).optional(),
  /** Who may move the deadline of a question to a later time: who may decide it and operators, operators alone, or `none`. */
  extend: z.enum(['asked', 'operators', 'none']).default('operators'),
  /** How long a person's decision can be taken back before it is sent to the agent. */
  grace: DurationSchema.optional(),
  /** An approval carries a signed receipt, which is valid for an hour, or `for` so long. */
  receipt: z.union([z.boolean(), z.strictObject({ for: DurationSchema })]).default(false),
  /** Names of `notifications.channels` that are notified of every step. */
  notify: z.array(z.string().max(64)).default([]),
});
export type Policy = z.infer<typeof PolicySchema>;

const patternText = z.string().min(1).max(200);

const WhenSchema = z.strictObject({
  kind: z.enum(agentKinds).optional(),
  dialect: patternText.optional(),
  /** The whole title, case ignored; `*` matches anything. */
  title: patternText.optional(),
  /** Comparisons on tool arguments, else defaults: `amount > 1000`, `to.country == "DE"`; all must hold. */
  data: z.union([patternText, z.array(patternText).min(1).max(10)]).optional(),
});

/** Which questions of an agent get another policy; every key given must match, the first matching rule holds. */
export const RuleSchema = z.strictObject({
  when: WhenSchema.refine(
    (when) => Object.keys(when).length > 0,
    'an empty `when` matches everything: use `policy` of the agent',
  ),
  policy: z.string(),
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
