// What runs beside the turn and never holds it up: messages into a working task, supervisor agents, notices.
import { CancellationScope, ParentClosePolicy, WorkflowIdReusePolicy, log, startChild } from '@temporalio/workflow';
import type { AskSupervisorResult, NoticeStart } from '../contract/activity.ts';
import type { TaskEffect } from '../core/task-state.ts';
import { answeredTurnPriority, askSupervisor, supervisorOptions, turnOptions, turns } from './activity-options.ts';
import { decide } from './doors.ts';
import { messageOf } from './message-of.ts';
import { noticeWorkflowType } from './messages.ts';
import { cutBytes, maxSummaryBytes, showState } from './operator-view.ts';
import { dispatch, nowIso } from './shell.ts';
import type { Shell } from './shell.ts';

type Effect<K extends TaskEffect['do']> = Extract<TaskEffect, { do: K }>;

/** Runs until it is done or the task ends; its failure is nobody else's. */
function runBeside<T>(shell: Shell, work: () => Promise<T>): Promise<T> {
  const scope = new CancellationScope();
  const end = (): void => scope.cancel();
  shell.endBeside.add(end);
  return scope.run(work).finally(() => shell.endBeside.delete(end));
}

/** A message into a working task: never a reason for the task to fail. */
export function startInjection(shell: Shell, { runId, say }: Effect<'inject'>): void {
  const { ref, state } = shell;
  const { turn } = state;
  const options = {
    ...turnOptions,
    priority: answeredTurnPriority,
    summary: `pass a further message to ${state.agent}`,
  };
  const input = { task: ref, runId, say, a2aTaskId: state.a2aTaskId, contextId: state.contextId };
  void runBeside(shell, () => turns.injectMessage.executeWithOptions(options, [input])).then(
    // A late one says nothing of the turn that works now.
    () => shell.state.turn === turn && dispatch(shell, { type: 'turn.delivered' }),
    (error: unknown) => log.warn('injection failed', { runId, error: messageOf(error) }),
  );
}

const halfHourMs = 30 * 60_000;

/** A supervisor agent is asked until the hold's next step; what it says comes through the same door as a person's word. */
export function startSupervisor(shell: Shell, { holdId, agent, stepIndex }: Effect<'askSupervisor'>): void {
  const hold = shell.state.holds.find((one) => one.holdId === holdId && one.status === 'open');
  if (hold === undefined) return;
  const leftMs = hold.nextStep === null ? halfHourMs : Date.parse(hold.nextStep.at) - Date.now();
  const forMs = Math.min(Math.max(leftMs, 1_000), halfHourMs);
  const input = { task: shell.ref, holdId, agent, stepIndex, until: new Date(Date.now() + forMs).toISOString() };
  const options = {
    ...supervisorOptions(forMs),
    summary: cutBytes(`ask the agent ${agent} to decide`, maxSummaryBytes),
  };
  void runBeside(shell, () => askSupervisor.executeWithOptions(options, [input]))
    .then((result) => takeWord(shell, { holdId, digest: hold.digest }, agent, result))
    .catch((error: unknown) => messageOf(error))
    .then((why) => {
      shell.supervisorNote = why === null ? null : `agent:${agent}: ${why}`;
      if (why !== null) log.warn('a supervisor agent did not decide', { holdId, agent, why });
      showState(shell);
    });
}

/** Returns why it is no decision, or null. */
async function takeWord(
  shell: Shell,
  hold: { holdId: string; digest: string },
  agent: string,
  { decision, why }: AskSupervisorResult,
): Promise<string | null> {
  if (decision === null) return why ?? 'it did not decide';
  await decide(shell, {
    entry: { hold: hold.holdId, ...decision, digest: hold.digest, print: '' },
    principal: { id: `agent:${agent}`, roles: [], isSuper: false },
    receivedAt: nowIso(),
    door: 'agent',
  });
  return null;
}

/** A workflow of its own, which outlives this one; the same event is told once. */
export async function startNotice({ holdId, event, k, channels, giveUpAfterMs }: Effect<'notify'>): Promise<void> {
  const start: NoticeStart = { holdId, event, k, channels, giveUpAfterMs };
  try {
    await startChild(noticeWorkflowType, {
      workflowId: `notice/${holdId}/${event}-${k}`,
      args: [start],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      staticSummary: cutBytes(`${event}: tell ${channels.join(', ')}`, maxSummaryBytes),
    });
  } catch (error) {
    // Told before (this execution was reset), or the server will not start it: the question itself stands.
    log.warn('a notice was not started', { holdId, event, why: messageOf(error) });
  }
}
