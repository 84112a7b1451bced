// A task whose message waits for its agent to be back.
import { waitFor } from '../wait-for.ts';
import type { TaskCase } from './task-case.ts';

const holdsNoSlot = async ({ handle }: TaskCase): Promise<boolean> =>
  ((await handle.describe()).raw.pendingActivities ?? []).length === 0;

/** Waits until its workflow knows that the agent is away, and nothing of it is in a slot. */
export const waitsForAgent = (task: TaskCase): Promise<boolean> =>
  waitFor(
    async () => {
      const { away } = (await task.handle.query('task')) as { away: object | null };
      return away !== null && (await holdsNoSlot(task));
    },
    60_000,
    'the message to wait for its agent',
  );
