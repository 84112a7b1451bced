// Writes the end of a run together with the rows it refers to: one transaction, idempotent.
import type { HoldId } from '../../contract/base/id-types.ts';
import type { AguiEvent, RunStatus } from '../../contract/tasks/run.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { TaskError, TaskRef, TaskStatus } from '../../contract/tasks/task.ts';
import type { KeptOutcome } from '../../contract/tasks/turn.ts';
import { canonicalJson } from '../../core/base/json.ts';
import type { RunEnd } from '../../store/ports/event-log.ts';
import type { HoldRow, Tables } from '../../store/store.ts';
import { isCard } from '../../wire/agui/model/activity.ts';
import { keptMessages } from '../../wire/agui/project/messages.ts';
import { reduceEvents, type Projection } from '../../wire/agui/model/projection.ts';
import type { OpenRun } from './run-writer.ts';

/** What comes with the end of a run. */
interface EndExtras {
  /** Of the turn that ends with it, for an attempt that comes after. */
  outcome?: KeptOutcome | null;
  /** Holds as they are in this transaction. */
  known?: readonly HoldRow[];
  /** The status of its task from now on. */
  taskUpdate?: { status: TaskStatus; error?: TaskError | null };
  watch?: RunEnd['watch'];
}

/** Appends the last events, ends the run as they say, and keeps what the thread's next run starts from. */
export async function writeEnd(
  tables: Tables,
  task: TaskRef,
  opened: OpenRun,
  fence: number,
  events: AguiEvent[],
  { outcome = null, known = [], taskUpdate, watch = null }: EndExtras = {},
): Promise<Projection> {
  const { run } = opened;
  const projection = reduceEvents(opened.projection, events);
  // A control run ends while the long one goes on, and knows less than it.
  const { agent, threadId } = run;
  const snapshot = run.isControl
    ? null
    : { agent, threadId, state: projection.state, messages: keptMessages(projection) };
  const cards = await newCards(tables, task, projection.messages, known);
  await tables.log.end(run.logId, fence, [...opened.unwritten, ...events], {
    status: endedAs(projection.ended),
    outcome,
    snapshot,
    task: taskUpdate === undefined ? null : { taskId: task.taskId, ...taskUpdate },
    watch,
    cards,
  });
  return projection;
}

/** The cards as front ends have them now, for later readers; unchanged ones are not written again. */
export async function newCards(
  tables: Tables,
  task: TaskRef,
  messages: readonly JsonObject[],
  known: readonly HoldRow[] = [],
): Promise<{ holdId: HoldId; card: JsonObject }[]> {
  const cards = messages.filter(isCard);
  if (cards.length === 0) return [];
  const ids = cards.map((card) => String(card['id']));
  const missing = ids.filter((id) => known.every(({ interruptId }) => interruptId !== id));
  const others = missing.length === 0 ? [] : await tables.holds.byInterrupt(task.agent, task.threadId, missing);
  const holds = [...known, ...others];
  return cards.flatMap((card, index) => {
    const hold = holds.find(({ interruptId }) => interruptId === ids[index]);
    if (hold === undefined || hold.taskId !== task.taskId) return [];
    const content = card['content'] as JsonObject;
    return canonicalJson(hold.card) === canonicalJson(content) ? [] : [{ holdId: hold.holdId, card: content }];
  });
}

function endedAs(status: RunStatus): Exclude<RunStatus, 'open'> {
  if (status === 'open') throw new Error('the last events do not end the run');
  return status;
}
