// The only user of the Temporal client. Every call is bounded: without a worker an update would otherwise block for ever.
import type { WorkflowId } from '../../contract/base/id-types.ts';
import { randomUUID } from 'node:crypto';
import {
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
  type WorkflowHandle,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { TypedSearchAttributes, type UpdateDefinition } from '@temporalio/common';
import type { NoticeStart } from '../../contract/tasks/activity.ts';
import type {
  AmendCommand,
  AmendReply,
  CancelCommand,
  DecideCommand,
  DecideReply,
  MessageInput,
  MessageReply,
  UnsignedMessage,
} from '../../contract/holds/decision.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import type { RunCommand, RunReply, TaskStart } from '../../contract/tasks/run.ts';
import type { KnownTask, OverCommand } from '../../contract/tasks/task.ts';
import type { EndedStatus } from '../../contract/tasks/task-names.ts';
import { assertNever, refuse } from '../../core/base/errors.ts';
import { cutBytes, maxSummaryBytes } from '../../core/base/cut-bytes.ts';
import { workflowIdOf } from '../../core/base/ids.ts';
import type { SignedCommand } from '../../core/base/signed-command.ts';
import {
  amendUpdate,
  cancelBySignal,
  decideUpdate,
  messageUpdate,
  noticeWorkflowType,
  overSignal,
  runUpdate,
  searchAttributeKeys,
  taskQuery,
  taskQueue,
  taskWorkflowType,
  type TaskQueryView,
} from '../../workflows/messages.ts';
import { failureOf, type CallFailure } from './temporal-failures.ts';
import { backoff } from '../../core/base/backoff.ts';
import { sleep } from '../../host/process/sleep.ts';

/** The result of a call. `unanswered` may still be carried out later; repeating it is safe. */
export type CallResult<T> =
  | { kind: 'answer'; value: T }
  | { kind: 'refusal'; refusal: Refusal }
  /** This very execution is not open any more. */
  | { kind: 'closed' }
  | { kind: 'unanswered'; by: 'worker' | 'engine' };

export interface TaskClient {
  namespace: string;
  /** Starts a task with its opening run, or passes the run to the thread's open task; `subject`: what it is about, for Temporal's pages. */
  open(start: TaskStart, subject: string): Promise<CallResult<RunReply>>;
  /** Passes a run (answers or a message) to this task; never starts one. */
  resume(task: KnownTask, source: RunCommand): Promise<CallResult<RunReply>>;
  decide(task: KnownTask, source: DecideCommand): Promise<CallResult<DecideReply>>;
  /** Reassigns an open hold, or withdraws one's own vote or decision. */
  amend(task: KnownTask, source: AmendCommand): Promise<CallResult<AmendReply>>;
  /** A person's message to the agent. */
  message(task: KnownTask, source: MessageInput): Promise<CallResult<MessageReply>>;
  /** Notifies channels of an event, by a workflow of its own with this id; once. */
  notify(workflowId: WorkflowId, start: NoticeStart): Promise<CallResult<null>>;
  /** Asks Temporal to cancel; returns when the request is in history, not when the task has ended. */
  cancel(task: KnownTask, by: string): Promise<CallResult<null>>;
  /** Ends an execution that is open although its task ended before; returns when the signal is in history. */
  end(task: KnownTask, status: EndedStatus): Promise<CallResult<null>>;
  /** The workflow's own view; `closed` also when the workflow id belongs to another task by now. */
  query(task: KnownTask, timeoutMs: number): Promise<CallResult<TaskQueryView>>;
  /** Temporal's status of the execution: RUNNING, COMPLETED, FAILED, … */
  describe(task: KnownTask, timeoutMs: number): Promise<CallResult<{ status: string }>>;
  /** Describes the namespace: the error where Temporal cannot be used now, null when it can. */
  fault(timeoutMs: number): Promise<unknown>;
  /** Such an error with its cause, and the setting that cures it. */
  explain(fault: unknown): Promise<unknown>;
}

const callMs = 4_000;
/** Longer than a task lets an answer wait for its turn. */
const underWayMs = 65_000;
const raceMs = 5_000;
const pingMs = 1_000;
type TaskWorkflow = (start: TaskStart) => Promise<unknown>;

/** Its subject is in the summary, which the codec encrypts where one is set. */
export function startOptions(start: TaskStart, subject: string): WorkflowStartOptions<TaskWorkflow> {
  return {
    args: [start],
    workflowId: workflowIdOf(start.agent, start.threadId),
    taskQueue,
    // A task lost with its worker is given to another one after this.
    workflowTaskTimeout: 5_000,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributeKeys.agent, value: start.agent },
      { key: searchAttributeKeys.status, value: 'NEW' },
      { key: searchAttributeKeys.openHolds, value: 0 },
    ]),
    staticSummary: cutBytes(`${start.agent} · ${subject === '' ? start.threadId : subject}`, maxSummaryBytes),
  };
}

/** Starts the workflow of a notice; an id that was used sends nothing again. */
async function signalOnce(client: Client, workflowId: WorkflowId, start: NoticeStart): Promise<void> {
  try {
    await client.workflow.start(noticeWorkflowType, {
      workflowId,
      taskQueue,
      args: [start],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: cutBytes(`${start.event}: tell ${start.channels.join(', ')}`, maxSummaryBytes),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Between the tries of callers that wait for one closing task. */
const pauses = { firstMs: 100, mostMs: 1_500 };

/** The command without the time at which it came. */
const callKey = (name: string, { firstExecutionRunId }: KnownTask, source: { receivedAt?: string }): string =>
  JSON.stringify([name, firstExecutionRunId, { ...source, receivedAt: null }]);

/** The values are left out: the fingerprint covers them, as secrets are sealed differently each time. So is the proof, which has its time. */
const withoutValues = ({ entry, ...source }: DecideCommand): object => ({
  ...source,
  entry: { ...entry, values: null, proof: null },
});

async function namespaceFault(client: Client, timeoutMs: number): Promise<unknown> {
  const { namespace } = client.options;
  try {
    await client.withDeadline(Date.now() + timeoutMs, () => client.workflowService.describeNamespace({ namespace }));
    return null;
  } catch (error) {
    return error;
  }
}

/** The command as the workflow believes it: for this update of this workflow alone. */
type Sign = (workflowId: WorkflowId, name: string, id: string, command: object) => SignedCommand;

/** By Temporal's clock: a workflow believes nothing that was signed long before it began. */
export const signBy =
  (now: () => Date): Sign =>
  (workflowId, name, id, command) => ({ workflowId, name, id, signedAt: now().toISOString(), command });

/** An update id for each attempt: Temporal would repeat a first refusal for ever. The reducer knows the same command again. */
function execute<T>(
  sign: Sign,
  handle: WorkflowHandle,
  definition: UpdateDefinition<T, [SignedCommand]> | UpdateDefinition<T, [SignedCommand | UnsignedMessage]>,
  command: object,
  updateId: string = randomUUID(),
): Promise<T> {
  const signed = sign(handle.workflowId, definition.name, updateId, command);
  return handle.executeUpdate(definition, { updateId, args: [signed] });
}

async function cancelNamed(sign: Sign, handle: WorkflowHandle, command: CancelCommand): Promise<void> {
  await handle.signal(cancelBySignal, sign(handle.workflowId, cancelBySignal.name, command.taskId, command));
  await handle.cancel();
}

/** Reports to an execution that its task ended before; one that is ending stays as it is. */
export const signalOver = (sign: Sign, handle: WorkflowHandle, command: OverCommand): Promise<void> =>
  handle.signal(overSignal, sign(handle.workflowId, overSignal.name, command.taskId, command));

/** What calls are made by. */
interface Calls {
  client: Client;
  share: SharedCall;
  sign: Sign;
}

type Once<T> = { value: T } | CallFailure;

async function once<T>({ client }: Calls, call: () => Promise<T>, timeoutMs: number): Promise<Once<T>> {
  try {
    return { value: await client.withDeadline(Date.now() + timeoutMs, call) };
  } catch (error) {
    return failureOf(error);
  }
}

/** An update without an id; the same one in the meantime joins it. */
async function onceShared<T>(
  { client, share }: Calls,
  key: string,
  call: () => Promise<T>,
  timeoutMs: number,
): Promise<Once<T>> {
  const late = (): Error => new WorkflowUpdateRPCTimeoutOrCancelledError('no answer in time');
  const begin = (): Promise<T> => client.withDeadline(Date.now() + underWayMs, call);
  try {
    return { value: await share(key, begin, timeoutMs, late) };
  } catch (error) {
    return failureOf(error);
  }
}

/** Retries while a task is just closing; bounded by time, since a count means little under load. */
async function bounded<T>(calls: Calls, call: () => Promise<T>, key?: string): Promise<CallResult<T>> {
  const untilMs = performance.now() + raceMs;
  for (let attempt = 0; ; attempt += 1) {
    const result = await (key === undefined ? once(calls, call, callMs) : onceShared(calls, key, call, callMs));
    if ('value' in result) return { kind: 'answer', value: result.value };
    const isBusy = result.kind === 'refused' && result.refusal.code === 'busy';
    const isWorthAnother = isBusy || result.kind === 'race' || result.kind === 'overloaded';
    const waitMs = backoff(attempt, pauses, Math.random());
    if (isWorthAnother && performance.now() + waitMs < untilMs) await sleep(waitMs);
    else return resultOf(calls, result);
  }
}

async function resultOf({ client }: Calls, failure: CallFailure): Promise<CallResult<never>> {
  switch (failure.kind) {
    case 'refused':
      return { kind: 'refusal', refusal: failure.refusal };
    case 'race':
    case 'overloaded':
      return { kind: 'refusal', refusal: refuse('busy', 'the task could not take this just now; try again') };
    case 'closed':
      return { kind: 'closed' };
    case 'timeout':
      // It is known that no answer came; only Temporal itself can show whether it is up.
      return { kind: 'unanswered', by: (await namespaceFault(client, pingMs)) === null ? 'worker' : 'engine' };
    case 'engine-unavailable':
      return { kind: 'unanswered', by: 'engine' };
    case 'broken':
      throw failure.error;
    default:
      return assertNever(failure);
  }
}

/** Checks only once: the caller has something else to show. */
async function check<T>(calls: Calls, call: () => Promise<T>, timeoutMs: number): Promise<CallResult<T>> {
  const result = await once(calls, call, timeoutMs);
  if ('value' in result) return { kind: 'answer', value: result.value };
  if (result.kind === 'broken') throw result.error;
  if (result.kind === 'closed') return { kind: 'closed' };
  return { kind: 'unanswered', by: result.kind === 'engine-unavailable' ? 'engine' : 'worker' };
}

/** Of a call that returns nothing of use. */
const withoutValue = (result: CallResult<unknown>): CallResult<null> =>
  result.kind === 'answer' ? { kind: 'answer', value: null } : result;

const openTask = ({ client, sign }: Calls, start: TaskStart, subject: string): Promise<RunReply> =>
  client.workflow.executeUpdateWithStart(runUpdate, {
    // The update has the run's id, so that a retry or the sweeper gets the first reply.
    updateId: start.opening.runId,
    args: [sign(workflowIdOf(start.agent, start.threadId), runUpdate.name, start.opening.runId, start.opening)],
    startWorkflowOperation: new WithStartWorkflowOperation<TaskWorkflow>(taskWorkflowType, {
      ...startOptions(start, subject),
      workflowIdConflictPolicy: 'USE_EXISTING',
    }),
  });

async function queryTask(
  calls: Calls,
  handle: WorkflowHandle,
  { taskId }: KnownTask,
  timeoutMs: number,
): Promise<CallResult<TaskQueryView>> {
  const result = await check(calls, () => handle.query(taskQuery), timeoutMs);
  // A query goes to the newest execution of the id, whichever the handle names.
  return result.kind === 'answer' && result.value.taskId !== taskId ? { kind: 'closed' } : result;
}

async function describeTask(
  calls: Calls,
  handle: WorkflowHandle,
  { firstExecutionRunId }: KnownTask,
  timeoutMs: number,
): Promise<CallResult<{ status: string }>> {
  const result = await check(calls, () => handle.describe(), timeoutMs);
  if (result.kind !== 'answer') return result;
  const first = result.value.raw.workflowExecutionInfo?.firstRunId;
  const isOther = typeof first === 'string' && first !== '' && first !== firstExecutionRunId;
  return isOther ? { kind: 'closed' } : { kind: 'answer', value: { status: result.value.status.name } };
}

export function createTaskClient(
  client: Client,
  { now, explain = (fault) => Promise.resolve(fault) }: { now: () => Date; explain?: TaskClient['explain'] },
): TaskClient {
  const sign = signBy(now);
  const calls: Calls = { client, share: createSharedCalls(), sign };
  const handleOf = (task: KnownTask): WorkflowHandle =>
    client.workflow.getHandle(task.workflowId, undefined, { firstExecutionRunId: task.firstExecutionRunId });
  /** Without an update's id, and thus shared while it is under way. */
  const shared = <T>(
    name: string,
    definition: UpdateDefinition<T, [SignedCommand]> | UpdateDefinition<T, [SignedCommand | UnsignedMessage]>,
    task: KnownTask,
    source: object,
    key: object = source,
  ): Promise<CallResult<T>> =>
    bounded(calls, () => execute(sign, handleOf(task), definition, source), callKey(name, task, key));
  return {
    namespace: client.options.namespace,
    fault: (timeoutMs) => namespaceFault(client, timeoutMs),
    explain,
    open: (start, subject) => bounded(calls, () => openTask(calls, start, subject)),
    resume: (task, source) => bounded(calls, () => execute(sign, handleOf(task), runUpdate, source, source.runId)),
    decide: (task, source) => shared('decide', decideUpdate, task, source, withoutValues(source)),
    amend: (task, source) => shared('amend', amendUpdate, task, source),
    message: (task, source) => shared('message', messageUpdate, task, source),
    notify: async (id, start) => withoutValue(await bounded(calls, () => signalOnce(client, id, start))),
    cancel: async (task, by) =>
      withoutValue(await bounded(calls, () => cancelNamed(sign, handleOf(task), { taskId: task.taskId, by }))),
    end: async (task, status) =>
      withoutValue(await bounded(calls, () => signalOver(sign, handleOf(task), { taskId: task.taskId, status }))),
    query: (task, timeoutMs) => queryTask(calls, handleOf(task), task, timeoutMs),
    describe: (task, timeoutMs) => describeTask(calls, handleOf(task), task, timeoutMs),
  };
}

// A call that was given up at its deadline may still be waiting in the task. The same call again joins it, as each
// further one would use up one of the few updates that may wait in a task.

/** Rejects with `late()` at the deadline; the call continues, and the same key joins it until it settles. */
type SharedCall = <T>(key: string, begin: () => Promise<T>, timeoutMs: number, late: () => Error) => Promise<T>;

export function createSharedCalls(): SharedCall {
  const underWay = new Map<string, Promise<unknown>>();
  return <T>(key: string, begin: () => Promise<T>, timeoutMs: number, late: () => Error): Promise<T> => {
    // Safe: the key names the kind of call, and with it what it comes to.
    const call = (underWay.get(key) as Promise<T> | undefined) ?? begin();
    if (!underWay.has(key)) {
      underWay.set(key, call);
      const settled = (): void => void underWay.delete(key);
      call.then(settled, settled);
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(late()), timeoutMs);
      void call.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  };
}
