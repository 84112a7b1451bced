// What a run begins with: the client's state and messages, the thread's, and the cards that are still visible.
import type { InterruptId } from '../../contract/base/id-types.ts';
import type { RunTarget } from '../../contract/tasks/activity.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { TaskRef, TaskStatus } from '../../contract/tasks/task.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import type { HoldRow, RunBeginning, Tables } from '../../store/store.ts';
import { cardTypeOf } from '../../wire/agui/model/activity.ts';
import type { RunStart } from '../../wire/agui/project/project.ts';

export interface StartExtras {
  /** Interrupt ids whose answers this run carries. */
  answered?: string[];
  skipped?: { interruptId: InterruptId; code: string }[];
  /** A short run that only passes a message on; it is not on the thread stream. */
  isControl?: boolean;
  /** The status of its task once the run is claimed. */
  status?: TaskStatus;
  /** The agent's task is no longer watched once the run is claimed: this run polls it. */
  unwatch?: boolean;
}

export async function readStart(
  tables: Tables,
  task: TaskRef,
  target: RunTarget,
  found: RunBeginning,
  extras: StartExtras,
): Promise<RunStart> {
  const holds = isSilent(found) ? [] : await tables.holds.ofThread(task.agent, task.threadId);
  const answered = new Set(extras.answered ?? []);
  return {
    threadId: task.threadId,
    runId: target.runId,
    ...clientPart(target.opener === 'client' ? found.intake : null),
    threadState: found.thread?.state ?? null,
    threadMessages: found.thread?.messages ?? [],
    cards: holds.map(cardOf),
    answered: holds.filter((hold) => answered.has(hold.interruptId)),
    skipped: extras.skipped ?? [],
    task: taskPart(found, extras),
  };
}

const statusOf = ({ task }: RunBeginning): TaskStatus => task?.status ?? 'NEW';

/** Where no message exists yet, nothing was asked. */
const isSilent = (found: RunBeginning): boolean =>
  statusOf(found) === 'NEW' && (found.thread?.messages.length ?? 0) === 0;

type ClientPart = Pick<RunStart, 'parentRunId' | 'clientState' | 'clientMessages' | 'sentMessages'>;

/** What a front end sent with the run that it opened. */
function clientPart(intake: RunBeginning['intake']): ClientPart {
  if (intake === null) return { clientState: undefined, clientMessages: null };
  const { parentRunId, state, messages } = intake.body;
  return {
    ...(typeof parentRunId === 'string' ? { parentRunId } : {}),
    clientState: state,
    clientMessages: Array.isArray(messages) ? (messages as JsonObject[]) : [],
    sentMessages: intake.messageIds ?? [],
  };
}

function taskPart(found: RunBeginning, extras: StartExtras): RunStart['task'] {
  const status = statusOf(found);
  return {
    a2aTaskId: found.task?.a2aTaskId ?? null,
    contextId: found.task?.contextId ?? found.thread?.contextId ?? null,
    status: isEndedStatus(status) ? status : (extras.status ?? status),
  };
}

const cardOf = (hold: HoldRow): RunStart['cards'][number] => ({
  interruptId: hold.interruptId,
  activityType: cardTypeOf(hold.question),
  content: hold.card,
});
