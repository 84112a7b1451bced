import type { TaskId, ThreadId, WorkflowId } from '../base/id-types.ts';
import { z } from 'zod';
import { QuotationSchema } from '../base/quotation.ts';
import { TimeoutActionSchema } from '../configuration/policy.ts';
import { LadderSchema } from '../holds/ladder.ts';
import { taskStatuses, type EndedStatus } from './task-names.ts';

export const TaskStatusSchema = z.enum(taskStatuses);
export type TaskStatus = z.infer<typeof TaskStatusSchema>;

export interface TaskError {
  code: string;
  message: string;
}

/** The codes with which tasks fail. */
export const taskErrorCodes = [
  'agent_failed',
  'agent_rejected',
  'agent_silent',
  'agent_unreachable',
  'execution_lost',
  'hold_expired',
  'internal',
  'delivery_unknown',
] as const;

/**
 * Why a task does not go on: its agent does not take or give a message (`agent_away`), its workflow task fails again and
 * again (`workflow_failing`).
 */
export const stuckCauses = ['agent_away', 'workflow_failing'] as const;
export type StuckCause = (typeof stuckCauses)[number];

const StuckSchema = z.object({
  cause: z.enum(stuckCauses),
  /** ISO 8601. */
  since: z.string(),
  /** For people, as the failing part reported it. */
  why: z.string(),
});
export type Stuck = z.infer<typeof StuckSchema>;

const CallResultSchema = z.object({ tool: z.string(), callId: z.string() });
/** A call of a tool that has a result. */
export type CallResult = z.infer<typeof CallResultSchema>;

/** A task as the outside sees it (docs/spec.md). */
export const TaskViewSchema = z
  .object({
    id: z.string(),
    agent: z.string(),
    threadId: z.string(),
    a2aTaskId: z.string().nullable(),
    contextId: z.string().nullable(),
    status: TaskStatusSchema,
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    holds: z.array(z.string()),
    createdAt: z.string(),
    updatedAt: z.string(),
    workflowId: z.string(),
    temporalUrl: z.string().nullable(),
    /** Beginning of the message that opened it; of a program's question its title. */
    title: z.string(),
    /** The same as what it is, its requester's words; null where they are not. */
    quotation: QuotationSchema.nullable(),
    /** Who opened its thread. */
    owner: z.string(),
    restartOf: z.string().nullable(),
    restartedAs: z.string().nullable(),
    /** Why it does not go on, and since when; null while it does. */
    stuck: StuckSchema.nullable(),
    stale: z.boolean().optional(),
    /** Results of tools that have to be asked about (`mustAsk`), whose call was not decided here; absent: none. */
    undecided: z.array(CallResultSchema).optional(),
    /** In a list: the open questions it waits for. */
    waiting: z
      .array(
        z.object({
          holdId: z.string(),
          headline: z.string(),
          audience: z.array(z.string()),
          claimedBy: z.string().nullable(),
          openedAt: z.string(),
          expiresAt: z.string().nullable(),
          /** What silence does at its end. */
          then: TimeoutActionSchema,
          /** Who began its task may not decide it. */
          exclude: z.array(z.literal('requester')),
          ladder: LadderSchema,
          /** Who had its notice sent again, oldest first. */
          nudges: z.array(z.object({ at: z.string(), by: z.string() })),
          /** The caller waits for it and may have its notice sent again, once an hour. */
          mayNudge: z.boolean(),
        }),
      )
      .optional(),
    /** With one task alone: what its agent has made, as far as it is known now. */
    artifacts: z.array(z.object({ id: z.string(), name: z.string(), url: z.string() })).optional(),
  })
  .meta({ id: 'Task' });
export type TaskView = z.infer<typeof TaskViewSchema>;

/** Names of one task that never change, handed to every activity. */
export interface TaskRef {
  taskId: TaskId;
  agent: string;
  threadId: ThreadId;
  workflowId: WorkflowId;
  firstExecutionRunId: string;
  /** Principal id of the thread's owner. */
  owner: string;
}

/** What reaches a known task's own execution: its handle never reaches the thread's next task. */
export type KnownTask = Pick<TaskRef, 'taskId' | 'workflowId' | 'firstExecutionRunId'>;

/** What the signal `over` brings: how the task ended, by its row. */
export interface OverCommand {
  taskId: TaskId;
  status: EndedStatus;
}
