// The message of a turn: a run's own message from its intake row, or the answers as the agent's dialect writes them.
import type { A2aTaskId, RunId } from '../../contract/base/id-types.ts';
import { ApplicationFailure } from '@temporalio/activity';
import type { CallerMessage } from '../../contract/tasks/caller.ts';
import type { Answer, Question } from '../../contract/holds/question.ts';
import type { AgentMessage, TurnAnswer, TurnInput } from '../../contract/tasks/turn.ts';
import { contextIdOf } from '../../core/base/ids.ts';
import { type Acting, isSentAsItCame, whyNotActedOn } from '../../core/consent/acted-on.ts';
import { takenBackIn } from '../../core/consent/proof.ts';
import { isRunAsItCame } from '../../core/base/proved-row.ts';
import { askerOf } from '../../core/base/asker.ts';
import { sealIdOf } from '../../core/answers/sealed.ts';
import { callerMessageIn, partsOfCaller } from '../../wire/a2a/caller/caller-message.ts';
import { encodeAnswers, needsPausedMessage } from '../../wire/a2a/dialects/registry.ts';
import {
  contextMetadata,
  metadataIntoTask,
  optionsOfBody,
  type RunOptions,
  wireOutputModes,
} from '../../wire/agui/input/run-options.ts';
import { updateInMessage } from '../../wire/agui/engram/engram-input.ts';
import { partsOfRun } from '../../wire/agui/input/run-messages.ts';
import { optionsAsTaken } from '../run-log/run-writer.ts';
import { wholeQuestion } from '../../store/log/whole-question.ts';
import type { IntakeRow, Tables } from '../../store/store.ts';
import type { OutgoingMessage } from '../a2a/a2a-transport.ts';
import type { ActivityDeps } from '../deps.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import { receiptOf } from '../../host/secrets/receipts.ts';
import { openValues } from '../../host/secrets/sealing.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import type { WithStore } from '../dep-parts.ts';

type Deps = Pick<ActivityDeps, 'config' | 'store' | 'transportOf' | 'sealer' | 'signer' | 'prover' | 'publicUrl'>;

/** How long to wait for the pause's message from the agent. */
const searchForMs = 5_000;

/** The task that asked, and the one that the answer names: none where it ended with the question. */
function taskAnswered(
  a2aTaskId: A2aTaskId | null,
  ended: string | null | undefined,
): { asking: A2aTaskId | null; taskId: A2aTaskId | null } {
  if (ended !== undefined) return { asking: ended, taskId: null };
  if (a2aTaskId === null) throw ApplicationFailure.nonRetryable('an answer needs the agent’s task', 'internal');
  return { asking: a2aTaskId, taskId: a2aTaskId };
}

export interface HowSent {
  /** The task that ended with the question: what answers it begins one, as a first message does. */
  ended?: string | null | undefined;
  /** It is compared with the one that people approved. */
  isHeld?: boolean;
  /** Answers go as their dialect writes them, whatever message brought them. */
  isWritten?: boolean;
}

/** The message of this turn. One without parts is not sent: the turn then only follows the task. */
export async function messageToSend(
  deps: Deps,
  input: TurnInput,
  known: HowSent & {
    messageId: string;
    a2aTaskId: A2aTaskId | null;
    adopted: { a2aTaskId: A2aTaskId; contextId: string | null } | null;
    options: RunOptions;
  },
): Promise<OutgoingMessage> {
  const { adopted, options, ended, isWritten = false } = known;
  const contextId = adopted === null ? await contextOf(deps, input) : adopted.contextId;
  const base = { messageId: known.messageId, contextId, ...wireOptions(options) };
  if (input.send.kind === 'answers' || input.send.kind === 'talk') {
    const { asking, taskId } = taskAnswered(known.a2aTaskId, ended);
    if (input.send.kind === 'talk') {
      const parts: OutgoingMessage['parts'] = [{ kind: 'text', text: input.send.text, metadata: {} }];
      return { ...base, taskId, parts, metadata: metadataIntoTask(options.metadata), extensions: [] };
    }
    const row = await intakeOf(deps, input, input.runId);
    const forwarded = row === null ? null : callerMessageIn(row.body);
    const given = await provedAnswers(deps, input, input.send.answers, asking);
    // The caller's own message answers the agent and is sent as it is: the one that was proved with its answers.
    const closed = input.send.answers.map((one) => one.closed);
    if (forwarded !== null && !isWritten && isSentAsItCame(fingerprintOf(forwarded), closed))
      return { ...base, ...callerMessage(forwarded), taskId };
    const answers = await writtenAnswers(deps, input, given, asking);
    const context = contextOfRun(deps, row);
    // What the dialect writes there is the answer itself.
    const metadata = { ...metadataIntoTask(options.metadata), ...context, ...answers.metadata };
    return { ...base, taskId, ...answers, metadata };
  }
  const taskId = adopted?.a2aTaskId ?? null;
  if (input.send.kind === 'nothing') return { ...base, taskId, parts: [], metadata: {}, extensions: [] };
  // "Send again" is a run by Standfast, and what releases a held message may be another's: the message is that of the opening run.
  const first = await intakeOf(deps, input, input.messageRunId ?? input.runId);
  if (first === null) throw ApplicationFailure.nonRetryable('the message of this run is gone', 'internal');
  if (known.isHeld !== true && !isRunAsItCame(deps.prover, first))
    throw ApplicationFailure.nonRetryable(alteredRun, 'internal');
  const forwarded = callerMessageIn(first.body);
  if (forwarded !== null) return { ...base, ...callerMessage(forwarded), taskId };
  const engram = updateInMessage(optionsOfBody(first.body).engramUpdate);
  const parts = [...partsOfRun(first.body, first.messageIds), ...engram.parts];
  const { metadata: own } = optionsOfBody(first.body);
  const metadata = { ...own, ...contextMetadata(first.body), ...engram.metadata };
  return { ...base, taskId, parts, metadata, extensions: engram.extensions };
}

export const alteredRun = 'the message of this run is not as it came, by the row that it is kept in: it is not sent';

/** A message of a caller over A2A, as it came. */
export function callerMessage(
  forwarded: CallerMessage,
): Pick<OutgoingMessage, 'parts' | 'metadata' | 'extensions' | 'forwarded'> {
  return { parts: partsOfCaller(forwarded), metadata: {}, extensions: [], forwarded };
}

/** What a run's context adds to its answer; an answer has its own proof, and goes without what no api took. */
function contextOfRun({ prover }: Pick<Deps, 'prover'>, row: IntakeRow | null): OutgoingMessage['metadata'] {
  const context = contextMetadata(row?.body ?? null);
  if (row === null || Object.keys(context).length === 0) return context;
  return isRunAsItCame(prover, row) ? context : {};
}

/** A run as it came; null for one that no client posted. */
function intakeOf(deps: WithStore, { task }: TurnInput, runId: RunId): Promise<IntakeRow | null> {
  return deps.store.intake.get({ agent: task.agent, threadId: task.threadId, runId });
}

/** Run option → bound to the thread → UUIDv5 of the task id (never derived from the thread id alone). */
async function contextOf(deps: WithStore, input: TurnInput): Promise<string> {
  if (input.contextId !== null && input.contextId !== '') return input.contextId;
  const { agent, threadId, taskId } = input.task;
  const thread = await deps.store.threads.get(agent, threadId);
  return thread?.contextId ?? contextIdOf(sha1Hex, taskId);
}

interface Proved {
  question: Question;
  answer: Answer;
  receipt: string | null;
}

/** Fails if one of them is not proved. */
async function provedAnswers(
  deps: Deps,
  input: TurnInput,
  answers: readonly TurnAnswer[],
  a2aTaskId: A2aTaskId | null,
): Promise<Proved[]> {
  const holds = await deps.store.holds.ofTask(input.task.taskId);
  return Promise.all(
    answers.map(async ({ closed }) => {
      const hold = holds.find(({ holdId }) => holdId === closed.holdId);
      if (hold === undefined) throw new Error(`the row of hold ${closed.holdId} is missing`);
      const [by] = takenBackIn(hold, closed);
      if (by !== undefined)
        throw ApplicationFailure.nonRetryable(
          `${by} has taken back what answers hold ${hold.holdId}; the task was put back to an earlier state, and it is not sent`,
          'internal',
        );
      const why = whyNotActedOn(deps.prover, hold, closed, actingOf(deps));
      if (why !== null)
        throw ApplicationFailure.nonRetryable(`${why}; what answers hold ${hold.holdId} is not sent`, 'internal');
      const { secrets } = hold.question;
      const given = closed.decision?.values ?? {};
      const boxOf = (sealId: string): Promise<string | null> => deps.store.seals.get(sealId);
      const of = { issuer: deps.publicUrl, agent: askerOf(hold), a2aTaskId, hold, closed, from: 'workflow' as const };
      const receipt = receiptOf(deps, of);
      // Opened here and nowhere else; the turn destroys them once the agent has the message.
      const opened =
        secrets.length === 0 ? given : await openValues(deps.sealer, { holdId: hold.holdId, secrets }, given, boxOf);
      const answer: Answer = {
        status: closed.status === 'cancelled' ? 'cancelled' : 'resolved',
        values: withToken(hold.question, opened, receipt),
        reason: closed.decision?.reason ?? null,
        by: closed.decision?.by ?? 'unknown',
      };
      const question = await wholeQuestion(deps.store, hold);
      if (question === null)
        throw ApplicationFailure.nonRetryable(
          `what belongs to the answer of hold ${hold.holdId} is not in the database any more`,
          'internal',
        );
      return { question, answer, receipt };
    }),
  );
}

/** As their agent's dialect writes them. */
async function writtenAnswers(
  deps: Deps,
  input: TurnInput,
  answered: readonly Proved[],
  a2aTaskId: A2aTaskId | null,
): Promise<Pick<OutgoingMessage, 'parts' | 'metadata' | 'extensions'>> {
  const isRead = a2aTaskId !== null && answered.some(({ question }) => needsPausedMessage(question));
  const paused = isRead ? await pausedMessage(deps, input, a2aTaskId) : null;
  const encoded = encodeAnswers(answered.map(({ question, answer }) => ({ question, answer, paused })));
  if (encoded.result === 'nothing') return { parts: [], metadata: {}, extensions: [] };
  if (encoded.result !== 'ok') throw ApplicationFailure.nonRetryable(encoded.why, 'internal');
  const text: OutgoingMessage['parts'] =
    encoded.text === null ? [] : [{ kind: 'text', text: encoded.text, metadata: {} }];
  const receipts = answered.flatMap(({ receipt }) => receipt ?? []);
  const metadata = receipts.length === 0 ? encoded.metadata : { ...encoded.metadata, [receiptsKey]: receipts };
  return { parts: [...text, ...encoded.parts], metadata, extensions: encoded.extensions };
}

/** What the workflow closed is acted upon by what the configuration says now. */
export const actingOf = ({ config }: Pick<Deps, 'config'>): Acting => ({
  from: 'workflow',
  temporals: config.temporal.answers === true,
});

/** Member of an answer's metadata: the receipts of its approvals, in the order of the questions. */
const receiptsKey = 'urn:standfast:receipts:v1';

/** A yes to an agent that waits for a credential, where its policy gives receipts: the receipt is that credential. */
function withToken({ kind, dialect }: Question, values: Answer['values'], receipt: string | null): Answer['values'] {
  const isYes = values['outcome'] === 'approve';
  if (receipt === null || kind !== 'authorization' || dialect !== 'auth' || !isYes) return values;
  return { outcome: 'credential', credential: receipt };
}

/** The agent has the answer: its secrets are not needed any more. */
export async function destroySecrets(deps: WithStore, input: TurnInput): Promise<void> {
  if (input.send.kind !== 'answers') return;
  for (const { closed } of input.send.answers) {
    const isSealed = Object.values(closed.decision?.values ?? {}).some((value) => sealIdOf(value) !== null);
    if (isSealed) await deps.store.seals.destroy(closed.holdId);
  }
}

/** The message of the pause as the agent still has it; null when it cannot be had, and the answer is made without it. */
async function pausedMessage(
  deps: Pick<ActivityDeps, 'transportOf'>,
  input: TurnInput,
  a2aTaskId: A2aTaskId,
): Promise<AgentMessage | null> {
  try {
    const transport = deps.transportOf(input.task.agent);
    const task = await transport.getTask(a2aTaskId, {}, { signal: timeLimit(searchForMs) });
    if (task.type !== 'task') return null;
    const { pauseMessageId } = input;
    const messages = [...(task.message === null ? [] : [task.message]), ...task.history];
    return messages.find(({ messageId }) => messageId === (pauseMessageId ?? '')) ?? task.message;
  } catch {
    return null;
  }
}

/** The options of the run that opened the task, as an api took it: they apply to all of it, whichever run continues it. */
export async function optionsOfTask(
  { store, prover }: { store: Pick<Tables, 'runs' | 'intake'> } & Pick<Deps, 'prover'>,
  task: Pick<TaskRef, 'taskId' | 'agent' | 'threadId'>,
): Promise<RunOptions> {
  const opening = await store.runs.opening(task);
  return optionsAsTaken(prover, opening === null ? null : await store.intake.get(opening));
}

/** The options that say how any message of the task is sent; metadata are each message's own. */
export function wireOptions({
  mode,
  acceptedOutputModes,
  historyLength,
}: RunOptions): Required<Pick<OutgoingMessage, 'mode' | 'acceptedOutputModes' | 'historyLength'>> {
  return { mode, acceptedOutputModes: wireOutputModes(acceptedOutputModes), historyLength };
}
