// The update `decide` and the signal `formResponse`: one person, one hold.
import type { HoldId, InterruptId } from '../../contract/base/id-types.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import { replyAhead } from './ahead.ts';
import { type Judged, decisionOf, judgeAnswer } from '../answers/decision.ts';
import { refuse } from '../base/errors.ts';
import { judgeEdits, notDecided, openEdited } from './edited-call.ts';
import { applyAnswers } from './hold-close.ts';
import { ownRunIdOf } from '../base/ids.ts';
import { tallyOf } from '../consent/agreement.ts';
import type { Outcome, TaskEvent, TaskState } from './task-state.ts';
import { verdictOf } from '../consent/verdict.ts';

type DecideEvent = Extract<TaskEvent, { type: 'decide' }>;

interface Found extends Judged {
  holdId: HoldId;
}

function find(state: TaskState, id: string): Found | undefined {
  const isNamed = (hold: { holdId: HoldId; interruptId: InterruptId }): boolean =>
    hold.holdId === id || hold.interruptId === id;
  const current = state.holds.find(isNamed);
  if (current) return current;
  const past = state.past.find(isNamed);
  return past && { ...past, plan: { exclude: past.exclude } };
}

/** Judges only; the caller applies a `fresh` answer. */
function judge(
  state: TaskState,
  { command }: DecideEvent,
  now: string,
): { hold: Found | null; reply: Outcome['reply'] | 'fresh' } {
  const hold = find(state, command.entry.hold);
  if (hold === undefined) {
    const ahead = replyAhead(state, [command.entry.hold]);
    return {
      hold: null,
      reply: ahead ?? refuse('interrupt_unknown', `there is no question ${command.entry.hold} on this task`),
    };
  }
  const judged = judgeAnswer(hold, command.entry, command, state.owner, now);
  if (!judged.ok) return { hold, reply: judged };
  if (judged.kind === 'fresh') return { hold, reply: 'fresh' };
  return { hold, reply: repeatOf(state, hold, command.entry) };
}

/** This same answer was accepted before, as the decision or as a valid vote. */
function repeatOf(state: TaskState, hold: Found, entry: DecideEvent['command']['entry']): Outcome['reply'] {
  const { holdId } = hold;
  const current = state.holds.find((one) => one.holdId === holdId);
  // The hold's row keeps the number of votes; a decision had all it needed.
  const votes =
    current === undefined ? { have: hold.votes?.length ?? 0, need: hold.votes?.length ?? 0 } : tallyOf(current);
  // The state does not keep values of earlier pauses; they are compared by their fingerprint.
  const given = hold.outgoing?.decision ?? hold.decision;
  const decision = given && {
    ...given,
    values: given.status === 'resolved' ? (current?.decision?.values ?? entry.values) : {},
  };
  const outgoing = hold.outgoing ? { sendAt: hold.outgoing.at } : {};
  return { ok: true, decide: { holdId, decision, votes, isRepeat: true, taskStatus: state.status, ...outgoing } };
}

/** In phases where no hold is open a decision can only repeat, or come too late. */
export function onDecideWithoutHolds(state: TaskState, event: DecideEvent, now: string): Outcome {
  const { reply } = judge(state, event, now);
  return { state, effects: [], reply: reply === 'fresh' ? refuse('hold_closed', 'the task is ending') : reply };
}

export function onDecideInHolding(state: TaskState, event: DecideEvent, now: string): Outcome {
  const { hold, reply } = judge(state, event, now);
  if (reply !== 'fresh' || hold === null)
    return { state, effects: [], reply: reply === 'fresh' ? { ok: true } : reply };
  // The agent may ask something else now: the answer waits for its reply.
  if (state.asking !== null) return { state, effects: [], reply: { ok: 'later' } };
  const { entry, principal, source = 'rest' } = event.command;
  const { holdId } = hold;
  const given = judgeEdits(state, [{ holdId, entry, by: principal, source }]);
  if (given.kind === 'refused') return { state, effects: [], reply: given.refusal };
  if (given.kind === 'edited') {
    const runId = ownRunIdOf(state.taskId, `edited-${state.n}`);
    const again = openEdited(state, given.edits, now, { runId, opener: 'standfast', skipped: [] });
    return { ...again, reply: { ...notDecided(given.edits[0]), hasEffect: true } };
  }
  const { state: next, effects } = applyAnswers(state, given.answers, now, {
    runId: ownRunIdOf(state.taskId, `turn-${state.turn + 1}`),
    opener: 'standfast',
    skipped: [],
  });
  return { state: next, effects, reply: takenOf(state, next, holdId, event, now) };
}

/** The outcome of the answer: a decision, or a vote that waits for others. */
function takenOf(
  before: TaskState,
  next: TaskState,
  holdId: HoldId,
  { command }: DecideEvent,
  now: string,
): Outcome['reply'] {
  const was = before.holds.find((one) => one.holdId === holdId) as Hold;
  const staged = next.holds.find((one) => one.holdId === holdId && one.status === 'open');
  const taskStatus = next.status;
  if (staged?.outgoing) {
    const { decision, at: sendAt } = staged.outgoing;
    return {
      ok: true,
      decide: { holdId, decision, votes: tallyOf(staged), isRepeat: false, taskStatus, sendAt },
    };
  }
  if (staged !== undefined)
    return { ok: true, decide: { holdId, decision: null, votes: tallyOf(staged), isRepeat: false, taskStatus } };
  const { entry, principal } = command;
  const decision = decisionOf(entry, principal, now, {
    source: command.source ?? 'rest',
    digest: was.digest,
    asked: { hold: was, owner: before.owner },
  });
  const need = was.plan.quorum;
  const votes = verdictOf(was.question, entry) === 'no' ? tallyOf(was) : { have: need, need };
  return { ok: true, decide: { holdId, decision, votes, isRepeat: false, taskStatus } };
}
