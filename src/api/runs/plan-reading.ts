// Plans a run that only reads: the named task, or the thread's current or last one.
import type { TaskRow } from '../../store/store.ts';
import type { ApiContext } from '../api-context.ts';
import { publicThreadId } from '../../core/base/ids.ts';
import { hideFromStranger } from '../auth/principal.ts';
import { restateStream, type RestateAsk } from './restate-stream.ts';
import { readerOf, type RunAsk, type RunPlan } from './run-plan.ts';

export async function planReading(api: ApiContext, ask: RunAsk, named: TaskRow | null): Promise<RunPlan> {
  const { agent, principal, input } = ask;
  // The whole thread is restated, other tasks of it too: who is asked about one of them reads that at the api's own routes.
  const owner = named?.owner ?? (await api.store.threads.get(agent, input.threadId))?.owner ?? null;
  const what = named === null ? `thread ${publicThreadId(input.threadId)}` : `task ${input.options.taskId ?? ''}`;
  if (owner !== null) hideFromStranger(principal, owner, what);
  const task = named ?? (await api.store.tasks.newest(agent, input.threadId));
  const restate: RestateAsk = {
    reader: readerOf(ask),
    clientState: input.state,
    clientMessages: input.messages,
    thread: { agent, threadId: task?.threadId ?? input.threadId },
    task,
    historyLength: input.options.historyLength,
    replayed: [],
  };
  return { kind: 'restated', events: (signal) => restateStream(api, restate, signal) };
}
