// The door `amend`: taking back one's own vote or decision, and moving a question to others, while it is open.
import type { Hold, HoldMove } from '../../contract/hold.ts';
import { replyAhead } from './ahead.ts';
import { isOperator, mayDecide } from '../policy/audience.ts';
import { refuse } from '../base/errors.ts';
import { whyNotReassigned } from '../policy/reassign.ts';
import { announceAmended } from './hold-close.ts';
import { withPeople } from '../policy/ladder.ts';
import { tallyOf } from '../answers/quorum.ts';
import { agentsAmong, callsUnderWay, handoverCall, withCalls } from './supervisors.ts';
import { moveNotices } from './task-notices.ts';
import type { Outcome, TaskEvent, TaskState } from './task-state.ts';

const maxNoteChars = 2000;

type AmendFact = Extract<TaskEvent, { type: 'amend' }>;

const isNamed =
  (id: string) =>
  ({ holdId, interruptId }: { holdId: string; interruptId: string }): boolean =>
    holdId === id || interruptId === id;

export function onAmendInHolding(state: TaskState, event: AmendFact, now: string): Outcome {
  const { command } = event;
  const hold = state.holds.find(isNamed(command.hold));
  if (hold === undefined || hold.status !== 'open') return onAmendWithoutHolds(state, event);
  if (command.kind === 'undo') return undo(state, hold, command.principal.id);
  // Decided: nobody else is asked, and no vote falls, unless that is taken back.
  if (hold.outgoing) return onAmendWithoutHolds(state, event);
  return command.kind === 'reassign'
    ? reassign(state, hold, command, now)
    : withdrawVote(state, hold, command.principal.id);
}

/** Whoever decided takes it back: the question is open as before. Asked for twice it is done already. */
function undo(state: TaskState, hold: Hold, by: string): Outcome {
  const { outgoing, ...open } = hold;
  if (!outgoing) return { state, effects: [], reply: replyOf(hold) };
  if (outgoing.decision.by !== by) {
    const why = `${outgoing.decision.by} decided ${hold.interruptId}, and alone can take it back`;
    return { state, effects: [], reply: refuse('not_allowed_to_decide', why) };
  }
  const holds = state.holds.map((one) => (one.holdId === hold.holdId ? open : one));
  const holdIds = [hold.holdId];
  return {
    state: { ...state, holds },
    effects: [{ kind: 'amendHolds', holdIds, run: null, failed: null }],
    reply: replyOf(open),
  };
}

function reassign(
  state: TaskState,
  hold: Hold,
  command: Extract<AmendFact['command'], { kind: 'reassign' }>,
  now: string,
): Outcome {
  const { principal } = command;
  const isAllowed = isOperator(principal) || mayDecide(hold, principal, state.owner);
  // What no row can hold would keep the task from ever writing its rows again.
  // By Temporal's own tools the entries may be anything.
  const isName = (entry: unknown): boolean => typeof entry === 'string' && !/[\p{Cc}\p{Cs}]/u.test(entry);
  const isBad = command.to.length === 0 || !command.to.every(isName);
  if (!isAllowed || isBad) {
    const why = isAllowed ? 'nobody is named, or not by a name' : `${principal.id} may not move ${hold.interruptId}`;
    return { state, effects: [], reply: refuse(isAllowed ? 'payload_invalid' : 'not_allowed_to_decide', why) };
  }
  const within = typeof command.within === 'object' && command.within !== null ? command.within : {};
  const outside = whyNotReassigned(hold.plan, command.to, within);
  if (outside !== null) return { state, effects: [], reply: refuse('forbidden', outside) };
  const audience = withPeople([...new Set(command.to)]);
  const call = handoverCall(state.amended + 1);
  // By Temporal's own tools the note may be anything.
  const note =
    typeof command.note === 'string' && command.note.trim() !== '' ? command.note.slice(0, maxNoteChars) : null;
  const move = { at: now, by: principal.id, to: audience, note };
  const own = Array.isArray(command.notify) ? command.notify.filter((channel) => typeof channel === 'string') : null;
  const plan = { ...hold.plan, notify: [...new Set([...hold.plan.notify, ...(own ?? [])])] };
  const moved = withCalls({ ...hold, audience, plan }, agentsAmong(audience, state.agent), call, now);
  // Nobody is told where no channels were named; nor is who was asked already.
  const added = own === null ? [] : audience.filter((entry) => !hold.audience.includes(entry));
  return amend(state, moved, { call, move, added });
}

function withdrawVote(state: TaskState, hold: Hold, by: string): Outcome {
  const votes = hold.votes.filter((vote) => vote.by !== by);
  // None stands: as it was asked for.
  if (votes.length === hold.votes.length) return { state, effects: [], reply: replyOf(hold) };
  return amend(state, { ...hold, votes });
}

interface Moving {
  /** Of the agents that are asked by it. */
  call: number;
  move: HoldMove;
  /** Who is to be told of it. */
  added: string[];
}

/** `how`: what moved it to others. */
function amend(state: TaskState, changed: Hold, how: Moving | null = null): Outcome {
  const holds = state.holds.map((hold) => (hold.holdId === changed.holdId ? changed : hold));
  const { state: next, effect } = announceAmended({ ...state, holds }, [changed.holdId]);
  if (how === null) return { state: next, effects: [effect], reply: replyOf(changed) };
  const told = { ...effect, moved: { holdId: changed.holdId, ...how.move } };
  const asks = callsUnderWay(changed).filter((one) => one.kind === 'askSupervisor' && one.stepIndex === how.call);
  const { by, note } = how.move;
  const notices = moveNotices(changed, next.amended, { by, to: how.added, note });
  return { state: next, effects: [told, ...notices, ...asks], reply: replyOf(changed) };
}

const replyOf = (hold: Hold): Outcome['reply'] => ({
  ok: true,
  amend: { holdId: hold.holdId, audience: hold.audience, votes: tallyOf(hold) },
});

export function onAmendWithoutHolds(state: TaskState, { command }: AmendFact): Outcome {
  const hold = [...state.holds, ...state.past].find(isNamed(command.hold));
  if (hold === undefined) {
    const unknown = refuse('interrupt_unknown', `there is no question ${command.hold} on this task`);
    return { state, effects: [], reply: replyAhead(state, [command.hold]) ?? unknown };
  }
  const supersededBy = hold.supersededBy ?? null;
  const data = supersededBy === null ? undefined : { supersededBy };
  return { state, effects: [], reply: refuse('hold_closed', `${hold.interruptId} is closed`, data) };
}
