// Rebuilds the rows and the watch of an open task from its workflow after the database was restored from an older
// backup. What the run logs got since then is lost; people and agents can continue.
import type { RunId } from '../../contract/base/id-types.ts';
import type { AmendHoldsInput } from '../../contract/tasks/activity.ts';
import type { DecideCommand } from '../../contract/holds/decision.ts';
import type { ClosedHold, Hold } from '../../contract/holds/hold.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import { newestOf } from '../../core/task/task-state.ts';
import { askAgent } from '../../core/base/ids.ts';
import { endedTaskOf } from '../../core/questions/asks.ts';
import { givenAgain } from '../../core/answers/given-again.ts';
import { whyNotActedOn } from '../../core/consent/acted-on.ts';
import { asSent } from '../../core/consent/proof.ts';
import { rowMac } from '../../core/base/proved-row.ts';
import { holdDigest } from '../../core/consent/question-digest.ts';
import { askedOf } from '../../core/consent/receipt.ts';
import { closedHoldsOf } from '../../core/task/hold-end.ts';
import { ownRunIdOf } from '../../core/base/ids.ts';
import type { HoldRow, Tables, TaskRow } from '../../store/store.ts';
import { cardContent } from '../../wire/agui/cards/cards.ts';
import type { TaskQueryView } from '../../workflows/messages.ts';
import type { TaskChangeDeps } from '../run-log/caller-log.ts';
import { amendHolds } from '../holds/amend-holds.ts';
import type { EngineState } from '../deps.ts';
import type { Proving, WithStore, WithTiming, WithUrl } from '../dep-parts.ts';
import { newRow } from '../../store/tables/holds/new-row.ts';

type Deps = TaskChangeDeps & WithTiming;

type OpenState = Extract<EngineState, { state: 'open' }>;

const isOperators = ({ question }: Pick<Hold, 'question'>): boolean => question.kind === 'operator';

/** What was read of a task together with others. */
export interface KnownRows {
  /** Its open questions. */
  holds: HoldRow[];
  isWatched: boolean;
}

/**
 * True when the rows do not match what Temporal shows of an execution: other open questions, or no watch on the agent's
 * task. A running turn writes both itself.
 */
export async function isOutOfStep(
  { store }: WithStore,
  row: TaskRow,
  { isTurning = true, shown }: OpenState,
  known?: KnownRows,
): Promise<boolean> {
  if (isTurning || shown === undefined) return false;
  const open = known?.holds ?? (await store.holds.openOf([row.taskId]));
  const [deadline = null] = open.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt])).toSorted();
  const isSame =
    open.length === shown.openHolds && newestOf(open) === shown.question && sameMoment(deadline, shown.deadline);
  if (!isSame) return true;
  // No agent is waited for: a question over MCP, or Standfast's own to operators.
  const isQuestionOfStandfast = row.agent === askAgent || (open.length > 0 && open.every(isOperators));
  // A turn that waits for its agent to be back has nothing to watch: its workflow tries it again.
  if (row.stuck?.cause === 'agent_away' && row.status !== 'IN_PROGRESS') return false;
  if (isQuestionOfStandfast) return false;
  return !(known?.isWatched ?? (await store.tasks.watched([row.taskId])).length > 0);
}

const sameMoment = (a: string | null, b: string | null): boolean =>
  (a === null ? null : Date.parse(a)) === (b === null ? null : Date.parse(b));

const watchVersionOf = ({ holds }: TaskQueryView): number => Math.min(...holds.map(({ n }) => n));

const restoredRun = ({ taskId }: TaskRef, view: TaskQueryView): RunId =>
  ownRunIdOf(taskId, `restored-${watchVersionOf(view)}`);

/**
 * What the workflow asks and the rows have the answer to: Temporal was restored to an earlier moment. Its agent had that answer, and
 * gets it no second time: the turn that it begins finds what came of it.
 */
async function answersSince(deps: Deps, task: TaskRef, { holds }: TaskQueryView): Promise<DecideCommand[]> {
  const asked = new Set(holds.filter(({ status }) => status === 'open').map(({ holdId }) => holdId));
  const rows = (await deps.store.holds.ofTask(task.taskId)).filter(({ holdId }) => asked.has(holdId));
  return rows.flatMap((row) => {
    const isAnswered = row.status === 'decided' || row.status === 'cancelled';
    const isProved = whyNotActedOn(deps.prover, row, row, { from: 'row' }) === null;
    return isAnswered && isProved ? givenAgain(row) : [];
  });
}

/** False: one of them was refused, and the rows are repaired by what the workflow has. */
async function giveAgain(deps: Deps, task: TaskRef, commands: readonly DecideCommand[]): Promise<boolean> {
  for (const command of commands) {
    const why = await deps.engine.decideAgain(task, command);
    if (why === null) continue;
    deps.log.warn({ taskId: task.taskId, why }, 'an answer of before Temporal was restored is not taken again');
    return false;
  }
  return commands.length > 0;
}

/** Repairs the rows, or gives the workflow what they have; returns what was done, or null if nothing was necessary. */
export async function restoreTask(
  deps: Deps,
  task: TaskRef,
  view: TaskQueryView,
  runId: RunId = restoredRun(task, view),
): Promise<'restored' | 'woken' | 'answered' | null> {
  const isWaiting = view.parkedSince !== null;
  if (view.phase !== 'holding' && !isWaiting) return null;
  if (await giveAgain(deps, task, await answersSince(deps, task, view))) return 'answered';
  const { holds } = view;
  await deps.store.tx(async (tables) => {
    const { a2aTaskId, contextId } = view;
    await tables.tasks.update(task.taskId, {
      status: view.status,
      ...(a2aTaskId === null ? {} : { a2aTaskId }),
      ...(contextId === null ? {} : { contextId }),
    });
    await restoreHolds(tables, deps, task, view, holds);
  });
  if (view.phase === 'holding') await amendHolds(deps, amendmentOf(deps, task, view, runId));
  if (!isWaiting) return 'restored';
  // The turn takes the agent's task up, and writes its watch when it parks of it again.
  await deps.engine.signalMoved(task.workflowId, task.firstExecutionRunId, {
    kind: 'turn',
    watchVersion: view.resumes,
  });
  return 'woken';
}

/** A task that was started after the backup: it has an execution and no row. */
export async function restoreLost(
  deps: Deps,
  { workflowId, firstExecutionRunId }: Pick<TaskRef, 'workflowId' | 'firstExecutionRunId'>,
  view: TaskQueryView,
): Promise<void> {
  const { taskId, agent, threadId, owner } = view;
  const task: TaskRef = { taskId, agent, threadId, workflowId, firstExecutionRunId, owner };
  await deps.store.threads.claim(agent, threadId, owner);
  // Its opening message is lost, and its agent's question would pass for its requester's words.
  const title = agent === askAgent ? (view.holds[0]?.question.title ?? '') : '';
  await deps.store.tasks.put(task, view.holds[0]?.openedAt ?? deps.now().toISOString(), { title, restartOf: null });
  await restoreTask(deps, task, view);
}

async function restoreHolds(
  tables: Tables,
  deps: Proving,
  task: TaskRef,
  view: TaskQueryView,
  holds: Hold[],
): Promise<void> {
  await tables.holds.putOnce(holds.map((hold) => rowOf(deps, task, view, { ...hold, status: 'open' })));
  for (const { holdId, status, stepsTaken, audience, nextStep, plan } of holds)
    if (status === 'open') await tables.holds.step(holdId, { stepsTaken, audience, nextStep, plan });
  for (const { holdId, ...end } of closedHoldsOf(holds))
    await tables.holds.close(holdId, asSent(deps.prover.macOf, holdId, end));
  const current = new Set(holds.map(({ holdId }) => holdId));
  for (const row of await tables.holds.ofTask(task.taskId)) {
    if (row.status !== 'open' || current.has(row.holdId)) continue;
    await tables.holds.close(row.holdId, missedEnd(row, view, deps.now().toISOString()));
  }
}

/** What the workflow asks, as a row: its worker proves what is there of the question, since its digest covers more. */
export function rowOf(
  deps: Proving,
  task: TaskRef,
  { a2aTaskId, contextId, runId }: Pick<TaskQueryView, 'a2aTaskId' | 'contextId' | 'runId'>,
  hold: Hold,
): HoldRow {
  const { taskId, agent, threadId, owner } = task;
  const { holdId, digest } = hold;
  // The attachments of the question are with the agent; their digest is kept.
  const gone = { artifacts: null, attachments: [] };
  const there = holdDigest(deps.prover.fingerprintOf, askedOf({ ...hold, agent, owner, ...gone }));
  return {
    ...hold,
    ...newRow(),
    taskId,
    agent,
    threadId,
    owner,
    openedInRun: runId,
    card: cardContent(hold, { taskId, a2aTaskId, contextId }),
    updatedAt: deps.now().toISOString(),
    ...gone,
    restoredMac: rowMac(deps.prover, 'restored question', { hold: holdId, digest, there }),
  };
}

/** The workflow knows how a question of an earlier pause ended, but not its answer. */
function missedEnd({ interruptId, votes }: HoldRow, { past }: TaskQueryView, now: string): Omit<ClosedHold, 'holdId'> {
  const known = past.find((one) => one.interruptId === interruptId);
  const ended = {
    by: known?.by ?? 'operator',
    at: known?.at ?? now,
    why: (known?.why ?? 'withdrawn') as NonNullable<ClosedHold['ended']>['why'],
  };
  const status = (known?.status ?? 'withdrawn') as ClosedHold['status'];
  return { status, decision: null, answerFingerprint: null, votes, supersededBy: known?.supersededBy ?? null, ended };
}

/** Restates the open questions in a short run by Standfast, and watches their pause. */
function amendmentOf(deps: WithUrl, task: TaskRef, view: TaskQueryView, runId: RunId): AmendHoldsInput {
  const { holds } = view;
  const open = holds.filter(({ status }) => status === 'open');
  const watchVersion = watchVersionOf(view);
  const isEnded = endedTaskOf(open.map(({ question }) => question)) !== undefined;
  const isWatched = view.a2aTaskId !== null && view.asking === null && !open.every(isOperators) && !isEnded;
  return {
    task,
    status: view.status,
    holds: open.map(({ holdId, votes, audience, asking, plan, outgoing = null }) => ({
      holdId,
      votes,
      audience,
      asking,
      plan,
      outgoing,
    })),
    run: view.asking === null ? { runId, opener: 'standfast', turn: view.turn } : null,
    skipped: [],
    failed: null,
    publicUrl: deps.publicUrl,
    watch: isWatched ? { watchVersion, a2aTaskId: view.a2aTaskId ?? '', pauseMessageId: view.pauseMessageId } : null,
  };
}
