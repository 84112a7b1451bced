import type { TurnInput } from '../../contract/turn.ts';
import type { TaskRow, Tables } from '../../store/store.ts';
import { messagesOfRun, partsOfMessage } from '../../wire/agui/input/message-parts.ts';
import { cutText, messageText } from '../../wire/agui/model/text.ts';
import type { ActivityDeps } from '../deps.ts';

const maxTitleLength = 200;

/** The task's row, made by its first turn: named by the beginning of what was said to open it. */
export async function putTask(tables: Tables, deps: ActivityDeps, input: TurnInput): Promise<TaskRow> {
  const { task, restartOf } = input;
  const there = await tables.tasks.get(task.taskId);
  if (there !== null) return there;
  const title = await titleOf(tables, input);
  const row = await tables.tasks.put(task, deps.now().toISOString(), { title, restartOf });
  if (restartOf !== null) await tables.tasks.linkRestart(restartOf, task.taskId);
  return row;
}

async function titleOf(tables: Tables, { task, runId, messageRunId }: TurnInput): Promise<string> {
  const key = { agent: task.agent, threadId: task.threadId, runId: messageRunId ?? runId };
  const intake = await tables.intake.get(key);
  if (intake === null) return '';
  const message = messagesOfRun(intake.body, intake.messageIds).filter(({ role }) => role === 'user');
  const text = messageText(message.flatMap(partsOfMessage)).replaceAll(/\s+/g, ' ').trim();
  return cutText(text, maxTitleLength);
}
