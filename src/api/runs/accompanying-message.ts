// A message that came with answers (AG-UI's way to change the subject while a question is open), kept with them as a run
// of its own. It is handed over once the answers' run has ended: as the thread's next task where theirs is over, else into
// the task.
import type { RunId } from '../../contract/base/id-types.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { RunReply } from '../../contract/tasks/run.ts';
import { refuse } from '../../core/base/errors.ts';
import { ownRunIdOf, taskIdOf } from '../../core/base/ids.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { IntakeRow, NewIntake } from '../../store/store.ts';
import { partsOfMessage } from '../../wire/agui/input/message-parts.ts';
import { messagesOfRun } from '../../wire/agui/input/run-messages.ts';
import type { ApiContext } from '../api-context.ts';
import type { CallResult } from '../engine/task-client.ts';
import type { WithStore } from '../api-parts.ts';

export type KeptKey = Pick<IntakeRow, 'agent' | 'threadId' | 'runId'>;

/** The key of the message that came with the answers of this run. */
export const keyAfter = ({ agent, threadId, runId }: KeptKey): KeptKey => ({
  agent,
  threadId,
  runId: ownRunIdOf(taskIdOf(sha1Hex, agent, threadId, runId), 'after-answers'),
});

/** The message as a run of its own, which waits for the answers' run. */
export function rowAfter(
  answers: Omit<NewIntake, 'plan' | 'mac'>,
  { owner, messageIds }: { owner: string; messageIds: string[] },
): Omit<NewIntake, 'mac'> {
  const { resume: _resume, ...body } = answers.body;
  const key = keyAfter(answers);
  const plan = { kind: 'message' as const, task: null, owner, contextId: null, restartOf: null, seen: null };
  return { ...answers, ...key, body: { ...body, runId: key.runId }, messageIds, afterRun: answers.runId, plan };
}

/** Codes by which the workflow refuses answers to questions that others have closed: the message still goes. */
const closedCodes = new Set(['hold_closed', 'interrupt_expired']);

/** What became of the run that a message waits for. */
export async function runBefore(
  { store }: WithStore,
  { agent, threadId }: KeptKey,
  runId: RunId,
): Promise<{ kind: 'ended' | 'waiting' } | { kind: 'refused'; refusal: Refusal }> {
  const key = { agent, threadId, runId };
  const [kept, run] = await Promise.all([store.intake.get(key), store.runs.get(key)]);
  if (run !== null) return { kind: run.status === 'open' ? 'waiting' : 'ended' };
  if (kept === null || kept.refusedCode === null) return { kind: 'waiting' };
  if (closedCodes.has(kept.refusedCode)) return { kind: 'ended' };
  const refusal = refuse('hold_closed', `the answers that it came with were refused (${kept.refusedCode})`);
  return { kind: 'refused', refusal };
}

/**
 * To a task that asks again: as what a person writes to its agent. A question that any text answers would take it for the
 * answer to a question that its author has not seen: then the refusal is kept.
 */
export async function toOpenQuestion(
  { store, tasks }: Pick<ApiContext, 'store' | 'tasks'>,
  row: IntakeRow,
  refused: CallResult<RunReply>,
): Promise<CallResult<RunReply>> {
  const { agent, threadId, runId, principal, receivedAt, messageIds } = row;
  const task = await store.tasks.newest(agent, threadId);
  const text = messagesOfRun(row.body, messageIds).flatMap(textsOf).join('\n\n');
  if (task === null || text === '') return refused;
  const open = (await store.holds.ofTask(task.taskId)).filter(({ status }) => status === 'open');
  if (open.some(({ question }) => question.kind === 'text')) return refused;
  const message = { messageId: messageIds?.at(-1) ?? runId, text, textFingerprint: fingerprintOf(text) };
  const result = await tasks.message(task, { ...message, principal, receivedAt });
  if (result.kind !== 'answer') return result;
  return { kind: 'answer', value: { runId, kind: 'injected', taskId: task.taskId, skipped: [] } };
}

const textsOf = (message: JsonObject): string[] =>
  partsOfMessage(message).flatMap((part) => (part.kind === 'text' ? [part.text] : []));
