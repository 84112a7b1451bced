import type { WorkflowId } from '../../contract/base/id-types.ts';
import { isGrpcServiceError, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Client, WorkflowExecutionDescription, WorkflowExecutionInfo } from '@temporalio/client';
import {
  defaultPayloadConverter,
  toPayloads,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/common';
import { shortHash } from '../../host/secrets/hash.ts';
import type { Engine, EngineState } from '../../activities/deps.ts';
import { createTaskClient, signalOver, signBy } from '../../api/engine/task-client.ts';
import {
  agentMovedSignal,
  digestWorkflowType,
  pushSignal,
  pushWorkflowType,
  searchAttributeKeys,
  taskQuery,
  taskQueue,
  taskWorkflowType,
  turnDeliveredSignal,
} from '../../workflows/messages.ts';
import { lackedKey, readHistory } from './execution-history.ts';
import { grpc } from '../../host/temporal/grpc-codes.ts';

const callMs = 5_000;
const identity = 'standfast';
/** Lists are paged. */
const listMs = 30_000;
const listAllMs = 3_600_000;

/** The Temporal operations of activities, over one client; every call has a timeout. */
export function createEngine(client: Client, now: () => Date): Engine {
  const handleOf = (
    workflowId: WorkflowId,
    firstExecutionRunId: string,
  ): ReturnType<typeof client.workflow.getHandle> =>
    client.workflow.getHandle(workflowId, undefined, { firstExecutionRunId });
  const tasks = createTaskClient(client, { now });
  const bounded = <T>(call: () => Promise<T>): Promise<T> => client.withDeadline(Date.now() + callMs, call);
  return {
    namespace: client.options.namespace,
    async requestCancel(workflowId, firstExecutionRunId) {
      await bounded(() => handleOf(workflowId, firstExecutionRunId).cancel()).catch((error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      });
    },
    async signalDelivered(workflowId, firstExecutionRunId, turn, isDelivered) {
      const cancelNotice = { turn, firstExecutionRunId, isDelivered };
      await bounded(() => handleOf(workflowId, firstExecutionRunId).signal(turnDeliveredSignal, cancelNotice));
    },
    async signalMoved(workflowId, firstExecutionRunId, { kind, watchVersion, key }) {
      await bounded(() =>
        handleOf(workflowId, firstExecutionRunId).signal(agentMovedSignal, {
          kind,
          watchVersion,
          ...(key === undefined ? {} : { key }),
          firstExecutionRunId,
        }),
      );
    },
    endBefore: (workflowId, firstExecutionRunId, command) =>
      bounded(() => signalOver(signBy(now), handleOf(workflowId, firstExecutionRunId), command)),
    async decideAgain(task, command) {
      const result = await tasks.decide(task, command);
      if (result.kind === 'answer') return null;
      if (result.kind === 'refusal') return result.refusal.message;
      throw new Error(`the workflow did not take an answer: ${result.kind}`);
    },
    async startPush(taskId, configId) {
      await bounded(() =>
        client.workflow.signalWithStart(pushWorkflowType, {
          workflowId: `push/${taskId}/${configId}`,
          taskQueue,
          args: [{ taskId, configId }],
          signal: pushSignal,
          staticSummary: 'tells a caller over A2A of a task',
        }),
      );
    },
    async startDigest({ user, at }) {
      try {
        await bounded(() =>
          client.workflow.start(digestWorkflowType, {
            // Ids are not encrypted: they name no person.
            workflowId: `digest/${shortHash(user)}/${at}`,
            taskQueue,
            args: [{ user, at }],
            workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
            workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
            staticSummary: 'lists for a person what waits for them',
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
        throw error;
      }
    },
    listOpen: (range, limit) => client.withDeadline(Date.now() + listMs, () => listOpen(client, range, limit)),
    listClosed: (since, limit) => client.withDeadline(Date.now() + listMs, () => listClosed(client, since, limit)),
    listAll: () => client.withDeadline(Date.now() + listAllMs, () => listAll(client)),
    history: (workflowId, runId) =>
      client.withDeadline(Date.now() + listMs, () => readHistory(client, workflowId, runId)),
    lackedKey: (workflowId, runId) => bounded(() => lackedKey(client, workflowId, runId)),
    firstRunOf: async (workflowId) => {
      const { raw } = await bounded(() => client.workflow.getHandle(workflowId).describe());
      return raw.workflowExecutionInfo?.firstRunId ?? '';
    },
    async signalOther({ namespace, workflowId, signal }, argument, requestId) {
      // In clear: who is signalled has no key of Standfast's payloads.
      const input = { payloads: toPayloads(defaultPayloadConverter, argument) ?? [] };
      const execution = { workflowId, runId: '' };
      const request = { namespace, workflowExecution: execution, signalName: signal, input, requestId, identity };
      try {
        await bounded(() => client.workflowService.signalWorkflowExecution(request));
        return 'sent';
      } catch (error) {
        if (isGrpcServiceError(error) && error.code === grpc.notFound) return 'gone';
        throw error;
      }
    },
    view: (workflowId, firstExecutionRunId) =>
      bounded(() => handleOf(workflowId, firstExecutionRunId).query(taskQuery)),
    describe: (workflowId, firstExecutionRunId) =>
      bounded(() => describeWorkflow(client, workflowId, firstExecutionRunId)),
  };
}

async function describeWorkflow(
  client: Client,
  workflowId: WorkflowId,
  firstExecutionRunId: string,
): Promise<EngineState> {
  try {
    // Read by first run id: the latest execution of this chain, after a reset or continue-as-new too.
    const latest = await client.workflow.getHandle(workflowId).describe();
    const isSameRun = latest.raw.workflowExecutionInfo?.firstRunId === firstExecutionRunId;
    const seen = isSameRun ? latest : await client.workflow.getHandle(workflowId, firstExecutionRunId).describe();
    switch (seen.status.name) {
      case 'RUNNING':
        return openStateOf(seen);
      case 'COMPLETED':
        return { state: 'closed', kind: 'completed' };
      case 'CANCELLED':
        return { state: 'closed', kind: 'canceled' };
      case 'TERMINATED':
        return { state: 'closed', kind: 'terminated' };
      case 'TIMED_OUT':
        return { state: 'closed', kind: 'timed-out' };
      case 'CONTINUED_AS_NEW':
        // The chain continued and another one took over the id: it has ended, and only its own history knows how.
        return { state: 'gone' };
      default:
        // Unknown states are left alone.
        return seen.status.name === 'FAILED'
          ? { state: 'closed', kind: 'failed' }
          : { state: 'open', failingAttempts: 0 };
    }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { state: 'gone' };
    throw error;
  }
}

function listOpen(
  client: Client,
  { since, until }: { since?: string | null; until?: string | null },
  limit: number,
): Promise<{ workflowId: WorkflowId; startedAt: string }[]> {
  const began = since == null ? '' : ` AND StartTime >= "${since}"`;
  const before = until == null ? '' : ` AND StartTime <= "${until}"`;
  return listTasks(client, `ExecutionStatus = "Running"${began}${before}`, limit, ({ workflowId, startTime }) => ({
    workflowId,
    startedAt: startTime.toISOString(),
  }));
}

const listClosed = (client: Client, since: string, limit: number): Promise<WorkflowId[]> =>
  listTasks(client, `ExecutionStatus != "Running" AND CloseTime >= "${since}"`, limit, ({ workflowId }) => workflowId);

/** Keeps what is picked alone: thousands of executions, each with its search attributes, would be tens of megabytes. */
async function listTasks<T>(
  client: Client,
  condition: string,
  limit: number,
  pick: (one: WorkflowExecutionInfo) => T,
): Promise<T[]> {
  const found: T[] = [];
  const query = `WorkflowType = "${taskWorkflowType}" AND ${condition}`;
  for await (const one of client.workflow.list({ query })) {
    found.push(pick(one));
    if (found.length >= limit) break;
  }
  return found;
}

async function listAll(client: Client): Promise<{ workflowId: WorkflowId; runId: string }[]> {
  const found: { workflowId: WorkflowId; runId: string; startedMs: number }[] = [];
  for await (const one of client.workflow.list({ query: `WorkflowType = "${taskWorkflowType}"` }))
    found.push({ workflowId: one.workflowId, runId: one.runId, startedMs: one.startTime.getTime() });
  found.sort((a, b) => a.startedMs - b.startedMs);
  return found.map(({ workflowId, runId }) => ({ workflowId, runId }));
}

function openStateOf({ raw, typedSearchAttributes }: WorkflowExecutionDescription): EngineState {
  const deadline = typedSearchAttributes.get(searchAttributeKeys.deadline);
  return {
    state: 'open',
    failingAttempts: failingAttemptsOf(raw.pendingWorkflowTask),
    isTurning: (raw.pendingActivities ?? []).some(({ activityType }) => activityType?.name === 'runTurn'),
    shown: {
      openHolds: typedSearchAttributes.get(searchAttributeKeys.openHolds) ?? 0,
      question: typedSearchAttributes.get(searchAttributeKeys.question) ?? null,
      deadline: deadline?.toISOString() ?? null,
    },
  };
}

function failingAttemptsOf(pending: { attempt?: number | null } | null | undefined): number {
  const attempt = pending?.attempt ?? 0;
  return attempt > 1 ? attempt : 0;
}
