// Writing the end of a run together with the rows it speaks of: one transaction, the same again changes nothing.
import type { AguiEvent, RunStatus } from '../contract/event.ts';
import type { JsonObject } from '../contract/json.ts';
import type { TaskRef } from '../contract/task.ts';
import type { Tables } from '../store/store.ts';
import { keptMessages } from '../wire/agui/messages.ts';
import { foldAll } from '../wire/agui/projection.ts';
import type { Projection } from '../wire/agui/projection.ts';
import type { OpenRun } from './run-writer.ts';

/** Appends the last events, ends the run as they say, and keeps what the thread's next run starts from. */
export async function writeEnd(
  tables: Tables,
  task: TaskRef,
  opened: OpenRun,
  fence: number,
  events: AguiEvent[],
): Promise<Projection> {
  const { run } = opened;
  const projection = foldAll(opened.projection, events);
  await tables.log.append(run.logId, fence, events);
  await tables.runs.end(run.logId, fence, endedAs(projection.ended));
  const isCard = (message: JsonObject): boolean => message['role'] === 'activity';
  // A control run ends beside the long one and knows less than it.
  if (!run.isControl)
    await tables.threads.saveSnapshot(task.agent, task.threadId, projection.state, keptMessages(projection));
  for (const card of projection.messages.filter(isCard)) await keepCard(tables, task, card);
  return projection;
}

/** The card as front ends have it now, for whoever comes later. */
export async function keepCard(tables: Tables, task: TaskRef, card: JsonObject): Promise<void> {
  const [hold] = await tables.holds.byInterrupt(task.agent, task.threadId, [String(card['id'])]);
  if (hold !== undefined && hold.taskId === task.taskId)
    await tables.holds.setCard(hold.holdId, card['content'] as JsonObject);
}

function endedAs(status: RunStatus): Exclude<RunStatus, 'open'> {
  if (status === 'open') throw new Error('the last events do not end the run');
  return status;
}
