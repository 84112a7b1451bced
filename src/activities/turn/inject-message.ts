// A message into a working task: a short control run that sends once and ends; the long run shows what follows.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import { Context } from '@temporalio/activity';
import type { CallerMessage } from '../../contract/tasks/caller.ts';
import type { InjectInput, MessageWaits } from '../../contract/tasks/activity.ts';
import type { AguiEvent } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { contextIdOf, injectedKey, injectedMessageIdOf } from '../../core/base/ids.ts';
import { isRunAsItCame } from '../../core/base/proved-row.ts';
import { callerMessageIn } from '../../wire/a2a/caller/caller-message.ts';
import { partsOfMessage } from '../../wire/agui/input/message-parts.ts';
import { messagesOfRun } from '../../wire/agui/input/run-messages.ts';
import { contextMetadata, metadataIntoTask, optionsOfBody } from '../../wire/agui/input/run-options.ts';
import { updateInMessage } from '../../wire/agui/engram/engram-input.ts';
import type { ActivityDeps } from '../deps.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import { enterOrWait, waitForAgent } from '../circuits/ask-later.ts';
import { alteredRun, callerMessage, optionsOfTask, wireOptions } from './turn-message.ts';
import { whyNotInto } from './held-message.ts';
import { waitsInContext, wordsAnswerIn } from './turn-adopt.ts';
import type { OutgoingMessage } from '../a2a/a2a-transport.ts';
import { openRun, sendAttempt, turnFence, readProjection } from '../run-log/run-writer.ts';
import { personMessage, withName, injectedEvents } from '../../wire/agui/project/injected.ts';
import { sendOnce } from './send-once.ts';
import type { RunRow, Store } from '../../store/store.ts';
import { messageId } from '../../core/agui/messages.ts';
import { sleep } from '../../host/process/sleep.ts';
import type { WithStore } from '../dep-parts.ts';

type Deps = Pick<
  ActivityDeps,
  'config' | 'store' | 'transportOf' | 'circuits' | 'slots' | 'log' | 'metrics' | 'now' | 'timing' | 'prover'
>;

export async function injectMessage(deps: Deps, input: InjectInput): Promise<MessageWaits | null> {
  const { task, runId, waited } = input;
  const { store } = deps;
  const context = Context.current();
  const signal = context.cancellationSignal;
  const fence = turnFence(1, waited.times, context.info.attempt);
  const opener = input.message === null ? 'client' : 'standfast';
  const opened = await store.tx((tables) =>
    openRun(tables, deps, task, { runId, opener, turn: 1 }, fence, { isControl: true }),
  );
  if (opened.result !== 'open') return null;
  const { run } = opened;
  const end = async (event: AguiEvent, status: 'success' | 'error'): Promise<null> => {
    await store.log.end(run.logId, fence, [event], { status, outcome: null, snapshot: null });
    return null;
  };
  const injected = await readInjected(deps, input);
  if (typeof injected === 'string') return end({ type: 'RUN_ERROR', message: injected, code: 'internal' }, 'error');
  if (!Object.hasOwn(deps.config.agents, task.agent)) {
    const message = `${task.agent} is not in the configuration any more`;
    return end({ type: 'RUN_ERROR', code: 'agent_unreachable', message }, 'error');
  }
  const ids = await knownTask(deps, input, signal);
  const options = await optionsOfTask(deps, task);
  const show = (): Promise<void> => showInjected(store, { run, fence }, injected.messages);
  const injectedId = injectedMessageIdOf(sha1Hex, task.taskId, runId);
  const outgoing: OutgoingMessage = {
    messageId: injectedId,
    taskId: ids.a2aTaskId,
    contextId: ids.contextId,
    parts: [...injected.messages.flatMap(partsOfMessage), ...injected.engram.parts],
    ...wireOptions(options),
    metadata: { ...metadataIntoTask(options.metadata), ...injected.metadata },
    extensions: injected.engram.extensions,
    ...(injected.caller === null ? {} : callerMessage(injected.caller)),
  };
  const why = await whyNotInto(deps, task, outgoing, { isAdopted: options.taskId !== null });
  if (why !== null) return end({ type: 'RUN_ERROR', code: 'forbidden', message: why }, 'error');
  const outageMs = durationMs(deps.config.agentOutage);
  const waiting = { task, key: injectedKey(task.taskId, runId), agent: task.agent, waited, outageMs };
  const entered = await enterOrWait(deps, waiting);
  if ('kind' in entered) return entered;
  const { slot, away } = entered;
  // It may have waited: to a question it would be an answer that no one was asked for.
  const isAsking = (await store.holds.openOf([task.taskId])).some(({ question }) => question.kind !== 'operator');
  if (isAsking || (await wordsAnswerIn(deps, task, ids.contextId))) {
    slot.leave();
    const open = isAsking
      ? 'the task asks people by now: answer the question, or send the message after that'
      : waitsInContext;
    return end({ type: 'RUN_ERROR', code: 'interrupts_pending', message: open }, 'error');
  }
  const sent = await sendOnce(
    {
      deps,
      circuits: deps.circuits,
      agent: task.agent,
      taskId: task.taskId,
      transport: deps.transportOf(task.agent),
      attempt: sendAttempt(waited.times, context.info.attempt),
      away,
      outageMs,
      signal,
      fence: { logId: run.logId, fence },
      assertFence: async () => {
        await store.log.append(run.logId, fence, []);
      },
      // The task's own turn reads what follows.
      taken: async (_event, key) => {
        await show();
        await store.intents.delivered(key);
      },
    },
    {
      intentKey: injectedId,
      message: outgoing,
      a2aTaskId: ids.a2aTaskId,
      madeTaskId: null,
      contextId: ids.contextId,
      isFoundOnly: false,
      pause: null,
    },
  ).finally(slot.leave);
  if (sent.result === 'away') return waitForAgent(deps, waiting, sent.since);
  if (sent.result === 'delivered') {
    // The task's own turn reads what follows; this second stream would only repeat it.
    sent.stop();
    await show();
    // A parked turn should notice the answer soon.
    await store.tasks.watchNow(task.agent, ids.a2aTaskId);
    return end({ type: 'RUN_FINISHED', threadId: task.threadId, runId, outcome: { type: 'success' } }, 'success');
  }
  const code =
    sent.result === 'delivery-unknown'
      ? 'delivery_unknown'
      : sent.result === 'unreachable'
        ? 'agent_unreachable'
        : 'agent_rejected';
  const message = sent.result === 'delivery-unknown' ? sent.what : sent.message;
  return end({ type: 'RUN_ERROR', code, message }, 'error');
}

interface Injected {
  /** Set where it came over A2A. */
  caller: CallerMessage | null;
  messages: JsonObject[];
  engram: ReturnType<typeof updateInMessage>;
  metadata: JsonObject;
}

/** A text: why there is none. */
async function readInjected(
  { store, prover }: WithStore & Pick<Deps, 'prover'>,
  { task, runId, message: note }: InjectInput,
): Promise<Injected | string> {
  if (note !== null)
    return { caller: null, messages: [personMessage(task, note)], engram: updateInMessage(null), metadata: {} };
  const intake = await store.intake.get({ agent: task.agent, threadId: task.threadId, runId });
  if (intake === null) return 'the message of this run is gone';
  if (!isRunAsItCame(prover, intake)) return alteredRun;
  const { body, messageIds, principal } = intake;
  const messages = messagesOfRun(body, messageIds).map((message) => withName(task, principal.id, message));
  const { metadata, engramUpdate } = optionsOfBody(body);
  const engram = updateInMessage(engramUpdate);
  return {
    caller: callerMessageIn(body),
    messages,
    engram,
    metadata: { ...metadataIntoTask(metadata), ...contextMetadata(body), ...engram.metadata },
  };
}

/** The agent's task may not be named yet: its first turn is just being sent. */
async function knownTask(
  deps: WithStore,
  input: InjectInput,
  signal: AbortSignal,
): Promise<{ a2aTaskId: A2aTaskId; contextId: string }> {
  for (;;) {
    const row = await deps.store.tasks.get(input.task.taskId);
    const a2aTaskId = input.a2aTaskId ?? row?.a2aTaskId ?? null;
    const contextId = input.contextId ?? row?.contextId ?? contextIdOf(sha1Hex, input.task.taskId);
    if (a2aTaskId !== null) return { a2aTaskId, contextId };
    await sleep(100, { signal });
  }
}

// Shows a person's message, sent by a short run, in the task's long run, too. A second writer appends it as a whole,
// under an id of its own, so the turn is not disturbed; whatever closes the run reads its log again.
const markerName = 'standfast.injected';

/** Shows these messages in the open run of the task, once: the short run's own log remembers it. */
async function showInjected(
  store: Store,
  own: { run: RunRow; fence: number },
  messages: readonly JsonObject[],
): Promise<void> {
  const history = await store.log.read(own.run.logId, 0);
  if (history.some(({ event }) => event.type === 'CUSTOM' && event['name'] === markerName)) return;
  const long = (await store.runs.openOf(own.run.taskId)).findLast(({ isControl }) => !isControl);
  const events = long === undefined ? [] : injectedEvents(await readProjection(store, long), messages);
  await store.tx(async (tables) => {
    // Its turn may have ended in this moment: then its last event has been written.
    const isShown = long !== undefined && (await tables.log.appendAlongside(long.logId, events));
    const value: JsonObject = { runId: isShown ? long.runId : null, messageIds: messages.map(messageId) };
    const marker: AguiEvent = { type: 'CUSTOM', name: markerName, value };
    await tables.log.append(own.run.logId, own.fence, [marker]);
  });
}
