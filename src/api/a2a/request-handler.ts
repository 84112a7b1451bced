// The SDK's transports call this: an agent in front of an agent, over workflow and store. It answers from the caller's log.
import {
  type AgentCard,
  type CancelTaskRequest,
  type GetTaskRequest,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  Message as MessageCodec,
  type SendMessageRequest,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
} from '@a2a-js/sdk';
import {
  ExtendedAgentCardNotConfiguredError,
  RequestMalformedError,
  TaskNotCancelableError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { isEndState } from '../../contract/tasks/agent-state-names.ts';
import { assertNever, errorOf } from '../../core/base/errors.ts';
import type { CallerTaskRow } from '../../store/ports/callers.ts';
import type { ApiContext } from '../api-context.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import { callerCard, negotiateExtensions } from './agent-card.ts';
import { begunTask, type Caller, callerOf, ownTask } from './caller.ts';
import {
  checkHistoryLength,
  eventOf,
  followTask,
  isAsked,
  isOver,
  seeTask,
  taskEvent,
  taskOf,
} from './follow-caller.ts';
import type { CallerSnapshot } from '../../wire/a2a/caller/caller-task.ts';
import { createPushes } from './pushes.ts';
import { listCallerTasks } from './list-tasks.ts';
import { takeMessage, type Taken, type Taking } from './take-message.ts';
import { within } from '../../host/process/time-limit.ts';
import type { WithStore } from '../api-parts.ts';

/** How long a stream waits for the agent's first word before it begins with the task as it was submitted. */
const firstWordMs = 2_000;
/** How long a cancel waits for the task's end to show; it goes on after that. */
const cancelShowsMs = 5_000;

/** What Temporal refused at once is the caller's to know; what was not taken yet is handed over again. */
async function refused(taken: Taken): Promise<void> {
  const result = await taken.admission;
  if (result.result === 'closed')
    throw new UnsupportedOperationError('the task is over; a new message begins a new one');
  if (result.result !== 'refused') return;
  const { code, message } = result.refusal;
  throw code === 'busy' ? errorOf(result.refusal) : new UnsupportedOperationError(message);
}

async function* callerEvents(
  api: WithStore,
  row: CallerTaskRow,
  from: CallerSnapshot,
  caller: Caller,
  isDone: (snapshot: CallerSnapshot) => Promise<boolean>,
): AsyncGenerator<StreamResponse, void, undefined> {
  for await (const next of followTask(api, row, from, caller.signal)) {
    const { event, view } = next;
    if (event === null) continue;
    const { status } = view.task;
    // The stream has begun as that of a task: it ends as one.
    const isReply = event['message'] !== undefined;
    const ids = { taskId: row.taskId, contextId: row.contextId };
    // The SDK writes without waiting: a reader who is slow would have the whole task in our memory.
    await caller.hasRoom();
    yield eventOf(isReply ? { statusUpdate: { ...ids, status: status ?? null } } : event);
    if (await isDone(next)) return;
  }
}

/** What an A2A server needs of the api. */
export type ServingApi = Taking & Pick<ApiContext, 'keys' | 'log' | 'signer'>;

/** What the methods of one agent's server share. */
interface Serving {
  api: ServingApi;
  agent: string;
  pushes: ReturnType<typeof createPushes>;
}

async function take(
  { api, agent, pushes }: Serving,
  params: SendMessageRequest,
  context: ServerCallContext,
): Promise<Taken> {
  const config = params.configuration?.taskPushNotificationConfig;
  checkHistoryLength(params.configuration?.historyLength);
  const putPush = config === undefined ? null : pushes.ofMessage(config, context);
  await negotiateExtensions(api, agent, context);
  return takeMessage(api, agent, params, [...(context.requestedExtensions ?? [])], callerOf(context), putPush);
}

async function sendMessage(
  serving: Serving,
  params: SendMessageRequest,
  context: ServerCallContext,
): Promise<Message | Task> {
  const { api } = serving;
  const taken = await take(serving, params, context);
  const { historyLength, returnImmediately } = params.configuration ?? {};
  await refused(taken);
  let snapshot: CallerSnapshot = await seeTask(api, taken.row, taken.seq);
  const isWaiting = taken.isRepeat && (isAsked(snapshot.view) || (await isHeld(api, taken.row)));
  if (returnImmediately !== true && !isWaiting) {
    // People may take days: that the task waits is the answer.
    for await (const next of followTask(api, taken.row, snapshot, callerOf(context).signal)) {
      snapshot = next;
      const isToday =
        next.event !== null && ((await isAskedNow(api, taken.row, next)) || (await isHeld(api, taken.row)));
      if (isToday) break;
    }
  }
  const now = await seeTask(api, taken.row);
  if (now.view.reply !== null) return MessageCodec.fromJSON(now.view.reply);
  return taskOf(now.view, taken.row, historyLength);
}

const isHeld = async ({ store }: WithStore, { taskId }: CallerTaskRow): Promise<boolean> =>
  ((await store.callers.get(taskId))?.shown ?? '') !== '';

/** A message that came before is answered with all that it brought about: a question answered since is not its end. */
const isAskedNow = async (
  { store }: WithStore,
  { taskId }: CallerTaskRow,
  { view, seq }: CallerSnapshot,
): Promise<boolean> => isAsked(view) && (await store.callers.get(taskId))?.lastSeq === seq;

async function* sendMessageStream(
  serving: Serving,
  params: SendMessageRequest,
  context: ServerCallContext,
): AsyncGenerator<StreamResponse, void, undefined> {
  const { api } = serving;
  const taken = await take(serving, params, context);
  await refused(taken);
  const { row } = taken;
  const { signal } = callerOf(context);
  let snapshot = await seeTask(api, row, taken.seq);
  const soon = within(signal, firstWordMs).signal;
  let first: StreamResponse | null = null;
  for await (const next of followTask(api, row, snapshot, soon)) {
    if (next.event === null) {
      snapshot = next;
      continue;
    }
    // One that answers with a message alone has no task to speak of.
    if (next.view.reply !== null) {
      yield eventOf(next.event);
      return;
    }
    // A task that goes on begins as it is now: the question that was answered is not a new one.
    if (!taken.isNew || 'task' in next.event) {
      first = taken.isNew ? eventOf(next.event) : taskEvent(taskOf(next.view, row));
      snapshot = next;
    }
    break;
  }
  // What came instead of a task is sent after it.
  if (first === null) snapshot = await seeTask(api, row, snapshot.seq);
  yield first ?? taskEvent(taskOf(snapshot.view, row));
  // The question that a message answers is not the end of what it brings about, however long that takes to begin.
  if ((first !== null || taken.isRepeat) && (await isAskedNow(api, row, snapshot))) return;
  yield* callerEvents(api, row, snapshot, callerOf(context), (next) => isAskedNow(api, row, next));
}

async function* resubscribe(
  { api, agent }: Serving,
  params: SubscribeToTaskRequest,
  context: ServerCallContext,
): AsyncGenerator<StreamResponse, void, undefined> {
  const row = await ownTask(api, agent, params.id, callerOf(context));
  const snapshot = await seeTask(api, row);
  if (isOver(snapshot.view)) throw new UnsupportedOperationError('the task is over: GetTask tells how it ended');
  yield taskEvent(taskOf(snapshot.view, row));
  yield* callerEvents(api, row, snapshot, callerOf(context), async () => false);
}

async function getTask(
  { api, agent }: Serving,
  { id, historyLength }: GetTaskRequest,
  context: ServerCallContext,
): Promise<Task> {
  if (id === '') throw new RequestMalformedError('id is required');
  checkHistoryLength(historyLength);
  const row = await ownTask(api, agent, id, callerOf(context));
  return taskOf((await seeTask(api, row)).view, row, historyLength);
}

async function cancelTask(
  { api, agent }: Serving,
  { id }: CancelTaskRequest,
  context: ServerCallContext,
): Promise<Task> {
  const caller = callerOf(context);
  const row = await ownTask(api, agent, id, caller);
  if (isEndState(row.state)) throw new TaskNotCancelableError(`the task is over (${row.state})`);
  const result = await api.tasks.cancel(await begunTask(api, row), caller.principal.id);
  switch (result.kind) {
    case 'refusal':
      throw errorOf(result.refusal);
    case 'unanswered':
      throw await noAnswerError(api, result.by, 'worker_unavailable');
    case 'closed':
    case 'answer':
      break;
    default:
      assertNever(result);
  }
  const soon = within(caller.signal, cancelShowsMs).signal;
  let { view } = await seeTask(api, row);
  for await (const next of followTask(api, row, await seeTask(api, row), soon)) ({ view } = next);
  return taskOf(view, row);
}

export function createRequestHandler(api: ServingApi, agent: string): A2ARequestHandler {
  const pushes = createPushes(api, agent);
  const serving = { api, agent, pushes };
  return {
    getAgentCard: (): Promise<AgentCard> => callerCard(api, agent),
    async getAuthenticatedExtendedAgentCard() {
      if (api.keys.isEmpty) throw new ExtendedAgentCardNotConfiguredError('there is no extended card without keys');
      return callerCard(api, agent);
    },
    sendMessage: (params, context) => sendMessage(serving, params, context),
    sendMessageStream: (params, context) => sendMessageStream(serving, params, context),
    resubscribe: (params, context) => resubscribe(serving, params, context),
    getTask: (params, context) => getTask(serving, params, context),
    cancelTask: (params, context) => cancelTask(serving, params, context),
    listTasks: (params: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> =>
      listCallerTasks(api, agent, params, callerOf(context)),
    createTaskPushNotificationConfig: pushes.create,
    getTaskPushNotificationConfig: pushes.get,
    listTaskPushNotificationConfigs: pushes.list,
    deleteTaskPushNotificationConfig: pushes.remove,
  };
}
