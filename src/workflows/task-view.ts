import type { TaskState } from '../core/task/task-state.ts';
import type { TaskQueryView } from './messages.ts';

/** The answer to the query `task`. */
export function taskView(state: TaskState): TaskQueryView {
  return {
    taskId: state.taskId,
    agent: state.agent,
    threadId: state.threadId,
    owner: state.owner,
    a2aTaskId: state.a2aTaskId,
    contextId: state.contextId,
    status: state.status,
    phase: state.phase,
    turn: state.turn,
    resumes: state.resumes,
    parkedSince: state.parked?.since ?? null,
    away: state.parked?.for === 'agent' ? { again: state.parked.again, why: state.parked.why } : null,
    pauseMessageId: state.pauseMessageId,
    asking: state.asking?.by ?? null,
    runId: state.runId,
    holds: state.holds,
    past: state.past.map((hold) => ({
      interruptId: hold.interruptId,
      status: hold.status,
      by: hold.decision?.by ?? hold.ended?.by ?? null,
      at: hold.decision?.at ?? hold.ended?.at ?? null,
      why: hold.ended?.why ?? null,
      supersededBy: hold.supersededBy,
    })),
    note: state.note,
    error: state.end?.kind === 'failed' ? { code: state.end.code, message: state.end.message } : null,
  };
}
