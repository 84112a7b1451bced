// Opens the holds of a pause: plans the ladder in absolute times, then writes rows and closing events once. The turn
// that received the pause does so itself (turn-close.ts); this activity does it where no turn can.
import type { OpenedHold, OpenHoldsInput } from '../../contract/tasks/activity.ts';
import type { Attachment } from '../../contract/holds/attachment.ts';
import type { Hold, ShownArtifact } from '../../contract/holds/hold.ts';
import type { KeptOutcome } from '../../contract/tasks/turn.ts';
import { askAgent } from '../../core/base/ids.ts';
import { artifactDigest, holdDigest } from '../../core/consent/question-digest.ts';
import { nextStepOf } from '../../core/policy/ladder.ts';
import { withRetryLimit } from '../../core/questions/question-plan.ts';
import { planTakenOver, takenOver } from '../../core/task/asked-again.ts';
import { agentsAmong, openingCall, withCalls } from '../../core/task/supervisors.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import { cardContent } from '../../wire/agui/cards/cards.ts';
import { pauseEvents, stateAtPause } from '../../wire/agui/project/pause.ts';
import { shownArtifacts } from '../../wire/agui/artifacts/shown-artifacts.ts';
import type { HoldRow, Tables } from '../../store/store.ts';
import { changeTask, type TaskChangeDeps } from '../run-log/caller-log.ts';
import { writeEnd } from '../run-log/close-run.ts';
import { withGrants, type GrantDeps } from './grant-calls.ts';
import { defaultsOf, planHold, type PlanDeps } from './plan-hold.ts';
import { messageKeyOf } from '../run-log/attachments.ts';
import { closingFence, openRun, type OpenRun } from '../run-log/run-writer.ts';
import { pauseWatch } from '../watch/watch-probe.ts';
import type { WithSchemas, WithTiming } from '../dep-parts.ts';
import { newRow } from '../../store/tables/holds/new-row.ts';

type Deps = TaskChangeDeps & PlanDeps & GrantDeps & WithTiming;

export async function openHolds(deps: Deps, input: OpenHoldsInput): Promise<OpenedHold[]> {
  const { task, run } = input;
  const attachments = await attachmentsOf(deps.store, input);
  const planned = await planPause(deps, input, attachments);
  return changeTask(deps, task, async (tables) => {
    // Asked without a turn: nothing has written its task yet.
    if (task.agent === askAgent) {
      const title = input.questions[0]?.title ?? '';
      await tables.tasks.put(task, input.openedAt, { title, restartOf: null });
    }
    const fence = closingFence(run.turn);
    const opened = await openRun(tables, deps, task, run, fence);
    const holds = await putPause(tables, input, planned, opened.result === 'open' ? opened : null, attachments);
    // The run has ended: this ran before, and only its result was lost. The rows have what was shown.
    if (opened.result !== 'open') return holds.map(openedOf);
    await showPause(tables, deps, input, holds, opened, fence);
    return holds.map(openedOf);
  });
}

/** What comes with the questions of a pause: that of its message, and files among the artifacts. */
export const attachmentsOf = (
  { attachments }: Pick<Tables, 'attachments'>,
  { task, pauseMessageId, run }: Pick<OpenHoldsInput, 'task' | 'pauseMessageId' | 'run'>,
): Promise<Attachment[]> => attachments.current(task.taskId, messageKeyOf(pauseMessageId, run.turn));

/** The holds of a pause with their times; nothing is written yet. */
export async function planPause(
  deps: Deps,
  input: OpenHoldsInput,
  attachments: readonly Attachment[],
): Promise<Hold[]> {
  const planned = await Promise.all(
    input.questions.map(async (question, index) => {
      const hold = await planHold(deps, input, question, input.n + index + 1);
      const asked = called(input, await linked(deps, hold, input, index));
      return { ...asked, plan: withRetryLimit(deps, asked.plan) };
    }),
  );
  return withGrants(deps, input, planned, attachments);
}

/** Writes the rows, once; `run`: the one that shows them, where it is open still. */
export async function putPause(
  tables: Tables,
  input: OpenHoldsInput,
  planned: Hold[],
  run: OpenRun | null,
  attachments: Attachment[],
): Promise<HoldRow[]> {
  const artifacts = run === null ? [] : artifactsAt(run);
  const rows: HoldRow[] = [];
  for (const [index, hold] of planned.entries()) {
    const isHeir = takenOver(hold, input.again[index]) !== null;
    const inherited = isHeir ? await tables.holds.get(hold.supersedes ?? '') : null;
    rows.push(rowOf(input, hold, { artifacts, attachments }, inherited));
  }
  const holds = await tables.holds.putOnce(rows);
  await closeOld(tables, input, holds);
  return holds;
}

/** Ends the run with the questions, and has the agent's task polled from now on. `outcome`: of the turn that asks them. */
export async function showPause(
  tables: Tables,
  deps: WithTiming,
  input: OpenHoldsInput,
  holds: HoldRow[],
  run: OpenRun,
  fence: number,
  outcome: KeptOutcome | null = null,
): Promise<void> {
  const { task } = input;
  const events = pauseEvents(
    run.projection,
    {
      explanation: input.explanation,
      explanationMessageId: input.pauseMessageId ?? `${task.taskId}:pause:${input.n + 1}`,
      holds,
      a2aTaskId: input.a2aTaskId,
      contextId: input.contextId,
      publicUrl: input.publicUrl,
      // The log has many readers; the api adds it for each of them.
      mayDecide: () => true,
    },
    run.context,
  );
  await writeEnd(tables, task, run, fence, events, {
    outcome,
    known: holds,
    taskUpdate: { status: 'NEEDS_REVIEW' },
    watch: pauseWatch(deps.timing.watch, input),
  });
}

/** The artifacts that people will see with the question: they are in this run's log, and the hold has their digests. */
function artifactsAt(opened: OpenRun): ShownArtifact[] {
  return shownArtifacts(stateAtPause(opened.projection, opened.context)).map((artifact) => ({
    id: artifact.id,
    name: artifact.name,
    digest: artifactDigest(fingerprintOf, artifact),
    ...(typeof artifact.content === 'string' ? { textLength: artifact.content.length } : {}),
  }));
}

/** A question asked before: its old times and people after talk-back, if it is under the same policy; else only the link. */
async function linked(deps: WithSchemas, hold: Hold, input: OpenHoldsInput, index: number): Promise<Hold> {
  const again = input.again[index] ?? null;
  if (again === null) return hold;
  const { holdId } = again;
  const inherits = takenOver(hold, again);
  if (inherits === null) return { ...hold, supersedes: holdId };
  const { question } = hold;
  const { plan: _old, stepsTaken, isSame, ...old } = inherits;
  const plan = planTakenOver(hold.plan, inherits);
  // The expiry's default answers a question that was there to be read all the time, and no other.
  const defaults = plan.then === 'default' && isSame ? await defaultsOf(deps, question, input.questions.length) : null;
  return {
    ...hold,
    ...old,
    plan: { ...plan, defaults },
    stepsTaken,
    nextStep: nextStepOf(plan, stepsTaken),
    supersedes: holdId,
  };
}

/** Agents that are asked from the start; a repeated question is a new one to them. */
function called({ task, openedAt }: OpenHoldsInput, hold: Hold): Hold {
  return withCalls(
    { ...hold, plan: { ...hold.plan, supervisors: [] } },
    agentsAmong(hold.audience, task.agent),
    openingCall,
    openedAt,
  );
}

/** Old holds end as the new ones open, so that no reader finds both or neither; claims and drafts are carried over. */
async function closeOld(tables: Tables, { closed, again }: OpenHoldsInput, stored: HoldRow[]): Promise<void> {
  for (const { holdId, ...end } of closed) {
    const heir = stored.find(({ supersedes }) => supersedes === holdId);
    await tables.holds.close(holdId, { ...end, supersededBy: heir?.holdId ?? null });
  }
  for (const { holdId, supersedes, plan } of stored) {
    if (supersedes === null) continue;
    await tables.holds.linkSuperseded(supersedes, holdId);
    if (again.some((one) => one?.holdId === supersedes && takenOver({ plan }, one) !== null))
      await tables.holds.inherit(holdId, supersedes);
  }
}

function rowOf(
  input: OpenHoldsInput,
  hold: Hold,
  shown: Pick<HoldRow, 'attachments'> & { artifacts: ShownArtifact[] },
  inherited: HoldRow | null,
): HoldRow {
  const { task, run } = input;
  return {
    ...hold,
    ...newRow(),
    digest: holdDigest(fingerprintOf, { ...hold, ...shown, agent: task.agent, requester: task.owner }),
    ...shown,
    taskId: task.taskId,
    agent: task.agent,
    threadId: task.threadId,
    owner: task.owner,
    openedInRun: run.runId,
    card: cardContent(hold, { taskId: task.taskId, a2aTaskId: input.a2aTaskId, contextId: input.contextId }),
    updatedAt: input.openedAt,
    stepsDone: inherited?.stepsDone ?? [],
    moves: inherited?.moves ?? [],
  };
}

export function openedOf(row: HoldRow): OpenedHold {
  const { holdId, interruptId, n, digest, canRefuse, audience, plan, stepsTaken } = row;
  const { nextStep, openedAt, expiresAt, pause, supersedes } = row;
  const names = { holdId, interruptId, n, digest, canRefuse, audience, plan, stepsTaken };
  return { ...names, nextStep, openedAt, expiresAt, pause, supersedes };
}
