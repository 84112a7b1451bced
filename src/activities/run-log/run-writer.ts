// Writing one run's log: claim it with a fence, know what is in it, append in batches. A zombie can append nothing.
import type { RunId } from '../../contract/base/id-types.ts';
import type { RunTarget } from '../../contract/tasks/activity.ts';
import type { AguiEvent, LogEntry, RunKey } from '../../contract/tasks/run.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import { type IntakeRow, type RunBeginning, type RunRow, type Tables, FencedError } from '../../store/store.ts';
import { emptyProjection, reduceEvents, type Projection } from '../../wire/agui/model/projection.ts';
import type { ProjectContext } from '../../wire/agui/model/draft.ts';
import { runStartEvents } from '../../wire/agui/project/project.ts';
import { readStart, type StartExtras } from './run-start.ts';
import { optionsOfBody, type RunOptions } from '../../wire/agui/input/run-options.ts';
import { isRunAsItCame } from '../../core/base/proved-row.ts';
import type { Proving } from '../dep-parts.ts';

/** A parked turn resumes minutes apart, so this many take weeks; later ones share the last fence. */
const maxResumes = 8_999;
const maxAttempt = 99_999;

/** Writers of one log in their order: attempts of a turn, those after each resume of it, then what closes it. */
export const turnFence = (turn: number, wake: number, attempt: number): number =>
  turn * 1e9 + Math.min(wake, maxResumes) * 1e5 + Math.min(attempt, maxAttempt);
/** Of all that may send a turn's message, in their order. */
export const sendAttempt = (wake: number, attempt: number): number => turnFence(0, wake, attempt);
export const closingFence = (turn: number): number => turn * 1e9 + 9e8;

export interface OpenRun {
  run: RunRow;
  /** Entries in the log that the projection has seen. */
  entries: number;
  /** What it has seen and the log has not: who ends the run writes it before the end. */
  unwritten: AguiEvent[];
  projection: Projection;
  /** What every projecting function knows of this task. */
  context: ProjectContext;
  /** Of the run that opened the task. */
  options: RunOptions;
  /** This is the first attempt of the task's first turn. */
  isNewTask: boolean;
  /** What was found when it was opened. */
  found: RunBeginning;
}
export type Opened = ({ result: 'open' } & OpenRun) | { result: 'ended'; run: RunRow } | { result: 'other-task' };

const keyOf = (task: TaskRef, runId: RunId): RunKey => ({ agent: task.agent, threadId: task.threadId, runId });

/**
 * Claims the run for this writer, with its first events if there are none yet; inside the caller's transaction.
 * Throws FencedError when a later writer has it. `found`: what was read of it in this transaction, if anything was.
 */
export async function openRun(
  tables: Tables,
  deps: Proving,
  task: TaskRef,
  target: RunTarget,
  fence: number,
  extras: StartExtras = {},
  known: RunBeginning | null = null,
): Promise<Opened> {
  const key = keyOf(task, target.runId);
  const found = known ?? (await tables.runs.start(key, task.taskId));
  const { isControl = false, status = null, unwatch = false } = extras;
  const { isOpening, fingerprint, options } = openingOf(deps, found, target, isControl);
  const { artifactBasePath } = options;
  const now = deps.now().toISOString();
  const context: ProjectContext = { taskId: task.taskId, agent: task.agent, now, artifactBasePath };
  // Where it is there, its first events are.
  const first = found.hasRun ? [] : runStartEvents(await readStart(tables, task, target, found, extras), context);
  const claim = { taskId: task.taskId, fence, opener: target.opener, fingerprint };
  const claimed = await tables.runs.claim(key, { ...claim, isControl, first, status, unwatch });
  if (claimed.result === 'fenced') throw new FencedError(`a later writer has run ${target.runId}`);
  if (claimed.result !== 'claimed') return claimed;
  const { run, isNew } = claimed;
  if (isNew && found.hasRun) throw new Error(`run ${target.runId} vanished while it was claimed`);
  const projection = isNew
    ? reduceEvents(emptyProjection(task.threadId, target.runId), first)
    : await readProjection(tables, run);
  return {
    result: 'open',
    run,
    entries: run.lastSeq,
    unwritten: [],
    projection,
    context,
    options,
    isNewTask: isNew && isOpening,
    found,
  };
}

/** Whether this run opens the task, by which request, and what the one that opened it asked for, as an api took it. */
function openingOf(
  { prover }: Pick<Proving, 'prover'>,
  { intake, opening }: RunBeginning,
  { opener, turn }: RunTarget,
  isControl: boolean,
): { isOpening: boolean; fingerprint: string; options: RunOptions } {
  const own = opener === 'client' ? intake : null;
  const isOpening = opener === 'client' && turn === 1 && !isControl;
  const options = optionsAsTaken(prover, opening ?? (isOpening ? own : null));
  return { isOpening, fingerprint: own?.fingerprint ?? '', options };
}

/** The options of a run as an api took it; of a row that is not, or that is not there, those of a run that gives none. */
export const optionsAsTaken = (prover: Proving['prover'], row: IntakeRow | null): RunOptions =>
  optionsOfBody(row !== null && isRunAsItCame(prover, row) ? row.body : null);

/** The projection rebuilt from the log: the attempt after a crash continues from it. */
export async function readProjection(tables: Tables, run: RunRow): Promise<Projection> {
  let projection = emptyProjection(run.threadId, run.runId);
  let afterSeq = 0;
  for (;;) {
    const entries: LogEntry[] = await tables.log.read(run.logId, afterSeq, 1000);
    projection = reduceEvents(
      projection,
      entries.map(({ event }) => event),
    );
    const last = entries.at(-1);
    if (last === undefined || entries.length < 1000) return projection;
    afterSeq = last.seq;
  }
}
