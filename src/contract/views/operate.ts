// What operators' pages get: agents as they are known and fare, policies with the people behind them, the record in pictures.
import { circuitStates } from '../tasks/circuit-states.ts';
import { z } from 'zod';
import { ruleKinds } from '../base/kind-names.ts';
import { RuleSchema, TimeoutActionSchema } from '../configuration/policy.ts';
import { EndedDaySchema } from './inbox.ts';

/**
 * unread: no worker has read its card yet. failing: its last task of the week that ended could not reach it, got nothing or
 * was refused. else ok.
 */
const agentStates = ['ok', 'failing', 'away', 'unread'] as const;

/** Days, counted back from now, of which an agent's page shows each. */
export const latelyDays = 14;

/** Answer of `GET /api/agents`. */
export const AgentDetailSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    /** Without credentials and query. */
    url: z.string(),
    state: z.enum(agentStates),
    cardSeenAt: z.string().nullable(),
    version: z.string(),
    provider: z.string(),
    /** `JSONRPC 1.0`. */
    interfaces: z.array(z.string()),
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    extensions: z.array(z.string()),
    inputModes: z.array(z.string()),
    outputModes: z.array(z.string()),
    /** Ways of asking it is known to have, other than text and forms. */
    dialects: z.array(z.string()),
    skills: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        tags: z.array(z.string()),
        examples: z.array(z.string()),
      }),
    ),
    policy: z.string().nullable(),
    rules: z.array(RuleSchema),
    /** Those that are open, and those that ended in the last `days`. */
    tasks: z.object({ open: z.number(), done: z.number(), failed: z.number(), cancelled: z.number() }),
    questions: z.object({ open: z.number(), asked: z.number() }),
    /** The last `latelyDays` times 24 hours, the oldest first: what it asked, and its tasks that failed. */
    lately: z.array(z.object({ asked: z.number(), failed: z.number() })),
    lastTask: z.object({ id: z.string(), at: z.string(), status: z.string() }).nullable(),
    lastFailure: z.object({ id: z.string(), at: z.string(), code: z.string(), message: z.string() }).nullable(),
    /** Set while its circuit is not closed: it takes no messages, or those that waited are on their way. */
    away: z
      .object({ since: z.string(), state: z.enum(circuitStates), cause: z.string(), waiting: z.number() })
      .nullable(),
    /** Slots of all workers that it has, by what is done in them. */
    slots: z.object({ sending: z.number(), answering: z.number(), silent: z.number() }),
  })
  .meta({ id: 'AgentDetail' });
export type AgentDetail = z.infer<typeof AgentDetailSchema>;

const PersonSchema = z.object({
  id: z.string(),
  /** The people they stand in for at present. */
  standsInFor: z.string().nullable(),
  isAway: z.boolean(),
});

const AskedSchema = z.object({
  entry: z.string(),
  /** Whom it means just now; empty for `owner` and for agents. */
  people: z.array(PersonSchema),
});
export type AskedEntry = z.infer<typeof AskedSchema>;

/** Answer of `GET /api/policies`. */
export const PolicyDetailSchema = z
  .object({
    name: z.string(),
    /** The one that holds where none is named. */
    isBuiltIn: z.boolean(),
    audience: z.array(AskedSchema),
    excludesRequester: z.boolean(),
    /** Whether deputies answer in the stead of who is asked. */
    deputies: z.enum(['anyone', 'none']),
    quorum: z.number(),
    danger: z.boolean(),
    /** How long a decision can be taken back; null: it is sent at once. */
    grace: z.string().nullable(),
    notify: z.array(z.string()),
    /** In milliseconds from the asking, if it were asked now. */
    ladder: z.array(
      z.object({
        after: z.string(),
        atMs: z.number(),
        do: z.enum(['remind', 'escalate']),
        to: z.array(AskedSchema),
        replace: z.boolean(),
        every: z.string().nullable(),
      }),
    ),
    expire: z.object({
      after: z.string(),
      atMs: z.number(),
      then: TimeoutActionSchema,
      clock: z.enum(['wall', 'business']),
    }),
    calendar: z
      .object({
        zone: z.string(),
        hours: z.string(),
        holidays: z.string().nullable(),
        isOpen: z.boolean(),
        /** When that changes next; null: not within its horizon. */
        changesAt: z.string().nullable(),
      })
      .nullable(),
    usedBy: z.array(z.object({ agent: z.string(), when: RuleSchema.shape.when.nullable() })),
    open: z.number(),
  })
  .meta({ id: 'PolicyDetail' });
export type PolicyDetail = z.infer<typeof PolicyDetailSchema>;

const fateSchema = z.object({
  asked: z.number(),
  approved: z.number(),
  /** Neither approved nor refused, as most forms and all texts are. */
  answered: z.number(),
  refused: z.number(),
  expired: z.number(),
  /** Taken back, asked again, cancelled. */
  other: z.number(),
  /** Half of what people decided took no longer. */
  medianMs: z.number().nullable(),
});

/** Answer of `GET /api/overview`: how the questions of the last `days` fared. Days and hours are those of `zone`. */
export const OverviewSchema = z
  .object({
    days: z.number(),
    zone: z.string(),
    now: z.object({
      open: z.number(),
      overdue: z.number(),
      unclaimed: z.number(),
      expiringWithinHour: z.number(),
      reassignAsked: z.number(),
      /** No one who is asked can decide them. */
      undecidable: z.number(),
      oldestAt: z.string().nullable(),
    }),
    window: fateSchema,
    /** The same for as many days before. */
    before: fateSchema,
    /** What ended on each day. */
    volume: z.array(EndedDaySchema),
    /** Those hours in which something was asked or answered; Monday is 1. */
    hours: z.array(z.object({ weekday: z.number(), hour: z.number(), asked: z.number(), answered: z.number() })),
    policies: z.array(
      z.object({
        policy: z.string(),
        asked: z.number(),
        open: z.number(),
        decided: z.number(),
        refused: z.number(),
        escalated: z.number(),
        expired: z.number(),
        p50: z.number().nullable(),
        p90: z.number().nullable(),
        /** How long its questions may wait, typically; null: for ever. */
        limitMs: z.number().nullable(),
      }),
    ),
    agents: z.array(
      z.object({
        agent: z.string(),
        tasks: z.number(),
        asked: z.number(),
        /** Of confirmations and tool calls. */
        approvals: z.number(),
        /** Approvals that changed nothing the agent proposed. */
        approvedUnchanged: z.number(),
      }),
    ),
    deciders: z.array(
      z.object({
        by: z.string(),
        approved: z.number(),
        answered: z.number(),
        refused: z.number(),
        medianMs: z.number().nullable(),
      }),
    ),
    /** Who waits on whom now: open questions by agent and policy, and by policy and whom it asks; one that asks two is in both. */
    waits: z.object({
      byAgent: z.array(z.object({ agent: z.string(), policy: z.string(), count: z.number(), overdue: z.number() })),
      byEntry: z.array(z.object({ policy: z.string(), entry: z.string(), count: z.number(), overdue: z.number() })),
    }),
    /** How far questions climbed: of those asked so many were reminded of, passed to more people, left to expire. */
    funnel: z.object({ asked: z.number(), reminded: z.number(), escalated: z.number(), expired: z.number() }),
  })
  .meta({ id: 'Overview' });
export type Overview = z.infer<typeof OverviewSchema>;

/** A sort of question that people have answered as it was proposed, every time: a likely rule. */
export const RecordRuleSchema = z
  .object({
    agent: z.string(),
    kind: z.enum(ruleKinds),
    title: z.string(),
    /** Answered as proposed so many times of so many, since then. */
    times: z.number(),
    since: z.string(),
    /** What the configuration would say. */
    yaml: z.string(),
    /** defaults: what the agent proposes is sent after a while. agent: another agent is asked before people are. */
    way: z.enum(['defaults', 'agent']),
    /** What it would have done with the questions of the last so many days. */
    replay: z.object({
      days: z.number(),
      asked: z.number(),
      /** Answered by people before the rule would have. */
      sooner: z.number(),
      /** Would have needed no person. */
      spared: z.number(),
      /** How long those waited for people, in all. */
      waitedMs: z.number(),
    }),
  })
  .meta({ id: 'RecordRule' });
export type RecordRule = z.infer<typeof RecordRuleSchema>;
