import type { TurnInput } from '../../contract/tasks/turn.ts';
import type { IntakeRow, RunBeginning, TaskRow, Tables } from '../../store/store.ts';
import { partsOfMessage } from '../../wire/agui/input/message-parts.ts';
import { messagesOfRun } from '../../wire/agui/input/run-messages.ts';
import { cutText, messageText } from '../../wire/agui/model/text.ts';
import { ownersOf } from '../../core/policy/audience.ts';
import type { WithClock } from '../dep-parts.ts';

const maxTitleLength = 200;

/** The task's row, made by its first turn; its title is the beginning of its owner's opening message. */
export async function putTask(
  tables: Tables,
  deps: WithClock,
  input: TurnInput,
  found: RunBeginning,
): Promise<TaskRow> {
  const { task, restartOf } = input;
  if (found.task !== null) return found.task;
  const title = await titleOf(tables, input, found.intake);
  const row = await tables.tasks.put(task, deps.now().toISOString(), { title, restartOf });
  if (restartOf !== null) await tables.tasks.linkRestart(restartOf, task.taskId);
  return row;
}

async function titleOf(
  tables: Tables,
  { task, runId, messageRunId }: TurnInput,
  own: IntakeRow | null,
): Promise<string> {
  const key = { agent: task.agent, threadId: task.threadId, runId: messageRunId ?? runId };
  const intake = key.runId === runId ? own : await tables.intake.get(key);
  // It is shown as what the owner wrote: what somebody else began on their thread is not.
  if (intake === null || !ownersOf(intake.principal).includes(task.owner)) return '';
  const message = messagesOfRun(intake.body, intake.messageIds).filter(({ role }) => role === 'user');
  const text = messageText(message.flatMap(partsOfMessage)).replaceAll(/\s+/g, ' ').trim();
  return cutText(text, maxTitleLength);
}
