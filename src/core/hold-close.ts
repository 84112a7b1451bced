// What decisions do to a pause: stage them, go on when none is open, or end the task where a refusal cannot be carried.
import type { AnswerEntry, Decision } from '../contract/decision.ts';
import type { ClosedHold, Hold } from '../contract/hold.ts';
import type { TurnAnswer } from '../contract/turn.ts';
import { decisionOf } from './decision.ts';
import type { PastHold, TaskEffect, TaskState } from './task-state.ts';
import { openHoldsOf, pastKept } from './task-state.ts';
import { startStopping } from './task-stop.ts';
import { ownRunIdOf } from './ids.ts';

export interface Carrier {
  runId: string;
  opener: 'client' | 'holdpoint';
  skipped: { interruptId: string; code: string }[];
}

interface Taken {
  holdId: string;
  entry: AnswerEntry;
  by: string;
}

type Step = { state: TaskState; effects: TaskEffect[] };

/** Takes judged answers; all of them, at one moment. */
export function applyDecisions(state: TaskState, taken: Taken[], now: string, carrier: Carrier): Step {
  const holds = state.holds.map((hold): Hold => {
    const one = taken.find(({ holdId }) => holdId === hold.holdId);
    if (one === undefined) return hold;
    return closeHold(
      hold,
      one.entry.status === 'resolved' ? 'decided' : 'cancelled',
      decisionOf(one.entry, one.by, now),
      one.entry.print,
    );
  });
  return goOn(
    { ...state, holds },
    now,
    carrier,
    taken.map(({ holdId }) => holdId),
  );
}

export function closeHold(
  hold: Hold,
  status: Exclude<Hold['status'], 'open'>,
  decision: Decision | null,
  print: string | null,
): Hold {
  return { ...hold, status, decision, answerPrint: print, nextStep: null };
}

/** After holds were closed by decisions or by the clock: the next turn, a stop, or wait for the rest. */
export function goOn(state: TaskState, now: string, carrier: Carrier, changed: string[]): Step {
  const refused = state.holds.find((hold) => hold.status === 'cancelled' && !hold.canRefuse);
  if (refused !== undefined) {
    const by = refused.decision?.by ?? 'unknown';
    const reason = refused.decision?.reason ?? `the question "${refused.question.title}" was declined`;
    return startStopping(
      { ...state, runId: carrier.runId, opener: carrier.opener, skipped: carrier.skipped },
      { by, reason },
    );
  }
  if (openHoldsOf(state).length > 0) return { state, effects: [{ do: 'recordDecisions', holdIds: changed }] };
  const operator = state.holds.find((hold) => hold.question.kind === 'operator');
  if (operator !== undefined) return settleDoubt(state, operator);
  return nextTurn(state, carrier);
}

function nextTurn(state: TaskState, carrier: Carrier): Step {
  const answers = closedHoldsOf(state.holds).map((closed, index): TurnAnswer => ({
    interruptId: state.holds[index]?.interruptId ?? closed.holdId,
    closed,
  }));
  const next: TaskState = {
    ...state,
    phase: 'turn',
    status: 'USER_INPUT_RECEIVED',
    turn: state.turn + 1,
    runId: carrier.runId,
    opener: carrier.opener,
    skipped: carrier.skipped,
    isResendAllowed: false,
    send: { what: 'answers', answers },
    holds: [],
    past: remember(state.past, state.holds),
  };
  return { state: next, effects: [{ do: 'turn' }] };
}

/** An operator's word on a message in doubt: the same turn again, or the end. */
function settleDoubt(state: TaskState, hold: Hold): Step {
  const past = remember(state.past, state.holds);
  if (hold.decision?.values['choice'] !== 'send_again') {
    const next: TaskState = {
      ...state,
      phase: 'leaving',
      status: 'FAILED',
      end: { how: 'failed', code: 'send_in_doubt', message: `given up by ${hold.decision?.by ?? 'an operator'}` },
      runId: ownRunIdOf(state.taskId, `turn-${state.turn}-given-up`),
      opener: 'holdpoint',
      skipped: [],
    };
    return { state: next, effects: [{ do: 'close' }, { do: 'stopAgent' }] };
  }
  const next: TaskState = {
    ...state,
    phase: 'turn',
    status: 'USER_INPUT_RECEIVED',
    runId: ownRunIdOf(state.taskId, `turn-${state.turn}-again-${state.n}`),
    opener: 'holdpoint',
    skipped: [],
    isResendAllowed: true,
    holds: [],
    past,
  };
  return { state: next, effects: [{ do: 'turn' }] };
}

/** What rows and agents need of closed holds. */
export function closedHoldsOf(holds: Hold[]): ClosedHold[] {
  return holds.flatMap(({ holdId, status, decision, answerPrint }): ClosedHold[] =>
    status === 'open' ? [] : [{ holdId, status, decision, answerPrint }],
  );
}

export function remember(past: PastHold[], holds: Hold[]): PastHold[] {
  const closed = holds.flatMap((hold): PastHold[] =>
    hold.status === 'open'
      ? []
      : [
          {
            holdId: hold.holdId,
            interruptId: hold.interruptId,
            status: hold.status,
            answerPrint: hold.answerPrint,
            // Values are in the database; here the print is enough to recognise the same answer.
            decision: hold.decision && { ...hold.decision, values: {} },
            audience: hold.audience,
            exclude: hold.plan.exclude,
            isOperator: hold.question.kind === 'operator',
          },
        ],
  );
  return [...past, ...closed].slice(-pastKept);
}
