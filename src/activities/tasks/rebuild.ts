// Makes the read model again where the database is lost: tasks, questions, answers and ends from the histories that
// Temporal still has, what agents have made from the agents. It only adds what is missing, so it may run again.
import { ApplicationFailure } from '@temporalio/activity';
import type { HoldId, RunId, WorkflowId } from '../../contract/base/id-types.ts';
import type { CloseTaskInput, RebuildInput, RebuildReport, RunTarget } from '../../contract/tasks/activity.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import { ownRunIdOf } from '../../core/base/ids.ts';
import { within } from '../../host/process/time-limit.ts';
import type { Tables, TaskRow } from '../../store/store.ts';
import { askAgent } from '../../core/base/ids.ts';
import { cutText, messageText } from '../../wire/agui/model/text.ts';
import { turnEvents } from '../../wire/agui/project/project.ts';
import { closingFence, openRun } from '../run-log/run-writer.ts';
import type { TaskChangeDeps } from '../run-log/caller-log.ts';
import type { ActivityDeps, ExecutionHistory } from '../deps.ts';
import { closeTask } from './close-task.ts';
import { pastTaskOf, type PastTask } from './past-task.ts';
import { errorMessage } from './reconcile-pass.ts';
import { asSent } from '../../core/consent/proof.ts';
import { restoreTask, rowOf } from './restore-task.ts';
import type { Proving } from '../dep-parts.ts';

type Deps = TaskChangeDeps & Pick<ActivityDeps, 'transportOf' | 'timing' | 'config'>;

type AgentsTask = Extract<TurnEvent, { type: 'task' }>;

const maxFaults = 100;
const maxTitleLength = 200;

export async function rebuild(deps: Deps, input: RebuildInput): Promise<RebuildReport> {
  const report: RebuildReport = { tasks: 0, there: 0, open: 0, ended: 0, questions: 0, failed: 0, faults: [] };
  const fault = (workflowId: WorkflowId, what: string): void => {
    report.failed += 1;
    if (report.faults.length < maxFaults) report.faults.push({ workflowId, what });
  };
  const agents = createAgents(deps, input);
  // Executions of a chain that went on as new ones, until its last is read.
  const chains = new Map<string, ExecutionHistory[]>();
  const executions = await deps.engine.listAll();
  await refuseWithoutKeys(deps, executions);
  for (const { workflowId, runId } of executions) {
    try {
      const history = await deps.engine.history(workflowId, runId);
      const chain = [...(chains.get(history.firstExecutionRunId) ?? []), history];
      chains.set(history.firstExecutionRunId, chain);
      if (history.closed?.kind === 'continued') continue;
      chains.delete(history.firstExecutionRunId);
      const past = pastTaskOf(workflowId, chain);
      if (past === null) continue;
      report.tasks += 1;
      const lack = await lackOf(deps, past);
      if (lack === null) {
        report.there += 1;
        continue;
      }
      const lost = input.isDryRun ? null : await restorePast(deps, past, agents);
      report[past.end === null ? 'open' : 'ended'] += 1;
      report.questions += lack.questions;
      if (lost !== null) fault(workflowId, lost);
    } catch (error) {
      fault(workflowId, errorMessage(error));
    }
  }
  for (const [, [first]] of chains) fault('', `the end of the execution ${first?.firstExecutionRunId} is not listed`);
  const { open, ended, questions, failed } = report;
  if (!input.isDryRun && open + ended > 0)
    await deps.store.evidence.rebuilt({ by: input.by, tasks: open + ended, questions, failed });
  return report;
}

/** Without a key each task would fail in its own execution, and what comes back would be written in clear. */
async function refuseWithoutKeys(
  { engine }: Deps,
  executions: Awaited<ReturnType<ActivityDeps['engine']['listAll']>>,
): Promise<void> {
  const lacked = new Set<string>();
  for (const { workflowId, runId } of executions) {
    // One that cannot be read is named when its history is.
    const keyId = await engine.lackedKey(workflowId, runId).catch(() => null);
    if (keyId !== null) lacked.add(keyId);
  }
  if (lacked.size === 0) return;
  const names = [...lacked].join(', ');
  throw ApplicationFailure.nonRetryable(
    `tasks are encrypted with the key ${names}, which the worker lacks, and nothing was written: give workers, apis and ` +
      'this command the same STANDFAST_CODEC_KEY, and earlier keys in STANDFAST_CODEC_KEY_OLD',
    'codec_key_missing',
  );
}

const rebuiltRun = ({ task }: PastTask): RunId => ownRunIdOf(task.taskId, 'rebuilt');

/** What the rows lack; null: nothing. */
async function lackOf({ store }: Deps, past: PastTask): Promise<{ questions: number } | null> {
  const { task, start, end } = past;
  const row = await store.tasks.get(task.taskId);
  const known = new Set((await store.holds.ofTask(task.taskId)).map(({ holdId }) => holdId));
  const questions = past.writes.filter((write) => write.kind === 'opened' && !known.has(write.hold.holdId)).length;
  if (row === null || questions > 0) return { questions };
  if (end !== null) return isEndedStatus(row.status) ? null : { questions };
  // The reconciler has brought its open questions back, without its first run and what the agent has made.
  const { agent, threadId } = task;
  const runs = [start.opening.runId, rebuiltRun(past)].map((runId) => store.runs.get({ agent, threadId, runId }));
  const isLogged = (await Promise.all(runs)).some((run) => run !== null);
  return isLogged || start.opening.kind === 'ask' ? null : { questions };
}

/** Returns what could not be restored of it, or null. */
async function restorePast(deps: Deps, past: PastTask, agents: Agents): Promise<string | null> {
  const { task, end } = past;
  const read = await agents.read(past);
  if (end !== null && read.isAway) throw new Error(`left for later: ${read.fault}`);
  await deps.store.tx((tables) => restoreRows(tables, deps, past, read.task));
  const run: RunTarget = { runId: rebuiltRun(past), opener: 'standfast', turn: end?.turn ?? 0 };
  if (end !== null) {
    if (read.task !== null) await showAgentsTask(deps, past, run, read.task);
    await closeTask(deps, closingOf(deps, past, end, run));
    return read.fault;
  }
  const seen = await deps.engine.describe(task.workflowId, task.firstExecutionRunId);
  if (seen.state === 'open' && seen.failingAttempts > 0) return 'its workflow task fails: it cannot be asked';
  const view = await deps.engine.view(task.workflowId, task.firstExecutionRunId);
  if (view.phase === 'holding' && view.asking === null && read.task !== null)
    await showAgentsTask(deps, past, { ...run, turn: view.turn }, read.task);
  // Under its usual name it may be shown again once the agent is back.
  await (read.isAway ? restoreTask(deps, task, view) : restoreTask(deps, task, view, run.runId));
  return read.fault;
}

async function restoreRows(tables: Tables, deps: Proving, past: PastTask, agents: AgentsTask | null): Promise<TaskRow> {
  const { task, start, startedAt, a2aTaskId, contextId } = past;
  await tables.threads.claim(task.agent, task.threadId, task.owner);
  const row = await tables.tasks.put(task, startedAt, { title: titleOf(past, agents), restartOf: start.restartOf });
  if (start.restartOf !== null) await tables.tasks.linkRestart(start.restartOf, task.taskId);
  if (contextId !== null) await tables.tasks.bind(task, { a2aTaskId: null, contextId });
  if (a2aTaskId !== null) await tables.tasks.adopt(task.taskId, a2aTaskId);
  await restoreWrites(tables, deps, past);
  return row;
}

/** Repeats the writes of questions that have no row; all at once, so that none is written twice. */
async function restoreWrites(tables: Tables, deps: Proving, past: PastTask): Promise<void> {
  const { task, a2aTaskId, contextId } = past;
  const known = new Set<HoldId>((await tables.holds.ofTask(task.taskId)).map(({ holdId }) => holdId));
  for (const write of past.writes) {
    switch (write.kind) {
      case 'opened': {
        const { hold, runId } = write;
        if (known.has(hold.holdId)) break;
        await tables.holds.putOnce([rowOf(deps, task, { a2aTaskId, contextId, runId }, hold)]);
        if (hold.supersedes !== null) await tables.holds.linkSuperseded(hold.supersedes, hold.holdId);
        break;
      }
      case 'closed': {
        const { holdId, ...end } = write.closed;
        if (!known.has(holdId)) await tables.holds.close(holdId, asSent(deps.prover.macOf, holdId, end));
        break;
      }
      case 'stepped': {
        const { holdId, index, step, audience, nextStep, plan, takenAt } = write.step;
        if (known.has(holdId)) break;
        const done = { at: takenAt, do: step.do, to: step.to };
        const change = { stepsTaken: index + 1, audience, nextStep, done };
        await tables.holds.step(holdId, plan === undefined ? change : { ...change, plan });
        break;
      }
      case 'amended': {
        const { holdId, change, from } = write;
        if (known.has(holdId)) break;
        const { moved, undone } = from;
        await tables.holds.amend(holdId, {
          ...change,
          ...(moved?.holdId === holdId ? { moved } : {}),
          ...(undone?.holdId === holdId ? { undone } : {}),
        });
        break;
      }
      default:
        write satisfies never;
    }
  }
}

/** The message that opened it, as its agent has it: a question of the agent's would pass for its requester's words. */
function titleOf({ task, writes }: PastTask, agents: AgentsTask | null): string {
  const first = task.agent === askAgent ? writes.find((write) => write.kind === 'opened') : undefined;
  if (first !== undefined) return first.hold.question.title;
  const message = agents?.history.find(({ role }) => role === 'user');
  const text = messageText(message?.parts ?? [])
    .replaceAll(/\s+/g, ' ')
    .trim();
  return cutText(text, maxTitleLength);
}

function closingOf(
  { publicUrl }: Deps,
  { task, a2aTaskId, contextId }: PastTask,
  { status, end }: NonNullable<PastTask['end']>,
  run: RunTarget,
): CloseTaskInput {
  return { task, run, status, end, a2aTaskId, contextId, holds: [], skipped: [], publicUrl };
}

/** Begins the run that replaces all lost ones, with what the agent has now. */
async function showAgentsTask(deps: Deps, { task }: PastTask, run: RunTarget, event: AgentsTask): Promise<void> {
  await deps.store.tx(async (tables) => {
    const fence = closingFence(run.turn);
    const opened = await openRun(tables, deps, task, run, fence);
    if (opened.result !== 'open') return;
    const events = turnEvents(opened.projection, event, opened.context);
    if (events.length > 0) await tables.log.append(opened.run.logId, fence, events);
  });
}

interface Agents {
  /** Its task as it is now, or null and why it is not known. `isAway`: asking again later may help. */
  read(past: PastTask): Promise<{ task: AgentsTask | null; fault: string | null; isAway?: true }>;
}

function createAgents({ transportOf, timing, config }: Deps, { isWithoutAgents }: RebuildInput): Agents {
  const away = new Map<string, string>();
  return {
    async read({ task: { agent }, a2aTaskId }) {
      if (isWithoutAgents || a2aTaskId === null) return { task: null, fault: null };
      if (config.agents[agent] === undefined) return { task: null, fault: `the agent ${agent} is not configured` };
      const known = away.get(agent);
      if (known !== undefined) return { task: null, fault: known, isAway: true };
      const transport = transportOf(agent);
      const limit = within(undefined, timing.callMs);
      try {
        const task = await transport.getTask(a2aTaskId, {}, limit);
        if (task.type === 'task') return { task, fault: null };
        return { task: null, fault: 'its agent sent something that is not a task' };
      } catch (error) {
        const { kind, message } = transport.classify(error, limit.signal);
        if (kind === 'final') return { task: null, fault: `its agent does not show it: ${message}` };
        const fault = `the agent ${agent} cannot be asked: ${message}`;
        away.set(agent, fault);
        return { task: null, fault, isAway: true };
      }
    },
  };
}
