import type { TurnInput } from '../../contract/tasks/turn.ts';
import type { IntakeRow, RunBeginning, TaskRow, Tables } from '../../store/store.ts';
import { openingWords } from '../../wire/agui/input/opening-words.ts';
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
  return intake === null ? '' : openingWords(intake, task.owner, maxTitleLength);
}
