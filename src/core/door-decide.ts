// The doors `decide` and `formResponse`: one person, one hold.
import type { Judged } from './decision.ts';
import { decisionOf, judgeAnswer } from './decision.ts';
import { refuse } from './errors.ts';
import { applyDecisions } from './hold-close.ts';
import { ownRunIdOf } from './ids.ts';
import type { Outcome, TaskFact, TaskState } from './task-state.ts';

type DecideFact = Extract<TaskFact, { type: 'decide' }>;

interface Found extends Judged {
  holdId: string;
}

function find(state: TaskState, id: string): Found | undefined {
  const isNamed = (hold: { holdId: string; interruptId: string }): boolean =>
    hold.holdId === id || hold.interruptId === id;
  const present = state.holds.find(isNamed);
  if (present) return present;
  const past = state.past.find(isNamed);
  return past && { ...past, plan: { exclude: past.exclude } };
}

/** Judges only; `fresh` is left to the caller. */
function judge(
  state: TaskState,
  { door }: DecideFact,
  now: string,
): { hold: Found | null; reply: Outcome['reply'] | 'fresh' } {
  const hold = find(state, door.entry.hold);
  if (hold === undefined)
    return { hold: null, reply: refuse('interrupt_unknown', `there is no question ${door.entry.hold} on this task`) };
  const judged = judgeAnswer(hold, door.entry, door, state.owner, now);
  if (!judged.ok) return { hold, reply: judged };
  if (judged.as === 'fresh') return { hold, reply: 'fresh' };
  if (hold.decision === null) return { hold, reply: refuse('hold_closed', `${hold.interruptId} is closed`) };
  // Values of earlier pauses are forgotten here; the same print means these.
  const decision = { ...hold.decision, values: hold.decision.status === 'resolved' ? door.entry.values : {} };
  return {
    hold,
    reply: { ok: true, decide: { holdId: hold.holdId, decision, isRepeat: true, taskStatus: state.status } },
  };
}

/** In phases where no hold is open a decision can only repeat, or come too late. */
export function onDecideWithoutHolds(state: TaskState, fact: DecideFact, now: string): Outcome {
  const { reply } = judge(state, fact, now);
  return { state, effects: [], reply: reply === 'fresh' ? refuse('hold_closed', 'the task is ending') : reply };
}

export function onDecideInHolding(state: TaskState, fact: DecideFact, now: string): Outcome {
  const { hold, reply } = judge(state, fact, now);
  if (reply !== 'fresh' || hold === null)
    return { state, effects: [], reply: reply === 'fresh' ? { ok: true } : reply };
  const { entry, principal } = fact.door;
  const { state: next, effects } = applyDecisions(state, [{ holdId: hold.holdId, entry, by: principal.id }], now, {
    runId: ownRunIdOf(state.taskId, `turn-${state.turn + 1}`),
    opener: 'holdpoint',
    skipped: [],
  });
  const decision = decisionOf(entry, principal.id, now);
  return {
    state: next,
    effects,
    reply: { ok: true, decide: { holdId: hold.holdId, decision, isRepeat: false, taskStatus: next.status } },
  };
}
