// A message that was taken before is recognised, also when its task has ended: a client that missed the answer sends it again.
import type { ChatReply } from '../../contract/views/inbox.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { ownRunIdOf } from '../../core/base/ids.ts';
import type { TaskRow } from '../../store/store.ts';
import type { WithStore } from '../api-parts.ts';

export interface PersonMessage {
  messageId: string;
  text: string;
  /** Id of the question in words that it answers; null: none; missing: whichever is open then. */
  answers?: string | null;
}

/** The run by which a message begins the next task. */
export const openingRunId = (messageId: string): string => `chat-${messageId}`;

/** From now on its id is known on its thread. */
export function rememberMessage(
  { store }: WithStore,
  { agent, threadId }: TaskRow,
  { messageId }: PersonMessage,
): Promise<void> {
  return store.sent.mark({ agent, threadId, runId: `message-${messageId}` }, [messageId]);
}

/** The reply to a message that the task took before it ended; null: it is new, or has begun the next task. */
export async function repliedBefore(
  { store }: WithStore,
  task: TaskRow,
  { messageId, text }: PersonMessage,
  messages: readonly JsonObject[],
): Promise<ChatReply | null> {
  const { agent, threadId, taskId } = task;
  const opening = { agent, threadId, runId: openingRunId(messageId) };
  if ((await store.intake.get(opening)) !== null) return null;
  const reply = (as: ChatReply['as']): ChatReply => ({ messageId, as, taskId });
  const shown = messages.find(({ id, role }) => id === messageId && role === 'user');
  if (shown !== undefined && shown['content'] !== text) throw otherText(messageId);
  if ((await store.runs.get({ agent, threadId, runId: ownRunIdOf(taskId, `message-${messageId}`) })) !== null)
    return reply('injected');
  if (shown !== undefined) return reply('asked');
  if ((await store.sent.known(opening, [messageId])).length === 0) return null;
  // What answered a question in words belongs to that question alone.
  const holds = await store.holds.ofTask(taskId);
  if (holds.some(({ decision }) => decision?.source === 'chat' && decision.values['text'] === text))
    return reply('decided');
  throw otherText(messageId);
}

const otherText = (messageId: string): StandfastError =>
  new StandfastError('run_conflict', `the messageId ${messageId} was used with other words`);
