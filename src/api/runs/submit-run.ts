// Submits a stored run to Temporal as it was planned. The route and the sweeper may repeat it: a run acts once.
import type { RunId } from '../../contract/base/id-types.ts';
import type { ProblemCode, Refusal } from '../../contract/base/problem.ts';
import type { IntakePlan, OpeningRun, RunReply, TaskStart } from '../../contract/tasks/run.ts';
import { assertNever, StandfastError, refuse } from '../../core/base/errors.ts';
import { taskIdOf } from '../../core/base/ids.ts';
import { openingWords } from '../../wire/agui/input/opening-words.ts';
import { headlineOf } from '../../core/consent/headline.ts';
import { isRunAsItCame, runMac } from '../../core/base/proved-row.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import type { IntakeRow, NewIntake } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import type { CallResult } from '../engine/task-client.ts';
import { runBefore, toOpenQuestion } from './accompanying-message.ts';
import { adoptionOf } from './message-target.ts';
import type { Config } from '../../contract/configuration/config.ts';
import { durationMs } from '../../core/policy/duration.ts';
import type { WithStore } from '../api-parts.ts';
import { ownEntry } from '../../core/base/own-entry.ts';

export type Admission =
  | { result: 'admitted' }
  | { result: 'refused'; refusal: Refusal }
  /** A resume whose task has ended: the rows have the outcome. */
  | { result: 'closed' }
  /** `isWaiting`: a message that came with answers whose run has not ended. */
  | { result: 'unanswered'; by: 'worker' | 'engine'; isWaiting?: true };

/** Without `starts` it is done at once: the sweeper does one after the other. */
export type SubmitDeps = Pick<ApiContext, 'store' | 'tasks' | 'publicUrl' | 'config' | 'codec' | 'prover'> &
  Partial<Pick<ApiContext, 'starts'>>;

/** How long a start that was taken may keep others waiting until its work begins. */
const beginsWithinMs = 5_000;

export function refuseOtherBody(fingerprint: string, stored: { fingerprint: string } | null, runId: RunId): void {
  if (stored === null || stored.fingerprint === fingerprint) return;
  throw new StandfastError('run_conflict', `the runId ${runId} was used with another body`);
}

/**
 * Keeps a run before Temporal is called; a repeat finds the first one, with the plan that was made then. `body`: the fingerprint of its
 * body, where that is known.
 */
export async function keepRun(api: Keeping, row: Omit<NewIntake, 'mac'>, body?: string): Promise<IntakeRow> {
  const mac = runMac(api.prover, row, body);
  const stored = await api.store.intake.put({ ...row, mac });
  refuseOtherBody(row.fingerprint, stored, row.runId);
  return asItCame(api, stored, mac);
}

type Keeping = WithStore & Pick<ApiContext, 'prover'>;

/**
 * The row of a run, where an api took the run as it has it; throws `internal` where none did. `written`: the MAC that was made of it a
 * moment ago, which its body need not be read for once more.
 */
export function asItCame({ prover }: Pick<ApiContext, 'prover'>, row: IntakeRow, written?: string): IntakeRow {
  if (row.mac === written || isRunAsItCame(prover, row)) return row;
  throw new StandfastError('internal', `the row of the run ${row.runId} is not as it came: ask an operator`);
}

/** Sends nothing for a run that may have acted before. */
export async function submitRun(deps: SubmitDeps, row: IntakeRow): Promise<Admission> {
  // What went to a task as a person's message has no log of its own.
  if (row.afterRun !== null && row.admittedAt !== null) return { result: 'admitted' };
  if ((await deps.store.runs.get(row)) === null) return handOver(deps, row);
  await deps.store.intake.admitted(row);
  return { result: 'admitted' };
}

/** Never throws because of Temporal or the workflow; the result is kept in the intake row. */
export async function handOver(deps: SubmitDeps, row: IntakeRow): Promise<Admission> {
  const { store } = deps;
  const before = row.afterRun === null ? ({ kind: 'ended' } as const) : await runBefore(deps, row, row.afterRun);
  if (before.kind === 'waiting') return { result: 'unanswered', by: 'worker', isWaiting: true };
  if (before.kind === 'refused') {
    await store.intake.settle(row, { refused: before.refusal.code });
    return { result: 'refused', refusal: before.refusal };
  }
  const result = row.afterRun === null ? await send(deps, row) : await sendAfterAnswers(deps, row);
  switch (result.kind) {
    case 'answer':
      // From now on its messages are old on this thread.
      await store.intake.admitted(row);
      return { result: 'admitted' };
    case 'refusal':
      // The task is not quite over yet: the sweeper submits the run again.
      if (result.refusal.code === 'busy' && (await isJustOver(deps, row)))
        return { result: 'unanswered', by: 'worker' };
      await store.intake.settle(row, { refused: result.refusal.code });
      return { result: 'refused', refusal: result.refusal };
    case 'closed':
      await store.intake.settle(row, { refused: 'hold_closed' satisfies ProblemCode });
      return { result: 'closed' };
    case 'unanswered':
      return { result: 'unanswered', by: result.by };
    default:
      return assertNever(result);
  }
}

async function send(deps: SubmitDeps, { plan, ...row }: IntakeRow): Promise<CallResult<RunReply>> {
  const { runId, fingerprint, principal, receivedAt } = row;
  const source = { runId, fingerprint, principal, receivedAt };
  switch (plan.kind) {
    case 'resume':
      return deps.tasks.resume(plan.task, { ...source, kind: 'resume', entries: plan.entries, source: plan.source });
    case 'ask':
      return open(deps, row, plan, {
        ...source,
        kind: 'ask',
        questions: plan.questions,
        ...(plan.filesKey === undefined ? {} : { filesKey: plan.filesKey }),
      });
    case 'message': {
      const command: OpeningRun = { ...source, kind: 'message', seen: plan.seen };
      return plan.task === null ? open(deps, row, plan, command) : deps.tasks.resume(plan.task, command);
    }
    case 'adopt': {
      const adoption = await adoptionOf(deps, row.agent, plan);
      if (adoption !== null) return open(deps, row, plan, { ...source, kind: 'adopt', adoption, seen: plan.seen });
      const refusal = refuse('busy', 'another caller has just taken this task over; ask again');
      return { kind: 'refusal', refusal };
    }
    default:
      return assertNever(plan);
  }
}

/** By now the task is over or works, which the workflow knows best; one that asks again gets it as a person's message. */
async function sendAfterAnswers(deps: SubmitDeps, row: IntakeRow): Promise<CallResult<RunReply>> {
  const { plan, agent, threadId } = row;
  const seen = await deps.store.tasks.seen(agent, threadId);
  const result = await send(deps, plan.kind === 'message' ? { ...row, plan: { ...plan, seen } } : row);
  const isAsked = result.kind === 'refusal' && result.refusal.code === 'interrupts_pending';
  return isAsked ? toOpenQuestion(deps, row, result) : result;
}

function open(
  deps: SubmitDeps,
  row: Omit<IntakeRow, 'plan'>,
  plan: Exclude<IntakePlan, { kind: 'resume' }>,
  opening: OpeningRun,
): Promise<CallResult<RunReply>> {
  const { agent, threadId, runId } = row;
  const start: TaskStart = {
    version: 1,
    taskId: taskIdOf(sha1Hex, agent, threadId, runId),
    agent,
    threadId,
    owner: plan.owner,
    opening,
    contextId: plan.kind === 'ask' ? null : plan.contextId,
    publicUrl: deps.publicUrl,
    limits: limitsOf(deps.config, agent),
    restartOf: plan.kind === 'message' ? plan.restartOf : null,
    ...(deps.codec == null ? {} : { hidesText: true }),
    ...(plan.kind === 'ask' && plan.answerId !== undefined ? { answerId: plan.answerId } : {}),
  };
  const openTask = (): Promise<CallResult<RunReply>> => deps.tasks.open(start, subjectOf(row, plan));
  const hasBegun = async ({ kind }: CallResult<RunReply>): Promise<void> => {
    if (kind === 'answer') await deps.store.waitForRun({ agent, threadId, runId }, { timeoutMs: beginsWithinMs });
  };
  return deps.starts === undefined ? openTask() : deps.starts.pass(openTask, hasBegun);
}

const subjectChars = 120;

/** What operators read in Temporal's list: what a program asks, or in quotation marks what its requester wrote. */
function subjectOf(row: Omit<IntakeRow, 'plan'>, plan: Exclude<IntakePlan, { kind: 'resume' }>): string {
  if (plan.kind === 'ask') {
    const [question] = plan.questions;
    return question === undefined ? '' : headlineOf(question);
  }
  const words = openingWords(row, plan.owner, subjectChars);
  return words === '' ? '' : `“${words}” · ${plan.owner}`;
}

async function isJustOver({ store }: SubmitDeps, { agent, threadId }: IntakeRow): Promise<boolean> {
  return (await store.tasks.seen(agent, threadId))?.isEnded === true;
}

/** How long an agent may be silent, and may work in all. */
function limitsOf({ agents }: Config, agent: string): TaskStart['limits'] {
  const { silence, total } = ownEntry(agents, agent)?.limits ?? {};
  return {
    silenceMs: silence === undefined ? null : durationMs(silence),
    totalMs: total === undefined ? null : durationMs(total),
  };
}
