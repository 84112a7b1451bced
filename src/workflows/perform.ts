// Performs the effects of the reducer one after the other; only turns and injections run in the background.
import { CancellationScope, isCancellation, log } from '@temporalio/workflow';
import type { RunTarget } from '../contract/tasks/activity.ts';
import type { ClosedHold, Hold } from '../contract/holds/hold.ts';
import type { LadderPlan } from '../contract/configuration/policy.ts';
import type { TurnOutcome } from '../contract/tasks/turn.ts';
import { assertNever } from '../core/base/errors.ts';
import { askedAgainOf } from '../core/task/asked-again.ts';
import { closedHoldsOf } from '../core/task/hold-end.ts';
import { openedHolds } from '../core/task/hold-open.ts';
import type { TaskEffect, TaskState } from '../core/task/task-state.ts';
import { runStoreActivity, stopAgent, stopOptions, turnOptions, turnPriority, turns } from './activity-options.ts';
import { startInjection, startNotice, startSupervisor } from './background.ts';
import { messageOf, dispatch, nowIso, type TaskRuntime } from './runtime.ts';
import { cutBytes, maxSummaryBytes } from '../core/base/cut-bytes.ts';

/** A promise if the next effect has to wait for it. */
export function perform(runtime: TaskRuntime, effect: TaskEffect): Promise<void> | undefined {
  switch (effect.kind) {
    case 'turn':
      startTurn(runtime);
      return undefined;
    case 'inject':
      startInjection(runtime, effect);
      return undefined;
    case 'askSupervisor':
      startSupervisor(runtime, effect);
      return undefined;
    case 'notify':
      return startNotice(effect);
    case 'amendHolds':
      return amendHolds(runtime, effect);
    case 'stopTurn':
      runtime.stopTurn?.();
      return undefined;
    case 'openHolds':
      return openHolds(runtime, effect.openedAt);
    case 'recordDecisions':
      return recordDecisions(runtime, effect);
    case 'recordStep':
      return recordStep(runtime, effect);
    case 'stopAgent':
      return stop(runtime);
    case 'close':
      return close(runtime);
    default:
      return assertNever(effect);
  }
}

const target = (runtime: TaskRuntime): RunTarget => ({
  runId: runtime.state.runId,
  opener: runtime.state.opener,
  turn: runtime.state.turn,
});

function describeTurn({ send, resumes, isDelivered, awaySince }: TaskState): string {
  if (isDelivered) return `go on (${resumes}) with`;
  if (awaySince !== null) return `try again (${resumes}) to reach`;
  return { answers: 'carry the answer to', message: 'send the message to', talk: 'ask back', nothing: 'follow' }[
    send.kind
  ];
}

function startTurn(runtime: TaskRuntime): void {
  const { state } = runtime;
  const scope = new CancellationScope();
  runtime.stopTurn = () => scope.cancel();
  const isPersons = state.send.kind === 'answers' || state.send.kind === 'talk';
  const summary = `turn ${state.turn}: ${describeTurn(state)} ${state.agent}`;
  const input = {
    task: runtime.ref,
    turn: state.turn,
    resumes: state.resumes,
    isDelivered: state.isDelivered,
    awaySince: state.awaySince,
    runId: state.runId,
    opener: state.opener,
    restartOf: runtime.start.restartOf,
    messageRunId: state.send.kind === 'message' ? runtime.start.opening.runId : null,
    send: state.send,
    a2aTaskId: state.a2aTaskId,
    contextId: state.contextId,
    pauseMessageId: state.pauseMessageId,
    isResendAllowed: state.isResendAllowed,
    skipped: state.skipped,
    n: state.n,
    askedBefore: state.send.kind === 'answers' ? state.askedBefore : [],
    publicUrl: runtime.start.publicUrl,
  };
  const priority = turnPriority(state.agent, isPersons);
  const options = { ...turnOptions, summary, priority };
  void scope
    .run(() => turns.runTurn.executeWithOptions(options, [input]))
    .catch((error: unknown): TurnOutcome => {
      // A stopped turn that does not know the agent's state: the agent is asked to stop, and asked again. Once it was
      // asked to stop, a turn whose worker was lost is not tried again: it ends with a time-out.
      const isStopped = isCancellation(error) || runtime.state.phase === 'stopping';
      if (isStopped)
        return { kind: 'delivery-unknown', a2aTaskId: null, contextId: null, what: 'the turn was stopped' };
      log.error('turn failed', { error });
      return { kind: 'failed', code: 'internal', message: messageOf(error), a2aTaskId: null, contextId: null };
    })
    .then((outcome) => {
      runtime.stopTurn = null;
      dispatch(runtime, { type: 'turn.done', outcome: asItIs(runtime, outcome), now: nowIso() });
    });
}

/** An end that a turn wrote is a hint: what began in the background since is to be closed as well. */
function asItIs({ cancelBackground, effects }: TaskRuntime, outcome: TurnOutcome): TurnOutcome {
  if (outcome.kind !== 'ended' || (cancelBackground.size === 0 && effects.length === 0)) return outcome;
  const { isWritten: _written, ...rest } = outcome;
  return rest;
}

async function openHolds(runtime: TaskRuntime, openedAt: string): Promise<void> {
  const { state, ref, start } = runtime;
  const opened = await runStoreActivity(
    'openHolds',
    {
      task: ref,
      run: target(runtime),
      a2aTaskId: state.a2aTaskId,
      contextId: state.contextId,
      pauseMessageId: state.pauseMessageId,
      explanation: state.explanation,
      questions: state.questions,
      n: state.n,
      openedAt,
      publicUrl: start.publicUrl,
      again: askedAgainOf(state),
      closed: closedHoldsOf(state.holds),
    },
    `ask people (${state.questions.length} question${state.questions.length === 1 ? '' : 's'})`,
  );
  const holds = openedHolds(opened, state.questions);
  dispatch(runtime, { type: 'holds.opened', holds });
}

async function amendHolds(runtime: TaskRuntime, effect: Extract<TaskEffect, { kind: 'amendHolds' }>): Promise<void> {
  const { state, ref, start } = runtime;
  const { run, failed, holdIds, moved = null, undone = null, staged } = effect;
  const holds = state.holds.filter(({ holdId, status }) => status === 'open' && holdIds.includes(holdId));
  const isWatched = failed !== null && state.a2aTaskId !== null;
  await runStoreActivity(
    'amendHolds',
    {
      task: ref,
      status: state.status,
      holds: holds.map((hold) => {
        const { holdId, votes, audience, asking, plan, outgoing = null } = hold;
        return {
          holdId,
          votes,
          audience,
          asking,
          ...planOf(hold),
          ...(plan.extensions === undefined && plan.reapplied === undefined && plan.stages === undefined
            ? {}
            : { nextStep: hold.nextStep }),
          ...(plan.reapplied === undefined ? {} : { stepsTaken: hold.stepsTaken }),
          // As it was then: taken back meanwhile, it would leave no record.
          ...(plan.graceMs === undefined ? {} : { outgoing: staged?.holdId === holdId ? staged.outgoing : outgoing }),
        };
      }),
      run: run && { runId: run.runId, opener: run.opener, turn: state.turn },
      skipped: run?.skipped ?? [],
      moved,
      ...(undone === null ? {} : { undone }),
      failed,
      publicUrl: start.publicUrl,
      watch: isWatched
        ? {
            watchVersion: Math.min(...state.holds.map(({ n }) => n)),
            a2aTaskId: state.a2aTaskId ?? '',
            pauseMessageId: state.pauseMessageId,
          }
        : null,
    },
    failed === null ? 'show who is asked now, and what was agreed' : 'tell people that the agent could not be asked',
  );
}

/** A plan changes after the hold opened only by calls of agents, repeats with a calendar, speakers, extensions, undone decisions, and a reapplied policy and stages. */
const planOf = ({ plan }: Hold): { plan?: LadderPlan } =>
  plan.supervisors.length === 0 &&
  plan.repeats === undefined &&
  plan.requesters === undefined &&
  plan.extensions === undefined &&
  plan.reapplied === undefined &&
  plan.graceUsedBy === undefined &&
  plan.stages === undefined
    ? {}
    : { plan };

async function recordDecisions(
  { ref, state }: TaskRuntime,
  { holds, run }: Extract<TaskEffect, { kind: 'recordDecisions' }>,
): Promise<void> {
  const input = { task: ref, status: state.status, holds, run, skipped: state.skipped };
  await runStoreActivity('recordDecisions', input, 'write what became of the questions');
}

async function recordStep(runtime: TaskRuntime, effect: Extract<TaskEffect, { kind: 'recordStep' }>): Promise<void> {
  const hold = runtime.state.holds.find(({ holdId }) => holdId === effect.holdId);
  if (hold === undefined) return;
  const recorded = await runStoreActivity(
    'recordStep',
    {
      task: runtime.ref,
      holdId: hold.holdId,
      index: effect.index,
      step: effect.step,
      audience: hold.audience,
      nextStep: hold.nextStep,
      ...planOf(hold),
      takenAt: nowIso(),
      turn: runtime.state.turn,
      publicUrl: runtime.start.publicUrl,
      isQuiet: runtime.state.asking !== null,
    },
    effect.step.do === 'remind'
      ? 'remind those who are asked'
      : cutBytes(`escalate to ${effect.step.to.join(', ')}`, maxSummaryBytes),
  );
  const { holdId } = hold;
  const at = recorded.repeatAt;
  if (at !== null) dispatch(runtime, { type: 'repeat.found', holdId, index: effect.index + 1, at });
}

const whyStopped = ({ cancel, end }: TaskState): string =>
  cancel?.reason ?? (end?.kind === 'failed' ? end.message : 'canceled');

async function stop(runtime: TaskRuntime): Promise<void> {
  const { state, ref } = runtime;
  const input = { task: ref, a2aTaskId: state.a2aTaskId, reason: whyStopped(state) };
  const result = await stopAgent.executeWithOptions(stopOptions(state.agent), [input]).catch((error: unknown) => ({
    state: 'unknown' as const,
    message: messageOf(error),
  }));
  dispatch(runtime, { type: 'agent.stopped', ...result });
}

async function close(runtime: TaskRuntime): Promise<void> {
  const { state, ref, start } = runtime;
  const { end } = state;
  if (end === null || end.kind === 'already-run' || end.kind === 'ended-before' || end.kind === 'refused') return;
  const isStopNext = (): boolean => runtime.effects[0]?.kind === 'stopAgent';
  const closed = await runStoreActivity(
    'closeTask',
    {
      task: ref,
      run: target(runtime),
      status: state.status,
      end: {
        kind: end.kind,
        code: end.kind === 'failed' ? end.code : null,
        message: end.kind === 'failed' ? end.message : end.kind === 'canceled' ? end.reason : '',
        by: end.kind === 'canceled' ? end.by : null,
      },
      a2aTaskId: state.a2aTaskId,
      contextId: state.contextId,
      holds:
        end.kind === 'completed' ? closedHoldsOf(state.holds) : [...inFlight(state), ...closedHoldsOf(state.holds)],
      skipped: state.skipped,
      publicUrl: start.publicUrl,
      ...(isStopNext() ? { stop: whyStopped(state) } : {}),
      ...(start.answerId === undefined ? {} : { answerId: start.answerId }),
    },
    `write the end: ${end.kind}`,
  );
  runtime.answer = closed?.answer ?? null;
  if (closed?.isStopped === true && isStopNext()) runtime.effects.shift();
}

/** Answers of a turn that may have been stopped before it began; nothing else would close their questions. */
const inFlight = ({ send, holds }: TaskState): ClosedHold[] =>
  send.kind === 'answers' && holds.length === 0 ? send.answers.map(({ closed }) => closed) : [];
