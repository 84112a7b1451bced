// The options of the run that opened a task apply to the whole task, whichever run continues it.
import type { TaskRef } from '../../contract/tasks/task.ts';
import type { Tables } from '../../store/store.ts';
import { optionsOfBody, wireOutputModes, type RunOptions } from '../../wire/agui/input/run-options.ts';
import type { OutgoingMessage } from './a2a-transport.ts';

export async function optionsOfTask(
  tables: Pick<Tables, 'runs' | 'intake'>,
  task: Pick<TaskRef, 'taskId' | 'agent' | 'threadId'>,
): Promise<RunOptions> {
  const opening = await tables.runs.opening(task);
  const intake = opening === null ? null : await tables.intake.get(opening);
  return optionsOfBody(intake?.body ?? null);
}

/** Those of them that say how any message of the task is sent; metadata are the message's own. */
export function wireOptions({
  mode,
  acceptedOutputModes,
  historyLength,
}: RunOptions): Required<Pick<OutgoingMessage, 'mode' | 'acceptedOutputModes' | 'historyLength'>> {
  return { mode, acceptedOutputModes: wireOutputModes(acceptedOutputModes), historyLength };
}
