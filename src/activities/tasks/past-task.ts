// What the histories of a task's executions tell of it: the writes to the read model that its activities made, in their
// order, without what came from the agent.
import type { HoldId, RunId } from '../../contract/base/id-types.ts';
import type {
  AmendHoldsInput,
  CloseTaskInput,
  OpenedHold,
  OpenHoldsInput,
  RecordDecisionsInput,
  RecordStepInput,
} from '../../contract/tasks/activity.ts';
import type { ClosedHold, Hold } from '../../contract/holds/hold.ts';
import type { TaskStart } from '../../contract/tasks/run.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { openedHolds } from '../../core/task/hold-open.ts';
import { agentsEnd, statusOf } from '../../core/task/turn-done.ts';
import type { ExecutionHistory } from '../deps.ts';
import { engineEnd } from './reconcile.ts';

type Ids = Pick<CloseTaskInput, 'a2aTaskId' | 'contextId'>;

type PastWrite =
  | { kind: 'opened'; hold: Hold; runId: RunId }
  | { kind: 'closed'; closed: ClosedHold }
  | { kind: 'stepped'; step: RecordStepInput }
  | {
      kind: 'amended';
      holdId: HoldId;
      change: Omit<AmendHoldsInput['holds'][number], 'holdId'>;
      from: AmendHoldsInput;
    };

export interface PastTask extends Ids {
  task: TaskRef;
  start: TaskStart;
  startedAt: string;
  writes: PastWrite[];
  /** Null: it goes on. */
  end: (Pick<CloseTaskInput, 'status' | 'end'> & { turn: number }) | null;
}

const opened = (runId: RunId, holds: Hold[]): PastWrite[] => holds.map((hold) => ({ kind: 'opened', hold, runId }));
const closed = (holds: readonly ClosedHold[]): PastWrite[] => holds.map((one) => ({ kind: 'closed', closed: one }));

function writesOf({ name, input, result }: ExecutionHistory['activities'][number]): PastWrite[] {
  switch (name) {
    case 'runTurn': {
      const { send, runId } = input as TurnInput;
      const outcome = result as TurnOutcome | undefined;
      const answered = send.kind === 'answers' ? closed(send.answers.map((answer) => answer.closed)) : [];
      if (outcome?.kind !== 'paused' || outcome.opened === undefined) return answered;
      return [...answered, ...opened(runId, openedHolds(outcome.opened, outcome.questions))];
    }
    case 'openHolds': {
      const { questions, run, closed: before } = input as OpenHoldsInput;
      const holds = openedHolds((result ?? []) as OpenedHold[], questions);
      return [...closed(before), ...opened(run.runId, holds)];
    }
    case 'recordDecisions':
      return closed((input as RecordDecisionsInput).holds);
    case 'closeTask':
      return closed((input as CloseTaskInput).holds);
    case 'recordStep':
      return [{ kind: 'stepped', step: input as RecordStepInput }];
    case 'amendHolds': {
      const from = input as AmendHoldsInput;
      return from.holds.map(({ holdId, ...change }) => ({ kind: 'amended', holdId, change, from }));
    }
    default:
      return [];
  }
}

/** The ids that an activity knew or learned, where they are not null. */
function idsIn({ input, result }: ExecutionHistory['activities'][number]): Partial<Ids> {
  const known = [input, result].map((one) => (one ?? {}) as Partial<Ids>);
  const last = <K extends keyof Ids>(key: K): Ids[K] => known.findLast((one) => one[key] != null)?.[key] ?? null;
  const [a2aTaskId, contextId] = [last('a2aTaskId'), last('contextId')];
  return { ...(a2aTaskId === null ? {} : { a2aTaskId }), ...(contextId === null ? {} : { contextId }) };
}

/** What an execution that completed returned. */
interface Came {
  result?: string;
  status?: string;
}

/** `histories`: of the executions of its chain, oldest first. Null: it never became a task. */
export function pastTaskOf(workflowId: string, histories: ExecutionHistory[]): PastTask | null {
  const [first, last] = [histories[0], histories.at(-1)];
  if (first === undefined || last === undefined) return null;
  const start = first.start as TaskStart;
  const { closed: end } = last;
  const came = end?.kind === 'completed' ? (end.result as Came) : {};
  const { result } = came;
  if (result === 'already-run' || result === 'refused') return null;
  const { taskId, agent, threadId, owner } = start;
  const activities = histories.flatMap((one) => one.activities);
  const ids: Ids = { a2aTaskId: null, contextId: start.contextId };
  for (const activity of activities) Object.assign(ids, idsIn(activity));
  return {
    ...ids,
    task: { taskId, agent, threadId, workflowId, firstExecutionRunId: first.firstExecutionRunId, owner },
    start,
    startedAt: first.startedAt,
    writes: activities.flatMap(writesOf),
    end: end === null || end.kind === 'continued' ? null : endOf(end.kind, came, activities),
  };
}

/** How an execution ended that learned of its task's end from the row. */
const kindOf: Record<string, 'completed' | 'failed' | 'canceled' | undefined> = {
  DONE: 'completed',
  FAILED: 'failed',
  CANCELED: 'canceled',
};

function endOf(
  kind: Exclude<NonNullable<ExecutionHistory['closed']>['kind'], 'continued'>,
  came: Came,
  activities: ExecutionHistory['activities'],
): NonNullable<PastTask['end']> {
  const turn = Math.max(
    0,
    ...activities.flatMap(({ name, input }) => (name === 'runTurn' ? (input as TurnInput).turn : [])),
  );
  const written = activities.findLast(({ name }) => name === 'closeTask')?.input as CloseTaskInput | undefined;
  if (written !== undefined) return { status: written.status, end: written.end, turn };
  const outcome = activities.findLast(({ name }) => name === 'runTurn')?.result as TurnOutcome | undefined;
  const own = outcome?.kind === 'ended' ? agentsEnd(outcome) : null;
  if (own !== null) {
    const { code, message } = own.kind === 'failed' ? own : { code: null, message: '' };
    return { status: statusOf(own), end: { kind: own.kind, code, message, by: null }, turn };
  }
  const { status, ...end } = engineEnd({ state: 'closed', kind: kindOf[came.status ?? ''] ?? kind });
  return { status, end: { ...end, by: 'operator' }, turn };
}
