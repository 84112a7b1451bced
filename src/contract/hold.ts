import { z } from 'zod';
import type { Decision } from './decision.ts';
import type { Question } from './form.ts';
import type { LadderPlan, NextStep } from './policy.ts';

export const holdStatuses = ['open', 'decided', 'cancelled', 'expired', 'withdrawn'] as const;
export const HoldStatusSchema = z.enum(holdStatuses);
export type HoldStatus = z.infer<typeof HoldStatusSchema>;

/** A hold in workflow state and in the database: one question, durably waited for. Plain JSON. */
export interface Hold {
  holdId: string;
  interruptId: string;
  n: number;
  question: Question;
  /** `sha256:…` over what people are shown. */
  digest: string;
  status: HoldStatus;
  /** The dialect can carry a refusal: a cancelled hold is then an answer, else it cancels the task. */
  canRefuse: boolean;
  /** Who may decide now (after escalations). */
  audience: string[];
  plan: LadderPlan;
  /** Steps of the plan already taken. */
  stepsTaken: number;
  nextStep: NextStep | null;
  openedAt: string;
  expiresAt: string | null;
  decision: Decision | null;
  /** Canonical JSON digest of the answer as received: the same again gets the same answer. */
  answerPrint: string | null;
}

/** How a hold closed: what its row and the agent need. */
export interface ClosedHold {
  holdId: string;
  status: Exclude<HoldStatus, 'open'>;
  decision: Decision | null;
  answerPrint: string | null;
}

/** A hold as the outside sees it (docs/spec.md). */
export const HoldViewSchema = z
  .object({
    id: z.string(),
    interruptId: z.string(),
    taskId: z.string(),
    agent: z.string(),
    threadId: z.string(),
    kind: z.enum(['form', 'confirmation', 'tool_call', 'authorization', 'text', 'operator']),
    title: z.string(),
    message: z.string(),
    schema: z.record(z.string(), z.unknown()),
    defaults: z.record(z.string(), z.unknown()),
    context: z.object({
      conversation: z.string(),
      artifacts: z.array(z.object({ id: z.string(), name: z.string(), url: z.string() })),
      toolArgs: z.record(z.string(), z.unknown()),
    }),
    supersedes: z.string().nullable(),
    asking: z.boolean(),
    votes: z.object({ have: z.number(), need: z.number() }),
    status: HoldStatusSchema,
    audience: z.array(z.string()),
    openedAt: z.string(),
    expiresAt: z.string().nullable(),
    nextStep: z
      .object({ at: z.string(), do: z.enum(['remind', 'escalate', 'expire']), to: z.array(z.string()) })
      .nullable(),
    digest: z.string(),
    mayDecide: z.boolean(),
    decision: z
      .object({
        by: z.string(),
        at: z.string(),
        status: z.enum(['resolved', 'cancelled']),
        values: z.record(z.string(), z.unknown()),
        reason: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Hold' });
export type HoldView = z.infer<typeof HoldViewSchema>;
