// The agent works silently: the turn ends, its run stays open, and watchers poll the task until it has moved.
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { FencedError } from '../../store/store.ts';
import type { TaskSnapshot } from '../a2a/a2a-find.ts';
import type { ActivityDeps } from '../deps.ts';
import { taskFingerprint } from '../watch/watch-probe.ts';
import type { TurnTiming } from '../timing.ts';

type Deps = Pick<ActivityDeps, 'store' | 'log' | 'timing'>;

export async function parkTurn(
  deps: Deps,
  input: TurnInput,
  fence: number,
  seen: TaskSnapshot,
  lastEventAt: Date,
): Promise<TurnOutcome> {
  const { task, runId, opener, resumes: wake } = input;
  const { taskId, agent, threadId, workflowId, firstExecutionRunId } = task;
  await deps.store.tx(async (tables) => {
    // Claimed anew under the same fence, which locks the run: a later attempt finds this watch and removes it, or we end here.
    const claimed = await tables.runs.claim({ agent, threadId, runId }, { taskId, fence, opener, fingerprint: '' });
    if (claimed.result !== 'claimed') throw new FencedError(`a later writer has run ${runId}`);
    const names = { taskId, agent, workflowId, firstExecutionRunId, a2aTaskId: seen.a2aTaskId };
    await tables.tasks.watch(
      { ...names, kind: 'turn', watchVersion: wake, seen: taskFingerprint(seen) },
      deps.timing.watch.turn.firstMs,
    );
  });
  const contextId = seen.contextId === '' ? input.contextId : seen.contextId;
  deps.log.debug({ taskId, agent, lastEventAt }, 'parked the turn of a silent agent');
  return { kind: 'waiting', a2aTaskId: seen.a2aTaskId, contextId, lastEventAt: lastEventAt.toISOString() };
}

/** How long the agent has sent nothing new. */
export interface Silence {
  /** The agent has sent something new: counting begins again. */
  restart(): void;
  ms(): number;
  /** Long enough to park the turn. */
  isLong(): boolean;
  /** How long to listen before the agent is asked. */
  listenMs(): number;
}

export function createSilence({ silenceMs, parkAfterMs }: Pick<TurnTiming, 'silenceMs' | 'parkAfterMs'>): Silence {
  let sinceMs = performance.now();
  const ms = (): number => performance.now() - sinceMs;
  return {
    restart() {
      sinceMs = performance.now();
    },
    ms,
    isLong: () => ms() >= parkAfterMs,
    listenMs: () => (ms() < parkAfterMs ? Math.min(silenceMs, parkAfterMs - ms()) : silenceMs),
  };
}
