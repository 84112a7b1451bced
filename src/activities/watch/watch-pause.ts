import type { OpenHoldsInput } from '../../contract/activity.ts';
import type { Tables } from '../../store/store.ts';
import type { WatchTiming } from '../timing.ts';
import { firstProbeMs, versionAtPause } from './watch-probe.ts';

/** While people are asked, the agent's task is looked at: it may be answered elsewhere, or end by itself. */
export async function watchPause(tables: Tables, timing: WatchTiming, input: OpenHoldsInput): Promise<void> {
  const { task, a2aTaskId, questions } = input;
  // What operators are asked is no pause of the agent's.
  if (a2aTaskId === null || questions.every(({ kind }) => kind === 'operator')) return;
  const { taskId, agent, workflowId, firstExecutionRunId } = task;
  const names = { taskId, agent, workflowId, firstExecutionRunId, a2aTaskId };
  const seen = versionAtPause(input.pauseMessageId);
  await tables.tasks.watch(
    { ...names, kind: 'pause', watchVersion: input.n + 1, seen },
    firstProbeMs(timing, questions),
  );
}
