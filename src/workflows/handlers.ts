// The handlers of one task. Refusals happen in validators where possible, so that they leave nothing in history.
import {
  CancellationScope,
  TemporalFailure,
  condition,
  currentUpdateInfo,
  log,
  setHandler,
  uuid4,
  type SignalDefinition,
} from '@temporalio/workflow';
import type { CheckAnswersInput } from '../contract/tasks/activity.ts';
import type {
  AmendCommand,
  AmendReply,
  AnswerEntry,
  CancelCommand,
  DecideCommand,
  DecideReply,
  FormResponseInput,
  MessageInput,
  MessageReply,
  UnsignedMessage,
} from '../contract/holds/decision.ts';
import type { Refusal } from '../contract/base/problem.ts';
import type { RunCommand, RunReply } from '../contract/tasks/run.ts';
import type { OverCommand } from '../contract/tasks/task.ts';
import { byAnyone, isUnproved } from '../core/base/signed-command.ts';
import { refuseLarge } from '../core/task/answer-size.ts';
import { textEntry, textHoldOf } from '../core/task/on-message.ts';
import { refuseClearSecrets } from '../core/answers/sealed.ts';
import { temporalOperatorId } from '../core/policy/audience.ts';
import { reduce } from '../core/task/task.ts';
import type { Reply, MessageCommand, TaskEvent, TaskState } from '../core/task/task-state.ts';
import { runStoreActivity } from './activity-options.ts';
import {
  agentMovedSignal,
  cancelBySignal,
  amendUpdate,
  decideUpdate,
  formResponseSignal,
  messageUpdate,
  overSignal,
  runUpdate,
  taskQuery,
  turnDeliveredSignal,
} from './messages.ts';
import { messageOf, dispatch, nowIso, type TaskRuntime } from './runtime.ts';
import { showState } from './operator-view.ts';
import { acceptedCommand, believedCommand, commandOfSignal, failureOf } from './signed.ts';
import { taskView } from './task-view.ts';

/** Temporal allows ten updates in flight and then stalls callers, so the task answers `busy` before that. */
const maxWaiters = 5;

/** Descriptions of each handler on Temporal's pages and in its CLI. */
const described = {
  formResponse:
    'Answers a question, unconfirmed: {"interruptId": "…", "values": {…}}, or {"interruptId": "…", "status": "cancelled"}',
  task: 'The state of the task, as JSON',
  message: 'Sends the agent a message, in the operator’s name: {"text": "…"}',
  own: 'For Standfast itself: refused unless one of its processes signed it',
};

export function registerHandlers(runtime: TaskRuntime): void {
  const believed = (name: 'run' | 'decide' | 'amend', given: unknown): void =>
    // Safe: the command of that event, by its MAC.
    validate(runtime, { type: name, command: believedCommand(name, given) } as TaskEvent);
  setHandler(runUpdate, (given) => onRun(runtime, acceptedCommand(given)), {
    description: described.own,
    validator: (given) => believed('run', given),
  });
  setHandler(decideUpdate, (given) => decide(runtime, acceptedCommand(given)), {
    description: described.own,
    validator: (given) => believed('decide', given),
  });
  setHandler(amendUpdate, (given) => onAmend(runtime, acceptedCommand(given)), {
    description: described.own,
    validator: (given) => believed('amend', given),
  });
  setHandler(
    messageUpdate,
    (given) => onMessage(runtime, messageCommand(acceptedCommand(given), currentUpdateInfo()?.id ?? uuid4())),
    {
      description: described.message,
      // Runs again with its workflow task: nothing random may happen here.
      validator: (given) => validate(runtime, { type: 'message', command: messageCommand(believedMessage(given), '') }),
    },
  );
  setHandler(formResponseSignal, (message) => onSignal(runtime, byAnyone(message)), {
    description: described.formResponse,
  });
  acceptAnswer(turnDeliveredSignal, ({ turn, firstExecutionRunId, isDelivered }) => {
    // Signals go by workflow id, so one for the thread's previous task may reach this one.
    if (firstExecutionRunId !== runtime.ref.firstExecutionRunId || turn !== runtime.state.turn) return;
    runtime.shownTurn = turn;
    if (isDelivered) dispatch(runtime, { type: 'turn.delivered' });
    else showState(runtime);
  });
  acceptAnswer(cancelBySignal, (given) => {
    const { taskId } = runtime.state;
    // Signed for the task: signals go by workflow id, so this may be the thread's next one.
    const command = commandOfSignal<CancelCommand>(cancelBySignal.name, taskId, given);
    if (command?.taskId === taskId) runtime.cancelledBy = command.by;
  });
  acceptAnswer(overSignal, (given) => {
    const { taskId } = runtime.state;
    const command = commandOfSignal<OverCommand>(overSignal.name, taskId, given);
    if (command?.taskId === taskId) dispatch(runtime, { type: 'task.over', status: command.status });
  });
  acceptAnswer(agentMovedSignal, ({ kind: what, watchVersion, key, firstExecutionRunId }) => {
    if (firstExecutionRunId !== runtime.ref.firstExecutionRunId) return;
    if (what === 'message') runtime.woken.set(key ?? '', watchVersion);
    else dispatch(runtime, { type: 'agent.moved', kind: what, watchVersion });
  });
  setHandler(taskQuery, () => taskView(runtime.state), { description: described.task });
}

/** Signals can be sent by hand, and a handler that throws stops the workflow for good: errors are noted instead. */
function acceptAnswer<T>(signal: SignalDefinition<[T]>, act: (message: T) => void): void {
  const handler = (message: T): void => {
    try {
      if (isUnproved(message)) log.warn('a signal was not sent by Standfast', { signal: signal.name });
      else act(message);
    } catch (error) {
      log.warn('a signal made no sense', { signal: signal.name, why: messageOf(error) });
    }
  };
  setHandler(signal, handler, { description: described.own });
}

function validate(runtime: TaskRuntime, event: TaskEvent): void {
  refuseAtOnce(reduce(runtime.state, event, nowIso()).reply);
  // Before it enters history.
  answersIn(runtime.state, event);
  refuseTooMuch(runtime, event);
  if (runtime.waiters >= maxWaiters) {
    throw failureOf({ ok: false, code: 'busy', message: 'too many requests wait on this task; try again in a moment' });
  }
}

/** A refusal that something follows has to be applied first. */
function refuseAtOnce(reply: Reply): void {
  if (reply.ok === false && reply.hasEffect !== true) throw failureOf(reply);
}

/** Refuses what is too large for history. Checked on arrival only: a replay repeats what was accepted. */
function refuseTooMuch({ state }: TaskRuntime, event: TaskEvent): void {
  const large = refuseLarge(state, answerEntries(state, event));
  if (large !== null) throw failureOf(large);
}

async function onRun(runtime: TaskRuntime, command: RunCommand): Promise<RunReply> {
  const reply = await take(runtime, { type: 'run', command }, (fingerprints) => ({
    type: 'run',
    command:
      command.kind === 'resume'
        ? { ...command, entries: command.entries.map((entry) => withFingerprint(entry, fingerprints)) }
        : command,
  }));
  if (reply.ok === true && 'run' in reply) return reply.run;
  throw failureOf({ ok: false, code: 'internal', message: 'the run got no answer' });
}

/** One answer to one hold, from any source; throws the refusal. */
export async function decide(runtime: TaskRuntime, command: DecideCommand): Promise<DecideReply> {
  const reply = await take(runtime, { type: 'decide', command }, (fingerprints) => ({
    type: 'decide',
    command: { ...command, entry: withFingerprint(command.entry, fingerprints) },
  }));
  if (reply.ok === true && 'decide' in reply) return reply.decide;
  throw failureOf({ ok: false, code: 'internal', message: 'the decision got no answer' });
}

async function onAmend(runtime: TaskRuntime, command: AmendCommand): Promise<AmendReply> {
  const reply = await take(runtime, { type: 'amend', command }, () => ({ type: 'amend', command }));
  if (reply.ok === true && 'amend' in reply) return reply.amend;
  throw failureOf({ ok: false, code: 'internal', message: 'the change got no answer' });
}

/** Who acts with Temporal's own tools. */
const temporalOperator = { id: temporalOperatorId, roles: ['operator'], isSuper: true };
const maxWords = 16_000;

/** By hand, with Temporal's CLI, it is a text in the operator's name and nothing else. */
function believedMessage(given: unknown): MessageInput | UnsignedMessage {
  const value = byAnyone(given);
  const isByHand = typeof value === 'object' && value !== null;
  const isUnnamed = isByHand && !('principal' in value) && !('command' in value);
  // Safe: what it has is read with care.
  return isUnnamed ? (value as UnsignedMessage) : believedCommand(messageUpdate.name, given);
}

function messageCommand(command: UnsignedMessage | MessageInput, ownId: string): MessageCommand {
  const { text, messageId } = command;
  if (typeof text !== 'string' || text.trim() === '' || text.length > maxWords)
    throw failureOf({
      ok: false,
      code: 'payload_invalid',
      message: `expected {"text": "…"}, at most ${maxWords} characters`,
    });
  const named = { text, messageId: messageId ?? ownId, fingerprint: '' };
  if (!('principal' in command))
    return { ...named, principal: temporalOperator, receivedAt: nowIso(), textFingerprint: '' };
  const { principal, receivedAt, textFingerprint = '', checked, proof, seen } = command;
  return {
    ...named,
    principal,
    receivedAt,
    textFingerprint,
    ...(checked === undefined ? {} : { checked }),
    ...(proof === undefined ? {} : { proof }),
    ...(seen === undefined ? {} : { seen }),
  };
}

async function onMessage(runtime: TaskRuntime, command: MessageCommand): Promise<MessageReply> {
  const reply = await take(runtime, { type: 'message', command }, (fingerprints) => {
    const [fingerprint = ''] = fingerprints.values();
    return { type: 'message', command: { ...command, fingerprint } };
  });
  if (reply.ok === true && 'message' in reply) return reply.message;
  throw failureOf({ ok: false, code: 'internal', message: 'the message got no answer' });
}

const withFingerprint = (entry: AnswerEntry, fingerprints: Map<string, string>): AnswerEntry => ({
  ...entry,
  fingerprint: entry.fingerprint === '' ? (fingerprints.get(entry.hold) ?? '') : entry.fingerprint,
});

/**
 * Judges, checks the values in an activity, judges again (the state may change over an await), and applies.
 * `later` means that the task is between two states: wait for the next one.
 */
function take(
  runtime: TaskRuntime,
  event: TaskEvent,
  rebuild: (fingerprints: Map<string, string>) => TaskEvent,
): Promise<Reply> {
  // A cancel in the meantime is handled by the reducer, not by a broken wait.
  return CancellationScope.nonCancellable(() => judgeAndTake(runtime, event, rebuild));
}

async function judgeAndTake(
  runtime: TaskRuntime,
  event: TaskEvent,
  rebuild: (fingerprints: Map<string, string>) => TaskEvent,
): Promise<Reply> {
  runtime.waiters += 1;
  try {
    await untilJudged(runtime, event);
    const reply = replyTo(runtime, event);
    refuseAtOnce(reply);
    const answers = answersIn(runtime.state, event).filter(({ isChecked }) => !isChecked);
    if (answers.length === 0) return accept(dispatch(runtime, event));
    const fingerprints = await check(runtime, answers);
    await untilItsTime(runtime, event);
    return accept(dispatch(runtime, rebuild(fingerprints)));
  } catch (error) {
    throw error instanceof TemporalFailure ? error : failureOf(senseless(error));
  } finally {
    runtime.waiters -= 1;
  }
}

/** Once the question exists, an answer that came early is judged before timers; what it waits for later has no such right. */
async function untilJudged(runtime: TaskRuntime, event: TaskEvent): Promise<void> {
  const first = replyTo(runtime, event);
  const isAhead = first.ok === 'later' && first.isBounded === true;
  if (!isAhead) return untilItsTime(runtime, event);
  runtime.checking += 1;
  try {
    await untilItsTime(runtime, event);
  } finally {
    runtime.checking -= 1;
  }
}

/** The reply now. Input sent by hand may be invalid by the time it is applied, and a throw would stop the workflow. */
function replyTo(runtime: TaskRuntime, event: TaskEvent): Reply {
  try {
    return reduce(runtime.state, event, nowIso()).reply;
  } catch (error) {
    return senseless(error);
  }
}

const senseless = (error: unknown): Refusal => ({
  ok: false,
  code: 'payload_invalid',
  message: `the command makes no sense: ${messageOf(error)}`,
});

function accept(taken: Reply): Reply {
  if (taken.ok === false) throw failureOf(taken);
  return taken;
}

/** Longer than noticing a dead worker takes, and another one to report its turn's outcome. */
const aheadMs = 60_000;

/** Waits until the task can reply to it; input that may never become valid is refused after a time limit. */
async function untilItsTime(runtime: TaskRuntime, event: TaskEvent): Promise<void> {
  const replyNow = (): Reply => replyTo(runtime, event);
  const first = replyNow();
  if (first.ok !== 'later') return;
  const isDue = (): boolean => replyNow().ok !== 'later';
  if (first.isBounded !== true) return condition(isDue);
  if (await condition(isDue, aheadMs)) return;
  throw failureOf({ ok: false, code: 'busy', message: 'this task does not know the question (yet); try again' });
}

function answerEntries(state: TaskState, event: TaskEvent): AnswerEntry[] {
  switch (event.type) {
    case 'decide':
      return [event.command.entry];
    case 'run':
      return event.command.kind === 'resume' ? event.command.entries : [];
    case 'message': {
      const hold = textHoldOf(state);
      return hold === null ? [] : [textEntry(hold, event.command)];
    }
    default:
      return [];
  }
}

type GivenAnswer = CheckAnswersInput['answers'][number] & { isChecked: boolean };

/** The answers to open holds as they are checked; throws payload_invalid for a secret in clear. */
function answersIn(state: TaskState, event: TaskEvent): GivenAnswer[] {
  return answerEntries(state, event).flatMap((entry) => {
    const hold = state.holds.find((one) => one.holdId === entry.hold || one.interruptId === entry.hold);
    if (hold === undefined || hold.status !== 'open') return [];
    const { status, values, reason } = entry;
    const { schema, secrets } = hold.question;
    const clear = refuseClearSecrets(secrets, entry);
    if (clear !== null) throw failureOf(clear);
    const sealed = secrets.length === 0 ? {} : { sealed: { holdId: hold.holdId, secrets } };
    const isChecked = entry.fingerprint !== '' && entry.checked?.digest === hold.digest;
    return [{ holdId: entry.hold, schema, status, values, reason, ...sealed, isChecked }];
  });
}

/** Validates values that were not checked yet; throws payload_invalid. */
async function check(runtime: TaskRuntime, given: GivenAnswer[]): Promise<Map<string, string>> {
  const answers = given.map(({ isChecked: _checked, ...answer }) => answer);
  runtime.checking += 1;
  try {
    const summary = 'check the answer against the form';
    const { errors, fingerprints } = await runStoreActivity('checkAnswers', { answers }, summary);
    if (errors.length > 0) {
      const first = errors[0];
      throw failureOf({
        ok: false,
        code: 'payload_invalid',
        message: `the answer does not fit the question: ${first?.path ?? ''} ${first?.message ?? ''}`,
        data: { errors },
      });
    }
    return new Map(fingerprints.map(({ holdId, fingerprint }) => [holdId, fingerprint]));
  } finally {
    runtime.checking -= 1;
  }
}

/** A signal carries no stamp: it counts while the hold is open, also when the worker was away past the deadline. */
const withinTime = new Date(0).toISOString();

/** Sent by people with Temporal's CLI or UI: what does not fit is noted for them, never thrown. */
async function onSignal(runtime: TaskRuntime, message: unknown): Promise<void> {
  const entry = entryOfSignal(message);
  try {
    if (entry === null)
      throw new Error('expected {"interruptId": "…", "values": {…}} or {"interruptId": "…", "status": "cancelled"}');
    const command: DecideCommand = { entry, principal: temporalOperator, receivedAt: withinTime, source: 'signal' };
    refuseTooMuch(runtime, { type: 'decide', command });
    await decide(runtime, command);
    runtime.note = null;
  } catch (error) {
    runtime.note = messageOf(error);
    log.warn('signal formResponse was not taken', { why: runtime.note });
  }
  showState(runtime);
}

function entryOfSignal(message: unknown): AnswerEntry | null {
  if (typeof message !== 'object' || message === null) return null;
  const { interruptId, status, values, reason } = message as Partial<FormResponseInput>;
  if (typeof interruptId !== 'string') return null;
  if (status !== undefined && status !== 'resolved' && status !== 'cancelled') return null;
  const isCancel = status === 'cancelled';
  if (!isCancel && (typeof values !== 'object' || values === null || Array.isArray(values))) return null;
  return {
    hold: interruptId,
    status: isCancel ? 'cancelled' : 'resolved',
    values: isCancel ? {} : (values ?? {}),
    reason: typeof reason === 'string' ? reason.slice(0, 2000) : null,
    digest: null,
    fingerprint: '',
  };
}
