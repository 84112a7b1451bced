// Reports results of tools that have to be asked about and were not: in the log, as a metric, and in the evidence.
import type { CallResult } from '../../contract/tasks/task.ts';
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { type AskedCall, undecidedCalls } from '../../core/answers/undecided-calls.ts';
import { isObject, objectOf } from '../../core/base/json.ts';
import { shownCallOf } from '../../wire/agui/cards/bound-call.ts';
import { isAgentsResult } from '../../wire/agui/cards/tool-part.ts';
import { callsOf } from '../../core/agui/messages.ts';
import type { ActivityDeps } from '../deps.ts';
import type { OpenRun } from '../run-log/run-writer.ts';

type Deps = Pick<ActivityDeps, 'config' | 'store' | 'log' | 'metrics'>;

/** Tools of this agent whose results need a decision. */
export const reportedToolsOf = ({ config }: Pick<Deps, 'config'>, { task }: TurnInput): string[] =>
  config.agents[task.agent]?.mustAsk ?? [];

/** An attempt that dies after it comes here again: the record stays the one, and is logged and counted once more. */
export async function reportUndecided(deps: Deps, input: TurnInput, run: OpenRun, outcome: TurnOutcome): Promise<void> {
  const { store, log, metrics } = deps;
  const { task } = input;
  const { agent, taskId } = task;
  const tools = reportedToolsOf(deps, input);
  // A turn that parks goes on with the same run.
  if (tools.length === 0 || outcome.kind === 'waiting') return;
  const results = await resultsIn(store, run);
  const found = results.length === 0 ? [] : undecidedCalls(tools, results, await askedCalls(store, task));
  if (found.length === 0) return;
  await store.tasks.recordUndecided(task, found);
  for (const { callId, tool } of found) {
    metrics.undecidedResults.inc({ agent });
    log.error({ agent, taskId, tool, callId }, 'a tool that has to be asked about ran without a decision');
  }
}

const askedCalls = async (store: Deps['store'], { taskId }: TurnInput['task']): Promise<AskedCall[]> =>
  (await store.holds.ofTask(taskId)).map((hold) => ({ shownCallId: shownCallOf(hold), decision: hold.decision }));

/** What the agent itself reported in this run; the names of calls may be of an earlier one. */
async function resultsIn(store: Deps['store'], { run, projection }: OpenRun): Promise<CallResult[]> {
  const names = new Map(
    projection.messages
      .flatMap(callsOf)
      .map((call) => [call['id'], isObject(call['function']) ? objectOf(call['function'])['name'] : null]),
  );
  const results: CallResult[] = [];
  for (let afterSeq = 0; ;) {
    const entries = await store.log.read(run.logId, afterSeq, 1000);
    for (const { event } of entries) {
      const callId = isAgentsResult(event) ? event['toolCallId'] : null;
      const tool = names.get(callId ?? null);
      if (typeof callId === 'string' && typeof tool === 'string') results.push({ callId, tool });
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < 1000) return results;
    afterSeq = last.seq;
  }
}
