// Plans a run before any stream opens: who asks, what the database knows of it, and where it belongs.
import type { ThreadId } from '../../contract/base/id-types.ts';
import type { AnswerEntry, SeenTask } from '../../contract/holds/decision.ts';
import type { RunKey, IntakePlan } from '../../contract/tasks/run.ts';
import type { KnownTask } from '../../contract/tasks/task.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import { errorOf, StandfastError } from '../../core/base/errors.ts';
import { runMac } from '../../core/base/proved-row.ts';
import { whyNoOtherDecider } from '../../core/policy/askers.ts';
import { publicThreadId } from '../../core/base/ids.ts';
import { agentOf, refuseAdoption } from '../agents/agent-access.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import type { NewIntake, RunLookup, TaskRow } from '../../store/store.ts';
import { answerErrors, describePayload } from '../holds/check-values.ts';
import { answersAsResults, judgeAnswers, namesOpen, readAnswers, stamped, type ReadAnswers } from '../holds/answers.ts';
import { proved } from '../holds/prove-answer.ts';
import { closedAsk } from './closed-answers.ts';
import type { ApiContext } from '../api-context.ts';
import { refuseThreadOfOthers, hideFromStranger } from '../auth/principal.ts';
import { newMessages, type NewMessages } from './new-messages.ts';
import { targetOf, type MessageTarget } from './message-target.ts';
import { asItCame, keepRun, refuseOtherBody } from './submit-run.ts';
import { withMessageAfter } from './after-answers.ts';
import { rowAfter } from './accompanying-message.ts';
import { followPosted, postRun, type Posting } from './post-run.ts';
import { readingOf, restateStream } from './restate-stream.ts';
import { refusedPlan, type RunAsk, type RunPlan } from './run-plan.ts';
import { tailAsked } from './posted-stream.ts';
import { runKeyOf } from './run-key.ts';
import { isOperator } from '../../core/policy/audience.ts';
import type { RunViewReads, WithStore } from '../api-parts.ts';

/** What a plan needs of the api: its answers are judged, and most runs are posted. */
export type Planning = Posting & Pick<ApiContext, 'checkAnswer' | 'prover' | 'sealer' | 'starts'>;

/** A run that was sent to another thread's task stays there, also when that task has ended since: a run acts once. */
async function usedTarget(
  api: WithStore,
  ask: RunAsk,
  fingerprint: string,
  target: MessageTarget,
): Promise<MessageTarget> {
  const { named } = target;
  if (named === null || named.threadId === target.threadId) return target;
  const { agent, input } = ask;
  const key: RunKey = { agent, threadId: named.threadId, runId: input.runId };
  const [run, kept] = await Promise.all([api.store.runs.get(key), api.store.intake.get(key)]);
  return (kept ?? run)?.fingerprint === fingerprint ? { threadId: named.threadId, named, adopts: null } : target;
}

/** Throws what is answered by HTTP: forbidden, not_found, run_conflict, input_invalid. */
export async function planRun(api: Planning, ask: RunAsk): Promise<RunPlan> {
  const { agent, principal, input } = ask;
  const fingerprint = fingerprintOf(input.body);
  const target = await usedTarget(api, ask, fingerprint, await targetOf(api, agent, input));
  const isReading = input.options.subscribeOnly && input.resume === null;
  if (isReading && (target.named !== null || input.options.taskId === null)) return planReading(api, ask, target.named);

  const { key, lookup } = await runKeyOf(api, ask, target.threadId, fingerprint);
  const { thread, run, kept } = lookup;
  // The task first: it may be on a thread of others, whose id is not theirs to know.
  if (target.named !== null) refuseThreadOfOthers(principal, target.named.owner, `task ${input.options.taskId ?? ''}`);
  if (thread !== null) refuseThreadOfOthers(principal, thread.owner, `thread ${publicThreadId(key.threadId)}`);
  refuseOtherBody(fingerprint, kept ?? run, input.runId);
  if (run !== null) return followedByMessage(api, ask, key, 'replayed', (signal) => tailAsked(api, ask, run, signal));

  const row: PlannedRun = { ...key, fingerprint, principal, receivedAt: api.now().toISOString(), body: input.body };
  if (input.resume !== null) return planAnswers(api, ask, target, row, lookup);
  // What it brings was chosen when it came first.
  if (kept !== null) return followPosted(api, ask, asItCame(api, kept), true);
  const uncovered = input.answersNothing ? await pendingPlan(api, agent, key.threadId) : null;
  if (uncovered !== null) return uncovered;
  const news = isReading ? null : await newMessages(api, key, input, thread !== null);
  return planNews(api, ask, target, { row, thread, news });
}

/** A run without answers: its new messages; where there are none, what they would have been for is read. */
async function planNews(
  api: Planning,
  ask: RunAsk,
  target: MessageTarget,
  of: { row: PlannedRun; thread: RunLookup['thread']; news: NewMessages | null },
): Promise<RunPlan> {
  const { row, thread, news } = of;
  const { options } = ask.input;
  const ids = news?.ids ?? [];
  if (ids.length > 0 || (news !== null && options.engramUpdate !== null))
    return planMessage(api, ask, target, { ...row, messageIds: ids }, thread);
  // A named task is read, and one that no one here has is first adopted.
  if (news === null || (options.taskId !== null && options.mode === 'stream')) {
    if (target.adopts === null) return planReading(api, ask, target.named);
    return planMessage(api, ask, target, { ...row, messageIds: [] }, thread);
  }
  return planSilence(api, ask, target, { row: { ...row, messageIds: news.again }, thread, isRepeated: news.isLone });
}

/** What a run is kept with, its plan apart. */
type PlannedRun = Omit<NewIntake, 'plan' | 'mac'>;

/** Something for a task: the thread's open one, or the next, or one of the agent's that is taken over. */
async function planMessage(
  api: Planning,
  ask: RunAsk,
  target: MessageTarget,
  row: PlannedRun,
  known: RunLookup['thread'],
): Promise<RunPlan> {
  const { agent, threadId, messageIds } = row;
  const { store } = api;
  const { adopts } = target;
  const why = whyNoOtherDecider(api.config, agent, ask.principal);
  // A task that an own one left behind is not a stranger's.
  if (adopts !== null && target.named === null) {
    refuseAdoption(agentOf(api, agent, ask.principal), ask.principal, adopts);
    // As for a task of others: how a run is refused does not reveal which ids there are.
    if (why !== null) throw new StandfastError('not_found', `there is no task ${adopts}`);
  }
  if (why !== null) throw new StandfastError('forbidden', why);
  const { contextId } = ask.input.options;
  await refuseContextOfOthers(api, ask);
  if (adopts !== null) {
    const own = await store.tasks.newest(agent, threadId);
    if (own !== null && !isEndedStatus(own.status)) {
      const message = `this thread has a task that is not over (${own.taskId}); take the other one over on a thread of its own`;
      return (await pendingPlan(api, agent, threadId)) ?? refusedPlan(new StandfastError('busy', message));
    }
  }
  const named = target.named?.contextId ?? null;
  const planOn = (thread: { owner: string; contextId: string | null }, seen: SeenTask | null): IntakePlan => {
    const { owner } = thread;
    // The context bound to this thread need not be the one of a task that comes from elsewhere.
    if (adopts !== null)
      return {
        kind: 'adopt',
        names: adopts,
        isSilent: messageIds?.length === 0,
        owner,
        contextId: contextId ?? named,
        seen,
      };
    // Meant for the open task of another thread: it goes there, and to nothing else.
    const task = target.named !== null && ask.input.threadId !== threadId ? knownTask(target.named) : null;
    return { kind: 'message', task, owner, contextId: contextId ?? thread.contextId ?? named, restartOf: null, seen };
  };
  if (known === null) {
    await api.starts.refuseWhenFull();
    // A thread of this moment has no task yet.
    const owner = ask.principal.id;
    const planned = { ...row, plan: planOn({ owner, contextId: null }, null) };
    const mac = runMac(api.prover, planned, row.fingerprint);
    const first = await store.intake.putFirst({ ...planned, mac }, owner);
    if (first !== null) return followPosted(api, ask, first);
  }
  const thread = known ?? (await store.threads.claim(agent, threadId, ask.principal.id));
  refuseThreadOfOthers(ask.principal, thread.owner, `thread ${publicThreadId(threadId)}`);
  const seen = await store.tasks.seen(agent, threadId);
  if (seen?.isEnded !== false) await api.starts.refuseWhenFull();
  return postRun(api, ask, { ...row, plan: planOn(thread, seen) });
}

const knownTask = ({ taskId, workflowId, firstExecutionRunId }: KnownTask): KnownTask => ({
  taskId,
  workflowId,
  firstExecutionRunId,
});

/** The interrupts of a thread's open questions. */
async function openIds(api: WithStore, agent: string, threadId: ThreadId): Promise<string[]> {
  const open = (await api.store.holds.ofThread(agent, threadId)).filter((hold) => hold.status === 'open');
  return open.filter((hold) => hold.question.kind !== 'operator').map((hold) => hold.interruptId);
}

/** The refusal that names the open questions of a thread; null when nothing is asked there. */
async function pendingPlan(api: WithStore, agent: string, threadId: ThreadId): Promise<RunPlan | null> {
  const ids = await openIds(api, agent, threadId);
  if (ids.length === 0) return null;
  return refusedPlan(new StandfastError('interrupts_pending', `answer the open questions first: ${ids.join(', ')}`));
}

/**
 * A run that says nothing new, as front ends send one after a reload: it restates the thread, its open questions among
 * it, or follows the task that works. Words that a transcript ends with are meant once more where no task works and the
 * last one failed, or where they are all that is sent (`isRepeated`).
 */
async function planSilence(
  api: Planning,
  ask: RunAsk,
  target: MessageTarget,
  silent: { row: PlannedRun; thread: RunLookup['thread']; isRepeated: boolean },
): Promise<RunPlan> {
  const { row, thread, isRepeated } = silent;
  const { agent, threadId, messageIds } = row;
  if ((await openIds(api, agent, threadId)).length > 0) return planReading(api, ask, null);
  const newest = await api.store.tasks.newest(agent, threadId);
  const saysNothing = messageIds === undefined || messageIds === null || messageIds.length === 0;
  const hasEnded = newest !== null && isEndedStatus(newest.status);
  const isMeant = hasEnded && (newest.status !== 'DONE' || isRepeated);
  const isRead = saysNothing ? ask.input.options.mode === 'stream' : !isMeant;
  if (newest !== null && isRead) return planReading(api, ask, newest);
  if (saysNothing) {
    const message = 'there is no new user message (and no resume, and no subscribeOnly)';
    throw new StandfastError('input_invalid', `messages: ${message}`, {
      data: { errors: [{ path: 'messages', message }] },
    });
  }
  return planMessage(api, ask, target, row, thread);
}

/** The events of a run, and where answers came with a message those of the message after them. */
function followedByMessage(
  api: Planning,
  ask: RunAsk,
  key: RunKey,
  kind: RunPlan['kind'],
  events: RunPlan['events'],
): RunPlan {
  if (ask.input.resume === null) return { kind, events };
  return { kind, events: (signal) => withMessageAfter(api, ask, key, events(signal), signal) };
}

async function planAnswers(
  api: Planning,
  ask: RunAsk,
  target: MessageTarget,
  row: PlannedRun,
  lookup: RunLookup,
): Promise<RunPlan> {
  const { agent, principal, input } = ask;
  const { store } = api;
  const owner = lookup.thread?.owner ?? principal.id;
  const answers = await readAnswers(api, agent, input, ask.holds);
  const results = answersAsResults(answers, input.messages);
  const after = await accompanyingMessages(api, ask, row, { answers, results, isKnown: lookup.thread !== null });
  const judgement = judgeAnswers(answers, { principal, receivedAt: row.receivedAt }, owner, row.receivedAt);
  const post = async (entries: AnswerEntry[]): Promise<RunPlan> => {
    const meant = answers.open.find((hold) => entries.some((entry) => entry.hold === hold.interruptId));
    const isNewest = meant !== undefined && meant.taskId === lookup.newest?.taskId;
    const task = isNewest ? lookup.newest : meant === undefined ? null : await store.tasks.get(meant.taskId);
    if (task === null) throw new StandfastError('internal', 'the task of this question has no row');
    const answering = {
      ...row,
      messageIds: results,
      plan: {
        kind: 'resume' as const,
        source: ask.source,
        task: knownTask(task),
        // Before it is kept: a row proves nothing.
        entries: entries.map((entry) => {
          const hold = answers.open.find(({ interruptId }) => interruptId === entry.hold);
          return hold === undefined
            ? entry
            : proved(api, hold, entry, { principal, source: ask.source, at: row.receivedAt });
        }),
      },
    };
    // Kept first: a crash in between leaves a message that waits for answers, never answers without their message.
    const why = after.length === 0 ? null : whyNoOtherDecider(api.config, agent, principal);
    if (why !== null) throw new StandfastError('forbidden', why);
    if (after.length > 0) await keepRun(api, rowAfter(row, { owner, messageIds: after }));
    const posted = await postRun(api, ask, answering, lookup.kept !== null);
    return after.length === 0 ? posted : followedByMessage(api, ask, row, posted.kind, posted.events);
  };
  if (!judgement.ok) {
    // Rows may lag behind what is open; of what is closed, or was never asked, they know all.
    if (namesOpen(answers) && judgement.code !== 'interrupt_unknown') return post(answers.entries);
    return refusedPlan(errorOf(judgement));
  }
  if (judgement.kind !== 'fresh') {
    // The answers change nothing any more; the message with them still goes.
    if (after.length > 0 && lookup.kept === null)
      return planMessage(api, ask, target, { ...row, messageIds: after }, lookup.thread);
    const restate = await closedAsk(api, ask, answers, judgement);
    return { kind: 'restated', events: (signal) => restateStream(api, restate, signal) };
  }
  const errors = await answerErrors(api, answers);
  if (errors.length === 0) return post(stamped(answers));
  return refusedPlan(new StandfastError('payload_invalid', describePayload(errors), { data: { errors } }));
}

/** The new messages that came with the answers: not the answer itself, repeated as a message. */
async function accompanyingMessages(
  api: WithStore,
  { input }: RunAsk,
  row: PlannedRun,
  { answers, results, isKnown }: { answers: ReadAnswers; results: string[]; isKnown: boolean },
): Promise<string[]> {
  const { ids } = await newMessages(api, row, input, isKnown);
  const texts = new Set(answers.entries.map(({ values }) => values['text']));
  const added = input.messages.filter(
    ({ id, content }) => typeof id === 'string' && ids.includes(id) && !results.includes(id) && !texts.has(content),
  );
  return added.some(({ role }) => role === 'user') ? added.map(({ id }) => String(id)) : [];
}

/**
 * Throws `not_found` for a context in which only others have tasks: who writes into an agent's memory of a conversation
 * may learn what it contains, and everybody who is asked a question sees its id.
 */
async function refuseContextOfOthers({ store }: WithStore, ask: RunAsk): Promise<void> {
  const { agent, principal, input } = ask;
  const { contextId } = input.options;
  if (contextId === null || isOperator(principal)) return;
  const owners = await store.tasks.ownersOfContext(agent, contextId);
  if (owners.length === 0 || owners.includes(principal.id)) return;
  const [path, message] = ['forwardedProps.a2a.contextId', 'there is no such context'];
  throw new StandfastError('not_found', `${path}: ${message}`, { data: { errors: [{ path, message }] } });
}

/** Plans a run that only reads: the named task, or the thread's current or last one. */
async function planReading(api: RunViewReads, ask: RunAsk, named: TaskRow | null): Promise<RunPlan> {
  const { agent, principal, input } = ask;
  // The whole thread is restated, other tasks of it too: who is asked about one of them reads that at the api's own routes.
  const owner = named?.owner ?? (await api.store.threads.get(agent, input.threadId))?.owner ?? null;
  const what = named === null ? `thread ${publicThreadId(input.threadId)}` : `task ${input.options.taskId ?? ''}`;
  if (owner !== null) hideFromStranger(principal, owner, what);
  const task = named ?? (await api.store.tasks.newest(agent, input.threadId));
  const restate = readingOf(ask, task);
  return { kind: 'restated', events: (signal) => restateStream(api, restate, signal) };
}
