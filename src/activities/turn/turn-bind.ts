import { isAcceptableA2aId } from '../../contract/base/ids.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import type { TurnEvent, TurnOutcome } from '../../contract/tasks/turn.ts';
import type { ActivityDeps } from '../deps.ts';
import type { TurnView } from '../../core/turn/view.ts';
import type { TaskRow } from '../../store/store.ts';
import type { PolicyReads } from '../dep-parts.ts';

const nameOf = ({ a2aTaskId, contextId }: Pick<TurnView, 'a2aTaskId' | 'contextId'>): string =>
  `${a2aTaskId ?? ''} ${contextId ?? ''}`;

export interface Binder {
  /** Writes the ids when they are new; an outcome when the A2A task belongs to another Standfast task. */
  bind(view: TurnView): Promise<TurnOutcome | null>;
  /** The same of the answer to a message, which is `delivered` by that; false where nothing was written. */
  bindTaken(view: TurnView, intentKey: string): Promise<boolean>;
  /** Notes once whether this agent shows the messages it got. */
  learn(event: TurnEvent): Promise<void>;
}

/** Agents of which this process has noted that they show messages; that is never taken back. */
const showing = new WeakMap<ActivityDeps['config'], Set<string>>();

/** One A2A task belongs to one Standfast task; its ids are written as soon as the agent says them. */
export function bindTask(deps: PolicyReads, task: TaskRef, messageId: string, row: TaskRow | null): Binder {
  // What is stored already is not written again.
  let bound = nameOf(row ?? { a2aTaskId: null, contextId: null });
  let hasLearned = false;
  const isRefused = ({ a2aTaskId, contextId }: TurnView): boolean =>
    [a2aTaskId, contextId].some((id) => id !== null && !isAcceptableA2aId(id));
  return {
    async bindTaken(view, intentKey) {
      const { a2aTaskId, contextId } = view;
      if (nameOf(view) === bound || isRefused(view)) return false;
      // A refusal is reported when the event itself is handled.
      if ((await deps.store.tasks.bind(task, { a2aTaskId, contextId }, intentKey)) === 'other-task') return false;
      bound = nameOf(view);
      return true;
    },
    async bind(view) {
      const { a2aTaskId, contextId } = view;
      const name = nameOf(view);
      if (name === bound) return null;
      if (isRefused(view)) {
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

/** The user messages an event shows, to see whether the agent keeps our message ids. */
function showsMessage(event: TurnEvent, messageId: string): boolean {
  return event.type === 'task' && event.history.some((message) => message.messageId === messageId);
}
