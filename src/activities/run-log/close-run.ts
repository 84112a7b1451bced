// Writing the end of a run together with the rows it speaks of: one transaction, the same again changes nothing.
import type { AguiEvent, RunStatus } from '../../contract/event.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { TaskRef } from '../../contract/task.ts';
import type { TurnOutcome } from '../../contract/turn.ts';
import { canonicalJson } from '../../core/base/canonical-json.ts';
import type { HoldRow, Tables } from '../../store/store.ts';
import { isCard } from '../../wire/agui/model/activity.ts';
import { keptMessages } from '../../wire/agui/project/messages.ts';
import { reduceEvents } from '../../wire/agui/model/projection.ts';
import type { Projection } from '../../wire/agui/model/projection.ts';
import type { OpenRun } from './run-writer.ts';

/**
 * Appends the last events, ends the run as they say, and keeps what the thread's next run starts from. `outcome`: of the
 * turn that ends with it, for an attempt that comes after. `known`: holds as they stand in this transaction.
 */
export async function writeEnd(
  tables: Tables,
  task: TaskRef,
  opened: OpenRun,
  fence: number,
  events: AguiEvent[],
  outcome: TurnOutcome | null = null,
  known: readonly HoldRow[] = [],
): Promise<Projection> {
  const { run } = opened;
  const projection = reduceEvents(opened.projection, events);
  // A control run ends beside the long one and knows less than it.
  const snapshot = run.isControl ? null : { state: projection.state, messages: keptMessages(projection) };
  await tables.log.end(run.logId, fence, events, { status: endedAs(projection.ended), outcome, snapshot });
  await keepCards(tables, task, projection.messages, known);
  return projection;
}

/** The cards as front ends have them now, for whoever comes later; what stands there already is not written again. */
export async function keepCards(
  tables: Tables,
  task: TaskRef,
  messages: readonly JsonObject[],
  known: readonly HoldRow[] = [],
): Promise<void> {
  const cards = messages.filter(isCard);
  if (cards.length === 0) return;
  const ids = cards.map((card) => String(card['id']));
  const missing = ids.filter((id) => known.every(({ interruptId }) => interruptId !== id));
  const others = missing.length === 0 ? [] : await tables.holds.byInterrupt(task.agent, task.threadId, missing);
  const holds = [...known, ...others];
  for (const [index, card] of cards.entries()) {
    const hold = holds.find(({ interruptId }) => interruptId === ids[index]);
    if (hold === undefined || hold.taskId !== task.taskId) continue;
    const content = card['content'] as JsonObject;
    if (canonicalJson(hold.card) !== canonicalJson(content)) await tables.holds.setCard(hold.holdId, content);
  }
}

function endedAs(status: RunStatus): Exclude<RunStatus, 'open'> {
  if (status === 'open') throw new Error('the last events do not end the run');
  return status;
}
