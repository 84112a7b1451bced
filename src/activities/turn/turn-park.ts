// The agent works silently: the turn ends, its run stays open, and watchers poll the task until it has moved.
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import type { SeenTask } from '../../core/turn/view.ts';
import { FencedError } from '../../store/store.ts';
import type { ActivityDeps } from '../deps.ts';
import { versionAtPark } from '../watch/watch-probe.ts';

type Deps = Pick<ActivityDeps, 'store' | 'log' | 'timing'>;

export async function parkTurn(
  deps: Deps,
  input: TurnInput,
  fence: number,
  seen: SeenTask,
  lastEventAt: Date,
): Promise<TurnOutcome> {
  const { task, runId, opener, resumes } = input;
  const { taskId, agent, threadId, workflowId, firstExecutionRunId } = task;
  await deps.store.tx(async (tables) => {
    // Claimed again under the same fence, which locks the run: a later attempt finds this watch and removes it, or we end here.
    const claimed = await tables.runs.claim({ agent, threadId, runId }, { taskId, fence, opener, fingerprint: '' });
    if (claimed.result !== 'claimed') throw new FencedError(`a later writer has run ${runId}`);
    const names = { taskId, agent, workflowId, firstExecutionRunId, a2aTaskId: seen.a2aTaskId };
    await tables.tasks.watch(
      { ...names, kind: 'turn', watchVersion: resumes, seen: versionAtPark(seen) },
      deps.timing.watch.turn.firstMs,
    );
  });
  const contextId = seen.contextId === '' ? input.contextId : seen.contextId;
  deps.log.debug({ taskId, agent, lastEventAt }, 'parked the turn of a silent agent');
  return { kind: 'waiting', a2aTaskId: seen.a2aTaskId, contextId, lastEventAt: lastEventAt.toISOString() };
}
