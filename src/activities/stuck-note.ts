// Shows that a task does not go on, and why: an answer that waits for an agent that is away shows nothing otherwise.
import type { TaskId } from '../contract/base/id-types.ts';
import type { StuckCause } from '../contract/tasks/task.ts';
import type { Tables } from '../store/store.ts';
import type { ActivityDeps } from './deps.ts';

export interface StuckNote {
  set(cause: StuckCause, why: string): Promise<void>;
  clear(): Promise<void>;
}

type Deps = Pick<ActivityDeps, 'log' | 'now'> & { store: { tasks: Pick<Tables['tasks'], 'stuck'> } };

/** Best effort: a note that cannot be written must not fail what it is about. `mayBeSet`: an earlier attempt may have. */
export function createStuckNote({ store, log, now }: Deps, taskId: TaskId, mayBeSet: boolean): StuckNote {
  let isSet = mayBeSet;
  const write = async (stuck: Parameters<typeof store.tasks.stuck>[1]): Promise<void> => {
    try {
      await store.tasks.stuck(taskId, stuck);
    } catch (error) {
      log.debug({ taskId, err: error }, 'it was not noted whether the task goes on');
    }
  };
  return {
    async set(cause, why) {
      isSet = true;
      await write({ cause, why, since: now().toISOString() });
    },
    async clear() {
      if (!isSet) return;
      isSet = false;
      await write(null);
    },
  };
}
