// The update `amend`: withdraws one's own vote or question, undoes one's own decision, reassigns an open question, extends
// its deadline, or plans it again.
import type { HoldId, InterruptId } from '../../contract/base/id-types.ts';
import type { Hold, HoldMove } from '../../contract/holds/hold.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import { takesBack, whyNotAct } from '../acts/may.ts';
import { replyAhead } from './ahead.ts';
import { cancelInHolding } from './task-stop.ts';
import { isSameAudience, whyNotReassigned } from '../policy/audience.ts';
import { refuse } from '../base/errors.ts';
import { announceAmended } from './hold-close.ts';
import { askedNext } from './stage-asked.ts';
import { atStage } from '../consent/stage.ts';
import { withPeople } from '../policy/ladder.ts';
import { tallyOf } from '../consent/agreement.ts';
import { agentsAmong, callsUnderWay, handoverCall, withCalls } from './supervisors.ts';
import { extended } from './extend.ts';
import { reapplied } from './reapply.ts';
import { extensionNotices, moveNotices } from './task-notices.ts';
import type { Outcome, TaskEvent, TaskState } from './task-state.ts';

const maxNoteChars = 2000;

type AmendEvent = Extract<TaskEvent, { type: 'amend' }>;
type Reassign = Extract<AmendEvent['command'], { kind: 'reassign' }>;

const isNamed =
  (id: string) =>
  ({ holdId, interruptId }: { holdId: HoldId; interruptId: InterruptId }): boolean =>
    holdId === id || interruptId === id;

export function onAmendInHolding(state: TaskState, event: AmendEvent, now: string): Outcome {
  const { command } = event;
  const hold = state.holds.find(isNamed(command.hold));
  if (hold === undefined || hold.status !== 'open') return onAmendWithoutHolds(state, event);
  if (command.kind === 'undo') return undo(state, hold, command.principal, now);
  // Decided: neither reassigned nor withdrawn until the decision is undone.
  if (hold.outgoing) return onAmendWithoutHolds(state, event);
  if (command.kind === 'extend') return extend(state, hold, command, now);
  if (command.kind === 'reapply') return reapply(state, hold, command, now);
  if (command.kind === 'withdraw') return withdraw(state, hold, command.principal.id, now);
  return command.kind === 'reassign'
    ? reassign(state, hold, command, now)
    : withdrawVote(state, hold, command.principal.id, now);
}

/**
 * Undoes a decision: the question is open as before, but for the grace of its author, which is used up. A repeat
 * has no effect.
 */
function undo(state: TaskState, hold: Hold, principal: Principal, now: string): Outcome {
  const { outgoing, ...before } = hold;
  if (!outgoing) return { state, effects: [], reply: replyOf(hold) };
  const { by: decidedBy } = outgoing.decision;
  const refusal = whyNotAct('undo', hold, principal, state.owner);
  if (refusal !== null) return { state, effects: [], reply: refusal };
  const { graceUsedBy = [] } = hold.plan;
  const open = { ...before, plan: { ...hold.plan, graceUsedBy: [...new Set([...graceUsedBy, decidedBy])] } };
  const { id: by, credential = null, actor = null } = principal;
  const undone = { holdId: hold.holdId, by, at: now, credential, actor, decidedBy };
  const holds = state.holds.map((one) => (one.holdId === hold.holdId ? open : one));
  const holdIds = [hold.holdId];
  return {
    state: { ...state, holds },
    effects: [{ kind: 'amendHolds', holdIds, run: null, failed: null, undone }],
    reply: replyOf(open),
  };
}

function reassign(state: TaskState, hold: Hold, command: Reassign, now: string): Outcome {
  const { principal } = command;
  const refusal = whyNotMoved(state, hold, command);
  if (refusal !== null) return { state, effects: [], reply: refusal };
  const isBack = takesBack(hold, principal, command.to);
  const audience = withPeople([...new Set(command.to)]);
  const call = handoverCall(state.amended + 1);
  // By Temporal's own tools the note may be anything.
  const note =
    typeof command.note === 'string' && command.note.trim() !== '' ? command.note.slice(0, maxNoteChars) : null;
  const given = { at: now, by: principal.id, from: hold.audience, to: audience };
  const move = { ...given, ...(isBack && { isBack }), note, credential: principal.credential ?? null };
  // The same request again moves nothing.
  const passedOn = isBack ? null : isSameAudience(audience, hold.audience) ? (hold.passedOn ?? null) : given;
  const own = Array.isArray(command.notify) ? command.notify.filter((channel) => typeof channel === 'string') : null;
  const plan = { ...hold.plan, notify: [...new Set([...hold.plan.notify, ...(own ?? [])])] };
  const moved = withCalls({ ...hold, audience, plan, passedOn }, agentsAmong(audience, state.agent), call, now);
  // Without channels there is no notice, nor is there one to those who were asked already.
  const added = own === null ? [] : audience.filter((entry) => !hold.audience.includes(entry));
  return amend(state, moved, { call, move, added });
}

/** By Temporal's own tools the entries may be anything. */
function whyNotMoved({ owner }: TaskState, hold: Hold, command: Reassign): Refusal | null {
  const { principal, to } = command;
  // A value that no row can hold would keep the task from writing its rows for ever.
  const isName = (entry: unknown): boolean => typeof entry === 'string' && !/[\p{Cc}\p{Cs}]/u.test(entry);
  const areNames = to.length > 0 && to.every(isName);
  if (areNames && takesBack(hold, principal, to)) return null;
  // A move is taken back by naming those who were asked before, and no one else.
  const refusal = whyNotAct('reassign', { ...hold, passedOn: null }, principal, owner);
  if (refusal !== null) return refusal;
  if (!areNames) return refuse('payload_invalid', 'no one is named, or not by a name');
  const within = typeof command.within === 'object' && command.within !== null ? command.within : {};
  const outside = whyNotReassigned(hold.plan, to, within);
  return outside === null ? null : refuse('forbidden', outside);
}

function extend(
  state: TaskState,
  hold: Hold,
  command: Extract<AmendEvent['command'], { kind: 'extend' }>,
  now: string,
): Outcome {
  const later = extended(hold, command, state.owner, now);
  if ('ok' in later) return { state, effects: [], reply: later };
  // The same request again.
  if (later === hold) return { state, effects: [], reply: replyOf(hold) };
  const outcome = amend(state, later);
  const { by = '', note = null } = later.plan.extensions?.at(-1) ?? {};
  const notices = extensionNotices(later, outcome.state.amended, { by, to: [], note });
  return { ...outcome, effects: [...outcome.effects, ...notices] };
}

function reapply(
  state: TaskState,
  hold: Hold,
  command: Extract<AmendEvent['command'], { kind: 'reapply' }>,
  now: string,
): Outcome {
  const next = reapplied(hold, command, state.owner, now);
  if ('ok' in next) return { state, effects: [], reply: next };
  // It is under that plan already.
  if (next === hold) return { state, effects: [], reply: replyOf(hold) };
  const added = next.audience.filter((entry) => !hold.audience.includes(entry));
  const call = handoverCall(state.amended + 1);
  const called = withCalls(next, agentsAmong(added, state.agent), call, now);
  const outcome = amend(state, called);
  const notices = moveNotices(called, outcome.state.amended, { by: command.principal.id, to: added, note: null });
  const asks = callsUnderWay(called).filter((one) => one.kind === 'askSupervisor' && one.stepIndex === call);
  return { ...outcome, effects: [...outcome.effects, ...notices, ...asks] };
}

/** As a cancel, which would also stop what people approved. */
function withdraw(state: TaskState, hold: Hold, by: string, now: string): Outcome {
  if (by !== state.owner)
    return { state, effects: [], reply: refuse('forbidden', 'only the one who asks withdraws a question') };
  const outcome = cancelInHolding(state, { by, reason: `cancelled by ${by}` }, now);
  return { ...outcome, reply: replyOf(hold) };
}

function withdrawVote(state: TaskState, hold: Hold, by: string, now: string): Outcome {
  const votes = hold.votes.filter((vote) => vote.by !== by);
  // There is no vote to withdraw.
  if (votes.length === hold.votes.length) return { state, effects: [], reply: replyOf(hold) };
  const open = atStage({ ...hold, votes }, now);
  const outcome = amend(state, open);
  const { state: next, effects } = askedNext([hold], outcome.state, now);
  return { ...outcome, state: next, effects: [...outcome.effects, ...effects] };
}

interface Moving {
  /** Number of the call of the supervisor agents that it asks. */
  call: number;
  move: HoldMove;
  /** Who is to be notified of it. */
  added: string[];
}

/** `how`: what reassigned it. */
function amend(state: TaskState, changed: Hold, how: Moving | null = null): Outcome {
  const holds = state.holds.map((hold) => (hold.holdId === changed.holdId ? changed : hold));
  const { state: next, effect } = announceAmended({ ...state, holds }, [changed.holdId]);
  if (how === null) return { state: next, effects: [effect], reply: replyOf(changed) };
  const noticed = { ...effect, moved: { holdId: changed.holdId, ...how.move } };
  const asks = callsUnderWay(changed).filter((one) => one.kind === 'askSupervisor' && one.stepIndex === how.call);
  const { by, note } = how.move;
  const notices = moveNotices(changed, next.amended, { by, to: how.added, note });
  return { state: next, effects: [noticed, ...notices, ...asks], reply: replyOf(changed) };
}

const replyOf = (hold: Hold): Outcome['reply'] => ({
  ok: true,
  amend: { holdId: hold.holdId, audience: hold.audience, votes: tallyOf(hold) },
});

export function onAmendWithoutHolds(state: TaskState, { command }: AmendEvent): Outcome {
  const hold = [...state.holds, ...state.past].find(isNamed(command.hold));
  if (hold === undefined) {
    const unknown = refuse('interrupt_unknown', `there is no question ${command.hold} on this task`);
    return { state, effects: [], reply: replyAhead(state, [command.hold]) ?? unknown };
  }
  const supersededBy = hold.supersededBy ?? null;
  const data = supersededBy === null ? undefined : { supersededBy };
  return { state, effects: [], reply: refuse('hold_closed', `${hold.interruptId} is closed`, data) };
}
