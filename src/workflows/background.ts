// What runs in the background and never delays the turn: messages into a working task, supervisor agents, notices.
import type { HoldId } from '../contract/base/id-types.ts';
import {
  CancellationScope,
  ParentClosePolicy,
  WorkflowIdReusePolicy,
  condition,
  log,
  startChild,
} from '@temporalio/workflow';
import type { AskSupervisorResult, MessageWaits, Waited } from '../contract/tasks/activity.ts';
import type { Hold } from '../contract/holds/hold.ts';
import { injectedKey, supervisorKey } from '../core/base/ids.ts';
import { callOf, supervisorPrincipal } from '../core/task/supervisors.ts';
import type { TaskEffect } from '../core/task/task-state.ts';
import { askSupervisor, supervisorOptions, turnOptions, turnPriority, turns } from './activity-options.ts';
import { decide } from './handlers.ts';
import { messageOf, dispatch, nowIso, type TaskRuntime } from './runtime.ts';
import { noticeWorkflowType } from './messages.ts';
import { cutBytes, maxSummaryBytes } from '../core/base/cut-bytes.ts';

const dayMs = 86_400_000;

type Effect<K extends TaskEffect['kind']> = Extract<TaskEffect, { kind: K }>;

/** Runs until it is done or the task ends; its failure affects nothing else. */
function runInBackground<T>(ends: Set<() => void>, scope: CancellationScope, work: () => Promise<T>): Promise<T> {
  const end = (): void => scope.cancel();
  ends.add(end);
  return scope.run(work).finally(() => ends.delete(end));
}

const isWaiting = (result: unknown): result is MessageWaits =>
  typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'waits';

/** Tries a message until its agent has it, or its time is over; while the agent is away nothing of it is in a slot. */
async function untilTaken<T>(
  { woken }: TaskRuntime,
  key: string,
  send: (waited: Waited) => Promise<T | MessageWaits>,
): Promise<T> {
  for (let waited: Waited = { times: 0, since: null }; ;) {
    const result = await send(waited);
    if (!isWaiting(result)) return result;
    const { times } = waited;
    const ms = Math.max(Date.parse(result.again) - Date.now(), 1);
    await condition(() => woken.get(key) === times, ms, { summary: 'send a message to the agent again' });
    woken.delete(key);
    waited = { times: times + 1, since: result.since };
  }
}

/** A message into a working task; its failure does not fail the task. */
export function startInjection(runtime: TaskRuntime, { runId, message }: Effect<'inject'>): void {
  const { ref, state } = runtime;
  const { turn } = state;
  const options = {
    ...turnOptions,
    priority: turnPriority(state.agent, true),
    summary: `pass a further message to ${state.agent}`,
  };
  const input = { task: ref, runId, message, a2aTaskId: state.a2aTaskId, contextId: state.contextId };
  void runInBackground(runtime.cancelBackground, new CancellationScope(), () =>
    untilTaken(runtime, injectedKey(ref.taskId, runId), (waited) =>
      turns.injectMessage.executeWithOptions(options, [{ ...input, waited }]),
    ),
  ).then(
    // A late one does not concern the current turn.
    () => runtime.state.turn === turn && dispatch(runtime, { type: 'turn.delivered' }),
    (error: unknown) => log.warn('injection failed', { runId, error: messageOf(error) }),
  );
}

const openHoldOf = (runtime: TaskRuntime, holdId: HoldId): Hold | undefined =>
  runtime.state.holds.find((one) => one.holdId === holdId && one.status === 'open');

/**
 * A supervisor agent is asked for as long as its call allows; its answer takes the same path as a person's.
 * It is cancelled once the question has ended.
 */
export function startSupervisor(runtime: TaskRuntime, { holdId, agent, stepIndex }: Effect<'askSupervisor'>): void {
  const hold = openHoldOf(runtime, holdId);
  if (hold === undefined) return;
  const named = { holdId, agent, call: stepIndex };
  const call = callOf(runtime.state, named);
  const endsAt = call?.until ?? hold.nextStep?.at;
  const forMs = Math.max(endsAt === undefined ? dayMs : Date.parse(endsAt) - Date.now(), 1_000);
  const input = { task: runtime.ref, holdId, agent, stepIndex, until: new Date(Date.now() + forMs).toISOString() };
  const options = {
    ...supervisorOptions(agent, forMs),
    summary: cutBytes(`ask the agent ${agent} to decide`, maxSummaryBytes),
  };
  const scope = new CancellationScope();
  const isOver = (): boolean => openHoldOf(runtime, holdId) === undefined;
  void condition(isOver).then(() => scope.cancel());
  void runInBackground(runtime.cancelCalls, scope, () =>
    untilTaken(runtime, supervisorKey(holdId, agent, stepIndex), (waited) =>
      askSupervisor.executeWithOptions(options, [{ ...input, waited }]),
    ),
  )
    .then((result) => takeAnswer(runtime, { holdId, digest: hold.digest }, agent, result))
    .catch((error: unknown) => (isOver() ? null : messageOf(error)))
    .then((why) => {
      runtime.supervisorNote = why === null ? null : `agent:${agent}: ${why}`;
      if (why !== null) log.warn('a supervisor agent did not decide', { holdId, agent, why });
      dispatch(runtime, { type: 'supervisor.done', ...named, why });
    });
}

/** Returns why it is not a decision, or null. */
async function takeAnswer(
  runtime: TaskRuntime,
  hold: { holdId: HoldId; digest: string },
  agent: string,
  { decision, why }: AskSupervisorResult,
): Promise<string | null> {
  if (decision === null) return why ?? 'it did not decide';
  await decide(runtime, {
    entry: { hold: hold.holdId, ...decision, digest: hold.digest },
    principal: supervisorPrincipal(agent),
    receivedAt: nowIso(),
    source: 'agent',
  });
  return null;
}

/** A workflow of its own, which outlives this one; the same event is sent once. */
export async function startNotice({ kind: _notify, ...start }: Effect<'notify'>): Promise<void> {
  const { holdId, event, k, channels } = start;
  try {
    await startChild(noticeWorkflowType, {
      workflowId: `notice/${holdId}/${event}-${k}`,
      args: [start],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      staticSummary: cutBytes(`${event}: tell ${channels.join(', ')}`, maxSummaryBytes),
    });
  } catch (error) {
    // Sent before (this execution was reset), or the server refused to start it; the question is not affected.
    log.warn('a notice was not started', { holdId, event, why: messageOf(error) });
  }
}
