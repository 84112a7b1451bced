// What a run begins with: the client's own state and messages, the thread's, and the cards people may still see.
import type { RunTarget } from '../../contract/activity.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { TaskRef } from '../../contract/task.ts';
import type { HoldRow, IntakeRow, Tables } from '../../store/store.ts';
import type { RunStart } from '../../wire/agui/project/project.ts';

export interface StartExtras {
  /** Interrupt ids whose answers this run carries. */
  answered?: string[];
  skipped?: { interruptId: string; code: string }[];
  /** A short run that only passes a message on; it is not on the thread stream. */
  isControl?: boolean;
}

export async function readStart(
  tables: Tables,
  task: TaskRef,
  target: RunTarget,
  intake: IntakeRow | null,
  extras: StartExtras,
): Promise<RunStart> {
  const { agent, threadId } = task;
  const thread = await tables.threads.get(agent, threadId);
  const row = await tables.tasks.get(task.taskId);
  const holds = await tables.holds.ofThread(agent, threadId);
  const body = intake?.body ?? null;
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
      status: row?.status ?? 'NEW',
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
