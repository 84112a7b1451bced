// Hands a kept run to Temporal. The route and the sweeper do it alike, as often as they like: a run acts once.
import type { ProblemCode, Refusal } from '../../contract/problem.ts';
import type { RunCommand, RunReply } from '../../contract/run.ts';
import { assertNever } from '../../core/base/assert-never.ts';
import { refuse } from '../../core/base/errors.ts';
import { askAgent } from '../../core/questions/ask.ts';
import { taskIdOf } from '../../core/base/ids.ts';
import type { IntakeRow } from '../../store/store.ts';
import { readRunInput, type RunInput } from '../../wire/agui/input/run-input.ts';
import { limitsOf } from './agent-limits.ts';
import { readAnswers } from '../holds/answers.ts';
import type { ApiContext } from '../api-context.ts';
import { asksIn } from './ask-body.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import { namedTask, targetOf } from './message-target.ts';
import { restartOf } from '../tasks/restart-of.ts';
import type { CallResult } from '../engine/task-client.ts';

export type Admission =
  | { result: 'admitted' }
  | { result: 'refused'; refusal: Refusal }
  /** A resume whose task is over by now: the rows tell. */
  | { result: 'closed' }
  | { result: 'unanswered'; by: 'worker' | 'engine' };

export type AdmitDeps = Pick<ApiContext, 'store' | 'tasks' | 'publicUrl' | 'config'>;

async function ask(deps: AdmitDeps, row: IntakeRow, input: RunInput): Promise<CallResult<RunReply>> {
  const { agent, threadId, runId, fingerprint, principal, receivedAt } = row;
  const { store, tasks } = deps;
  const source: RunCommand = { runId, fingerprint, principal, receivedAt, resume: null };
  if (input.resume !== null) {
    const answers = await readAnswers(deps, agent, threadId, input.resume);
    const named = answers.holds.filter((hold) => answers.entries.some((entry) => entry.hold === hold.interruptId));
    const meant = named.find((hold) => hold.status === 'open') ?? named[0];
    const task = meant === undefined ? null : await store.tasks.get(meant.taskId);
    if (task === null)
      return { kind: 'refusal', refusal: refuse('interrupt_unknown', 'there is no such question on this thread') };
    return tasks.resume(task, { ...source, resume: answers.entries });
  }
  if (input.threadId !== threadId) {
    // It was meant for the open task of another thread: it goes there, and to nothing else.
    const named = await namedTask(deps, agent, input.options.taskId ?? '');
    return named === null
      ? { kind: 'closed' }
      : tasks.resume(named, await withSeen(deps, agent, named.threadId, source));
  }
  const questions = agent === askAgent ? asksIn(row.body) : null;
  if (questions !== null) return openAsk(deps, row, { ...source, ask: questions });
  const { named, adopt, ...target } = await targetOf(deps, agent, input);
  const isSilent = row.messageIds?.length === 0;
  if (target.threadId !== threadId || (isSilent && adopt === null)) {
    return { kind: 'refusal', refusal: refuse('busy', 'somebody else has just taken this task over; ask again') };
  }
  const thread = await store.threads.claim(agent, threadId, principal.id);
  // The context bound to this thread need not be the one of a task that comes from elsewhere.
  const bound = adopt === null ? thread.contextId : null;
  return tasks.open({
    version: 1,
    taskId: taskIdOf(sha1Hex, agent, threadId, runId),
    agent,
    threadId,
    owner: thread.owner,
    opening: await withSeen(
      deps,
      agent,
      threadId,
      adopt === null ? source : { ...source, adopt: { ...adopt, isSilent } },
    ),
    contextId: input.options.contextId ?? bound ?? named?.contextId ?? null,
    publicUrl: deps.publicUrl,
    limits: limitsOf(deps.config, agent),
    restartOf: await restartOf(deps, row),
  });
}

/** The workflow may be a moment behind what the rows tell, and its writer has read them. */
async function withSeen(
  { store }: AdmitDeps,
  agent: string,
  threadId: string,
  source: RunCommand,
): Promise<RunCommand> {
  const seen = await store.tasks.seen(agent, threadId);
  return seen === null ? source : { ...source, seen };
}

/** A question over MCP, kept as a run of the stand-in agent. */
async function openAsk(deps: AdmitDeps, row: IntakeRow, opening: RunCommand): Promise<CallResult<RunReply>> {
  const { agent, threadId, runId, principal } = row;
  const { owner } = await deps.store.threads.claim(agent, threadId, principal.id);
  const taskId = taskIdOf(sha1Hex, agent, threadId, runId);
  const names = { version: 1 as const, taskId, agent, threadId, owner, contextId: null, restartOf: null };
  const limits = { silenceMs: null, totalMs: null };
  return deps.tasks.open({ ...names, opening, limits, publicUrl: deps.publicUrl });
}

/** From now on its messages are old on this thread. */
async function settleAdmitted({ store }: AdmitDeps, row: IntakeRow): Promise<void> {
  await store.tx(async (tables) => {
    await tables.intake.settle(row, { admitted: true });
    await tables.sent.mark(row, row.messageIds ?? []);
  });
}

async function isJustOver({ store }: AdmitDeps, { agent, threadId }: IntakeRow): Promise<boolean> {
  return (await store.tasks.seen(agent, threadId))?.isEnded === true;
}

/** Never throws for what Temporal or the workflow says; what it says is kept in the intake row. */
export async function admit(deps: AdmitDeps, row: IntakeRow): Promise<Admission> {
  const { store } = deps;
  if ((await store.runs.get(row)) !== null) {
    await settleAdmitted(deps, row);
    return { result: 'admitted' };
  }
  const read = readRunInput(row.body);
  if (!read.ok) {
    await store.intake.settle(row, { refused: 'input_invalid' });
    return { result: 'refused', refusal: refuse('input_invalid', 'the kept run cannot be read') };
  }
  const result = await ask(deps, row, read.input);
  switch (result.kind) {
    case 'answer':
      await settleAdmitted(deps, row);
      return { result: 'admitted' };
    case 'refusal':
      // The task that was seen to be over is not quite: the sweeper says it again.
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
