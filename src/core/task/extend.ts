// Moving the deadline of an open question: later only, by whom its policy allows.
import type { AmendCommand } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { DeadlineExtension } from '../../contract/configuration/policy.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import { whyNotAct } from '../acts/may.ts';
import { refuse } from '../base/errors.ts';
import { nextStepOf } from '../policy/ladder.ts';

/** A deadline further away is most likely a mistake. */
const maxAheadMs = 366 * 86_400_000;
const maxNoteChars = 2000;
const maxExtensions = 100;

type Extend = Extract<AmendCommand, { kind: 'extend' }>;

function whyNot(hold: Hold, { principal }: Extend, owner: string): Refusal | null {
  const refusal = whyNotAct('extend', hold, principal, owner);
  if (refusal !== null || hold.plan.expiresAt !== null) return refusal;
  return refuse('payload_invalid', 'the question has no deadline');
}

/** The hold with its later deadline, or why it keeps its own; the same deadline again changes nothing. */
export function extended(hold: Hold, command: Extend, owner: string, now: string): Hold | Refusal {
  const refusal = whyNot(hold, command, owner);
  if (refusal !== null) return refusal;
  // By Temporal's own tools the time and the note may be anything.
  const untilMs = typeof command.until === 'string' ? Date.parse(command.until) : NaN;
  const from = hold.plan.expiresAt ?? now;
  const isUsable = untilMs > Date.parse(now) && untilMs <= Date.parse(now) + maxAheadMs;
  if (!isUsable) return refuse('payload_invalid', 'the deadline is not a time within the next 366 days');
  const until = new Date(untilMs).toISOString();
  if (until === from) return hold;
  if (until < from) return refuse('payload_invalid', `the deadline is ${from}: it can be extended, not shortened`);
  const note = typeof command.note === 'string' ? command.note.trim().slice(0, maxNoteChars) : '';
  const { id, credential = null } = command.principal;
  const extension: DeadlineExtension = { at: now, by: id, from, until, note: note === '' ? null : note, credential };
  const extensions = [...(hold.plan.extensions ?? []), extension].slice(-maxExtensions);
  const plan = { ...hold.plan, expiresAt: until, extensions };
  return { ...hold, expiresAt: until, plan, nextStep: nextStepOf(plan, hold.stepsTaken) };
}
