import { shareTaken } from './circuits/ask-later.ts';
import { Context, ApplicationFailure, CancelledFailure, CompleteAsyncError } from '@temporalio/activity';
import type { Activities } from './activities.ts';
import { amendHolds } from './holds/amend-holds.ts';
import { askedAnswer } from './tasks/asked-answer.ts';
import { askSupervisor } from './supervisors/ask-supervisor.ts';
import { checkAnswers } from './holds/check-answers.ts';
import { closeTask } from './tasks/close-task.ts';
import { countEnd } from './tasks/count-end.ts';
import { deliverPush } from './notices/deliver-push.ts';
import { deliverNotice } from './notices/deliver-notice.ts';
import type { ActivityDeps } from './deps.ts';
import { isUnproved } from '../core/base/signed-command.ts';
import { injectMessage } from './turn/inject-message.ts';
import { openHolds } from './holds/open-holds.ts';
import { rebuild } from './tasks/rebuild.ts';
import { reconcile } from './tasks/reconcile.ts';
import { recordDecisions } from './holds/record-decisions.ts';
import { rememberReads } from './run-log/remembered-reads.ts';
import { recordStep } from './holds/record-step.ts';
import { runTurn } from './turn/run-turn.ts';
import type { TurnInput, TurnOutcome } from '../contract/tasks/turn.ts';
import { agentsEnd, statusOf } from '../core/task/turn-done.ts';
import { sendDigest } from './notices/send-digest.ts';
import { stopAgent, stopsSoon } from './tasks/stop-agent.ts';
import { within } from '../host/process/time-limit.ts';
import { errorText } from '../host/process/errno.ts';

const heartbeatMs = 2_000;

/** No activity acts on what a workflow of Standfast's did not give it: any workflow of the namespace may call it. */
function refuseUnproved(input: unknown): void {
  if (input !== undefined && !isUnproved(input)) return;
  throw ApplicationFailure.nonRetryable('its input was not made by a workflow of this Standfast', 'unproved');
}

/** Sends heartbeats while the work goes on, so that another worker takes it up soon if this one dies. */
function withHeartbeat<I, R>(work: (input: I) => Promise<R>): (input: I) => Promise<R> {
  return async (input) => {
    refuseUnproved(input);
    const context = Context.current();
    const heartbeat = setInterval(() => context.heartbeat(), heartbeatMs);
    try {
      return await work(input);
    } finally {
      clearInterval(heartbeat);
    }
  };
}

/** All activities with their dependencies. */
export function createActivities(deps: ActivityDeps): Activities {
  const remembering = (): ActivityDeps => ({ ...deps, store: rememberReads(deps.store) });
  return {
    runTurn: withHeartbeat((input) => measuredTurn(deps, input)),
    injectMessage: withHeartbeat((input) => injectMessage(deps, input)),
    openHolds: withHeartbeat((input) => openHolds(remembering(), input)),
    checkAnswers: withHeartbeat((input) => checkAnswers(deps, input)),
    recordDecisions: withHeartbeat((input) => recordDecisions(remembering(), input)),
    recordStep: withHeartbeat((input) => recordStep(remembering(), input)),
    amendHolds: withHeartbeat((input) => amendHolds(remembering(), input)),
    askSupervisor: withHeartbeat((input) => askSupervisor(deps, input)),
    deliverNotice: withHeartbeat((input) => deliverNotice(deps, input)),
    sendDigest: withHeartbeat((input) => sendDigest(deps, input)),
    deliverPush: withHeartbeat((input) => deliverPush(deps, input)),
    closeTask: withHeartbeat(async (input) => {
      const { task, a2aTaskId, status, end, stop: reason, answerId } = input;
      if (await closeTask(remembering(), input)) countEnd(deps, task, status, end.code);
      const { cancellationSignal } = Context.current();
      const isStopped =
        reason !== undefined && (await stopsSoon(deps, { task, a2aTaskId, reason }, cancellationSignal));
      const answer = answerId === undefined ? null : await askedAnswer(deps, task, answerId);
      return answer === null ? { isStopped } : { isStopped, answer };
    }),
    stopAgent: withHeartbeat(async (input) => {
      const slot = deps.slots.enter(input.task.agent);
      if (slot === null) throw shareTaken(input.task.agent);
      try {
        return await stopAgent(deps, input, within(Context.current().cancellationSignal, 50_000).signal);
      } finally {
        slot.leave();
      }
    }),
    requestCancel: withHeartbeat(({ workflowId, firstExecutionRunId }) =>
      deps.engine.requestCancel(workflowId, firstExecutionRunId),
    ),
    rebuild: withHeartbeat((input) => rebuild(deps, input)),
    reconcile: () => reconcile(deps, () => Context.current().heartbeat()),
  };
}

async function measuredTurn(deps: ActivityDeps, input: TurnInput): Promise<TurnOutcome> {
  const { agent } = input.task;
  const startedAt = performance.now();
  let result = 'error';
  try {
    const outcome = await runTurn(deps, input);
    result = outcome.kind === 'ended' ? outcome.state : outcome.kind;
    // The turn wrote the end of the task, too.
    const end = outcome.kind === 'ended' && outcome.isWritten ? agentsEnd(outcome) : null;
    if (end !== null) countEnd(deps, input.task, statusOf(end), end.kind === 'failed' ? end.code : null);
    return outcome;
  } catch (error) {
    if (error instanceof CancelledFailure) result = 'cancelled';
    throw error;
  } finally {
    deps.metrics.turns.observe({ agent, result }, (performance.now() - startedAt) / 1000);
  }
}

type Run = (input: unknown) => Promise<unknown>;

/** The activities with their failures' messages in a detail: Temporal encrypts details alone. */
export function hideFailures(activities: Activities): Activities {
  const hidden = Object.entries(activities).map(([name, run]: [string, Run]): [string, Run] => [
    name,
    (input) => run(input).catch((error: unknown) => Promise.reject(withoutText(error))),
  ]);
  // Safe: same names, same arguments, same results.
  return Object.fromEntries(hidden) as unknown as Activities;
}

function withoutText(error: unknown): unknown {
  if (error instanceof CancelledFailure || error instanceof CompleteAsyncError) return error;
  const own = error instanceof ApplicationFailure ? error : null;
  const type = own?.type ?? (error instanceof Error ? error.name : 'Error');
  return ApplicationFailure.create({
    type,
    message: `${type} (encrypted)`,
    details: [{ hidden: errorText(error) }],
    nonRetryable: own?.nonRetryable ?? false,
    ...(own?.nextRetryDelay == null ? {} : { nextRetryDelay: own.nextRetryDelay }),
  });
}
