// What a worker writes at the end of a run, in the few words that a test needs of it.
import { randomUUID } from 'node:crypto';
import type { RunStatus } from '../../../src/contract/tasks/run.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Tables } from '../../../src/store/store.ts';

/** Ends a run without a further entry. */
export async function endRun(
  store: Pick<Tables, 'log'>,
  logId: number,
  fence: number,
  status: Exclude<RunStatus, 'open'>,
): Promise<void> {
  await store.log.end(logId, fence, [], { status, outcome: null, snapshot: null });
}

/** Leaves a thread as a closed run leaves it: by a control run of another task, which no reader of the thread sees. */
export async function keepSnapshot(
  store: Pick<Tables, 'log' | 'runs'>,
  agent: string,
  threadId: string,
  state: JsonObject,
  messages: JsonObject[],
): Promise<void> {
  const key = { agent, threadId, runId: randomUUID() };
  const claim = { taskId: key.runId, fence: 1, opener: 'standfast', fingerprint: '', isControl: true } as const;
  const claimed = await store.runs.claim(key, claim);
  if (claimed.result !== 'claimed') throw new Error(`the run could not be claimed: ${claimed.result}`);
  await store.log.end(claimed.run.logId, 1, [], {
    status: 'success',
    outcome: null,
    snapshot: { agent, threadId, state, messages },
  });
}

/** Binds a context to a thread, as a task does that learns of it; the task itself is of another thread. */
export async function bindContext(
  store: Pick<Tables, 'tasks'>,
  agent: string,
  threadId: string,
  contextId: string,
): Promise<void> {
  const taskId = randomUUID();
  const task = { taskId, agent, threadId: randomUUID(), workflowId: taskId, firstExecutionRunId: taskId, owner: 'x' };
  await store.tasks.put(task, new Date().toISOString());
  await store.tasks.bind({ taskId, agent, threadId }, { a2aTaskId: null, contextId });
}
