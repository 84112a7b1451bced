import { isAcceptableA2aId } from '../../contract/ids.ts';
import type { TaskRef } from '../../contract/task.ts';
import type { TurnEvent, TurnOutcome } from '../../contract/turn.ts';
import type { ActivityDeps } from '../deps.ts';
import { showsMessage } from './turn-view.ts';
import type { TurnView } from './turn-view.ts';
import type { TaskRow } from '../../store/store.ts';

const nameOf = ({ a2aTaskId, contextId }: Pick<TurnView, 'a2aTaskId' | 'contextId'>): string =>
  `${a2aTaskId ?? ''} ${contextId ?? ''}`;

export interface Binder {
  /** Writes the ids when they are new; an outcome when the A2A task belongs to another task of ours. */
  bind(view: TurnView): Promise<TurnOutcome | null>;
  /** Notes once whether this agent shows the messages it got. */
  learn(event: TurnEvent): Promise<void>;
}

/** Agents of which this process has noted that they show messages; that is never taken back. */
const showing = new WeakMap<ActivityDeps['config'], Set<string>>();

/** One A2A task belongs to one Holdpoint task; its ids are written as soon as the agent says them. */
export function bindTask(deps: ActivityDeps, task: TaskRef, messageId: string, row: TaskRow | null): Binder {
  // What stands there already is not written again.
  let bound = nameOf(row ?? { a2aTaskId: null, contextId: null });
  let hasLearned = false;
  return {
    async bind(view) {
      const { a2aTaskId, contextId } = view;
      const name = nameOf(view);
      if (name === bound) return null;
      const isRefused = [a2aTaskId, contextId].some((id) => id !== null && !isAcceptableA2aId(id));
      if (isRefused) {
        return {
          kind: 'failed',
          code: 'agent_failed',
          message: 'the agent named its task in a way we cannot keep',
          a2aTaskId: null,
          contextId: null,
        };
      }
      const result = await deps.store.tasks.bind(task, { a2aTaskId, contextId });
      if (result === 'other-task') {
        const message = `the agent answered with task ${a2aTaskId ?? ''}, which belongs to another task here`;
        return { kind: 'failed', code: 'agent_failed', message, a2aTaskId: null, contextId };
      }
      bound = name;
      return null;
    },
    async learn(event) {
      if (hasLearned || !showsMessage(event, messageId)) return;
      hasLearned = true;
      const known = showing.get(deps.config) ?? new Set();
      showing.set(deps.config, known);
      if (known.has(task.agent)) return;
      known.add(task.agent);
      await deps.store.agents.markShowsMessageIds(task.agent);
    },
  };
}
