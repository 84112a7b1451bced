// A run that only reads: the named task, or the thread's present or last one.
import type { Principal } from '../contract/principal.ts';
import { isOperator, maySee } from '../core/audience.ts';
import { HoldpointError } from '../core/errors.ts';
import type { TaskRow } from '../store/store.ts';
import type { Room } from './deps.ts';
import { refuseStranger } from './principal.ts';
import { restateStream, type RestateAsk } from './restate-stream.ts';
import { readerOf, type RunAsk, type RunPlan } from './run-plan.ts';

async function mayRead(room: Room, task: TaskRow, principal: Principal): Promise<boolean> {
  if (task.owner === principal.id || isOperator(principal)) return true;
  const holds = await room.store.holds.ofTask(task.taskId);
  return holds.some((hold) => maySee(hold, principal, hold.owner));
}

export async function planReading(room: Room, ask: RunAsk, named: TaskRow | null): Promise<RunPlan> {
  const { agent, principal, input } = ask;
  if (named === null) {
    const thread = await room.store.threads.get(agent, input.threadId);
    if (thread !== null) refuseStranger(principal, thread.owner);
  } else if (!(await mayRead(room, named, principal))) {
    throw new HoldpointError('forbidden', 'this task belongs to somebody else');
  }
  const task = named ?? (await room.store.tasks.newest(agent, input.threadId));
  const restate: RestateAsk = {
    reader: readerOf(ask),
    clientState: input.state,
    clientMessages: input.messages,
    thread: { agent, threadId: task?.threadId ?? input.threadId },
    task,
    historyLength: input.options.historyLength,
    replayed: [],
  };
  return { as: 'restated', events: (signal) => restateStream(room, restate, signal) };
}
