// What a run begins with: the client's state and messages, the thread's, and the cards that are still visible.
import type { RunTarget } from '../../contract/tasks/activity.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { TaskRef, TaskStatus } from '../../contract/tasks/task.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import type { HoldRow, RunBeginning, Tables } from '../../store/store.ts';
import type { RunStart } from '../../wire/agui/project/project.ts';

export interface StartExtras {
  /** Interrupt ids whose answers this run carries. */
  answered?: string[];
  skipped?: { interruptId: string; code: string }[];
  /** A short run that only passes a message on; it is not on the thread stream. */
  isControl?: boolean;
  /** Where its task stands once the run is claimed. */
  status?: TaskStatus;
  /** The agent's task is no longer watched once the run is claimed: this run polls by itself. */
  unwatch?: boolean;
}

export async function readStart(
  tables: Tables,
  task: TaskRef,
  target: RunTarget,
  { thread, task: row, intake }: RunBeginning,
  extras: StartExtras,
): Promise<RunStart> {
  const { agent, threadId } = task;
  const status = row?.status ?? 'NEW';
  // Where no message exists yet, nothing was asked.
  const isSilent = status === 'NEW' && (thread?.messages.length ?? 0) === 0;
  const holds = isSilent ? [] : await tables.holds.ofThread(agent, threadId);
  const body = (target.opener === 'client' ? intake?.body : null) ?? null;
  const parentRunId = body?.['parentRunId'];
  const answered = new Set(extras.answered ?? []);
  return {
    threadId,
    runId: target.runId,
    ...(typeof parentRunId === 'string' ? { parentRunId } : {}),
    clientState: body === null ? undefined : body['state'],
    threadState: thread?.state ?? null,
    threadMessages: thread?.messages ?? [],
    clientMessages: body === null ? null : messagesOf(body),
    cards: holds.map(cardOf),
    answered: holds.filter((hold) => answered.has(hold.interruptId)),
    skipped: extras.skipped ?? [],
    task: {
      a2aTaskId: row?.a2aTaskId ?? null,
      contextId: row?.contextId ?? thread?.contextId ?? null,
      status: isEndedStatus(status) ? status : (extras.status ?? status),
    },
  };
}

const cardOf = (hold: HoldRow): RunStart['cards'][number] => ({
  interruptId: hold.interruptId,
  activityType: hold.question.activityType,
  content: hold.card,
});

function messagesOf(body: JsonObject): JsonObject[] {
  const messages = body['messages'];
  return Array.isArray(messages) ? (messages as JsonObject[]) : [];
}
