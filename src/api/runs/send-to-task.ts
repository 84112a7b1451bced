// A person's message to a task: to the agent while it works or waits, and as the next task of the thread once it has ended.
import type { ChatReply } from '../../contract/views/inbox.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import { askAgent } from '../../core/base/ids.ts';
import { assertNever, errorOf, StandfastError } from '../../core/base/errors.ts';
import { whyNoOtherDecider } from '../../core/policy/askers.ts';
import { maySee, ownsThread } from '../../core/policy/audience.ts';
import { taskIdOf } from '../../core/base/ids.ts';
import { lateWords, unreadWords } from '../../core/task/on-message.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { TaskRow } from '../../store/store.ts';
import { submitRun, keepRun, type SubmitDeps } from './submit-run.ts';
import { agentOf } from '../agents/agent-access.ts';
import type { ApiContext } from '../api-context.ts';
import { followBegin, followEnd } from '../engine/follow-rows.ts';
import { stampOfText } from '../holds/check-values.ts';
import { rememberMessage, openingRunId, repliedBefore, type PersonMessage } from './message-dedup.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import type { PolicyReads, WithStore } from '../api-parts.ts';

async function refuseNonParticipant(api: PolicyReads, task: TaskRow, principal: Principal): Promise<void> {
  const { store } = api;
  if (ownsThread(principal, task.owner)) {
    // Who has lost access to the agent may not write to it, unless it is asking them.
    if (task.agent !== askAgent) agentOf(api, task.agent, principal);
    return;
  }
  const holds = await store.holds.ofTask(task.taskId);
  const isAsked = holds.some((hold) => hold.status === 'open' && maySee(hold, principal, hold.owner));
  if (!isAsked)
    throw new StandfastError('forbidden', 'only its owner, operators, and who is asked now write to a task');
  // Its message may be taken for a decision, or become part of what is decided.
  if (principal.kind === 'agent') throw new StandfastError('forbidden', 'an agent’s key writes to its own tasks alone');
}

/** The next task on the thread, opened by this text as a client's run would be. */
async function startFollowUp(
  api: SubmitDeps & Pick<ApiContext, 'checkAnswer' | 'now' | 'prover' | 'sealer'>,
  task: TaskRow,
  { messageId, text }: PersonMessage,
  principal: Principal,
): Promise<ChatReply> {
  if (!ownsThread(principal, task.owner)) {
    throw new StandfastError('forbidden', 'this task is over; its owner or an operator can begin the next one');
  }
  const { agent, threadId } = task;
  agentOf(api, agent, principal);
  const why = whyNoOtherDecider(api.config, agent, principal);
  if (why !== null) throw new StandfastError('forbidden', why);
  const key = { agent, threadId, runId: openingRunId(messageId) };
  const thread = await api.store.threads.get(agent, threadId);
  const before = await repliedBefore(api, task, { messageId, text }, thread?.messages ?? []);
  if (before !== null) return before;
  const { view: _view, ...state } = thread?.state ?? {};
  // Writers other than the thread's owner are named.
  const name: JsonObject = principal.id === task.owner ? {} : { name: principal.id };
  const body: JsonObject = {
    threadId,
    runId: key.runId,
    messages: [{ id: messageId, role: 'user', content: text, ...name }],
    state,
    tools: [],
    context: [],
    forwardedProps: {},
  };
  // Over the text alone: the thread's state may differ when it comes again.
  const fingerprint = fingerprintOf({ messageId, text });
  const receivedAt = api.now().toISOString();
  const seen = await api.store.tasks.seen(agent, threadId);
  const owner = thread?.owner ?? task.owner;
  const plan = { kind: 'message' as const, task: null, owner, contextId: null, restartOf: null, seen };
  const row = { ...key, fingerprint, principal, receivedAt, body, messageIds: [messageId], plan };
  const admission = await submitRun(api, await keepRun(api, row));
  switch (admission.result) {
    case 'admitted': {
      const taskId = taskIdOf(sha1Hex, agent, threadId, key.runId);
      // Who asks for it next finds it.
      await followBegin(api, task, taskId);
      return { messageId, as: 'follow-up', taskId };
    }
    case 'refused':
      throw errorOf(admission.refusal);
    case 'closed':
      throw new StandfastError('busy', 'the task before this one is just ending; try again');
    case 'unanswered':
      throw await noAnswerError(api, admission.by, 'worker_unavailable');
    default:
      return assertNever(admission);
  }
}

/** Words that their author wrote for a question that has ended since: they begin nothing, and go into no task that works. */
async function refuseLate(
  { store }: WithStore,
  { agent, threadId }: TaskRow,
  { messageId, text, answers }: PersonMessage,
  { id }: Principal,
): Promise<void> {
  if (answers === undefined || answers === null) return;
  const hold = await store.holds.get(answers);
  if (hold?.status === 'open') return;
  // Sent again, it was taken.
  const key = { agent, threadId, runId: openingRunId(messageId) };
  if ((await store.sent.known(key, [messageId])).length > 0) return;
  const isTheirs = hold?.decision?.by === id && hold.decision.values['text'] === text;
  const task = isTheirs ? await store.tasks.get(hold.taskId) : null;
  if (task !== null && !isEndedStatus(task.status)) return;
  throw new StandfastError('changed_meanwhile', lateWords);
}

/** Words that their author did not write for the question that they would answer by now. */
async function refuseUnread(
  { store }: WithStore,
  { agent, threadId, taskId }: TaskRow,
  { messageId, answers }: PersonMessage,
): Promise<void> {
  if (answers === undefined) return;
  const open = (await store.holds.ofTask(taskId)).filter(({ status }) => status === 'open');
  const other = open.find(({ holdId, question }) => question.kind === 'text' && holdId !== answers);
  if (other === undefined) return;
  // Sent again, it was taken for the question before.
  const key = { agent, threadId, runId: openingRunId(messageId) };
  if ((await store.sent.known(key, [messageId])).length > 0) return;
  throw new StandfastError('changed_meanwhile', unreadWords, { data: { open: [other.interruptId] } });
}

export async function sendToTask(
  api: SubmitDeps & Pick<ApiContext, 'checkAnswer' | 'now' | 'prover' | 'sealer'>,
  task: TaskRow,
  message: PersonMessage,
  principal: Principal,
): Promise<ChatReply> {
  const { store } = api;
  await refuseNonParticipant(api, task, principal);
  if (task.agent === askAgent)
    throw new StandfastError('input_invalid', 'this question was asked by a program, which takes no messages');
  // It has begun a task before, which may be at work by now: a repeat is not a message to that one.
  const opened = await store.intake.get({
    agent: task.agent,
    threadId: task.threadId,
    runId: openingRunId(message.messageId),
  });
  if (opened !== null) return startFollowUp(api, task, message, principal);
  await refuseLate(api, task, message, principal);
  const newest = isEndedStatus(task.status) ? await store.tasks.newest(task.agent, task.threadId) : task;
  if (newest === null || isEndedStatus(newest.status)) return startFollowUp(api, newest ?? task, message, principal);
  // The thread's next task is at work already: the message is for that one.
  if (newest.taskId !== task.taskId) await refuseNonParticipant(api, newest, principal);
  await refuseUnread(api, newest, message);
  const receivedAt = api.now().toISOString();
  const seen = await store.tasks.seen(newest.agent, newest.threadId);
  const { messageId, text } = message;
  const stamp = await stampOfText(api, newest, text, { principal, receivedAt });
  const result = await api.tasks.message(newest, {
    messageId,
    text,
    principal,
    receivedAt,
    textFingerprint: fingerprintOf(text),
    ...stamp,
    ...(seen === null ? {} : { seen }),
  });
  switch (result.kind) {
    case 'answer':
      await rememberMessage(api, newest, message);
      return { messageId: result.value.messageId, as: result.value.kind, taskId: newest.taskId };
    case 'refusal':
      throw errorOf(result.refusal);
    case 'closed': {
      const ended = await followEnd(api, newest);
      if (ended === null) throw new StandfastError('busy', 'the task is just ending; try again');
      if (stamp.proof !== undefined) throw new StandfastError('changed_meanwhile', lateWords);
      return startFollowUp(api, ended, message, principal);
    }
    case 'unanswered':
      throw await noAnswerError(api, result.by, 'worker_unavailable');
    default:
      return assertNever(result);
  }
}
