// The rules of a run with `resume` (docs/spec.md): known ids, every open hold covered, in time; all or nothing.
import type { HoldId, InterruptId } from '../../contract/base/id-types.ts';
import type { AnswerEntry } from '../../contract/holds/decision.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import { type Answerer, type Judged, judgeAnswer } from './decision.ts';
import { refuse } from '../base/errors.ts';

export interface ResumeHold extends Judged {
  holdId: HoldId;
}

export type ResumeJudgement =
  | {
      ok: true;
      kind: 'fresh';
      fresh: { holdId: HoldId; entry: AnswerEntry }[];
      skipped: { interruptId: InterruptId; code: string }[];
    }
  /** All named holds were closed by these same answers: the recorded outcome is returned again. */
  | { ok: true; kind: 'repeat'; holdIds: HoldId[] }
  /** All named holds are closed and every entry cancels: the way out of a client that still shows them. */
  | { ok: true; kind: 'way-out' }
  | Refusal;

/** In the place of an id: the answer names no question, and which one its author was shown is not known. */
export const namesNone = '';

/** Open, and no decision waits to be sent. */
const isUndecided = ({ status, outgoing }: ResumeHold): boolean => status === 'open' && !outgoing;
const answerOf = ({ answerFingerprint, outgoing }: ResumeHold): string | null =>
  outgoing?.fingerprint ?? answerFingerprint;

/** Judges a whole resume against all known holds of the thread; `openIds` are those open now. */
export function judgeResume(
  holds: ResumeHold[],
  openIds: string[],
  entries: AnswerEntry[],
  who: Answerer,
  owner: string,
  now: string,
): ResumeJudgement {
  const named: { hold: ResumeHold; entry: AnswerEntry }[] = [];
  for (const entry of entries) {
    const hold = holds.find((one) => one.interruptId === entry.hold || one.holdId === entry.hold);
    if (hold === undefined) return refuseUnknown(entry, openIds);
    if (named.some((before) => before.hold === hold)) return refuseTwice(hold);
    named.push({ hold, entry });
  }
  const open = named.filter(({ hold }) => isUndecided(hold));
  // An empty resume leaves the open ones out; it does not refer to closed ones.
  const isAllClosed = open.length === 0 && (named.length > 0 || openIds.length === 0);
  if (isAllClosed) return judgeAllClosed(named, who, owner, now);
  const uncovered = openIds.filter((id) => !open.some(({ hold }) => hold.interruptId === id));
  if (uncovered.length > 0) {
    return refuse(
      'interrupts_not_covered',
      `every open question must be answered together; missing: ${uncovered.join(', ')}`,
      {
        missing: uncovered,
      },
    );
  }
  const fresh: { holdId: HoldId; entry: AnswerEntry }[] = [];
  for (const { hold, entry } of open) {
    const judged = judgeAnswer(hold, entry, who, owner, now);
    if (!judged.ok) return judged;
    // A valid vote covers its question and is not counted twice.
    if (judged.kind === 'fresh') fresh.push({ holdId: hold.holdId, entry });
  }
  const skipped = named
    .filter(({ hold, entry }) => !isUndecided(hold) && answerOf(hold) !== entry.fingerprint)
    .map(({ hold }) => ({
      interruptId: hold.interruptId,
      code: hold.status === 'expired' ? 'interrupt_expired' : 'hold_closed',
    }));
  return { ok: true, kind: 'fresh', fresh, skipped };
}

function refuseUnknown({ hold }: AnswerEntry, openIds: string[]): Refusal {
  if (hold !== namesNone) return refuse('interrupt_unknown', `there is no question ${hold} on this thread`);
  const open = openIds.length === 0 ? 'none is open' : `${openIds.length} are open: ${openIds.join(', ')}`;
  return refuse(
    'interrupt_unknown',
    `the answer names no question, and its client does not show which it means; ${open}`,
  );
}

/** Two entries for one question, by either of its ids: Standfast does not choose which one counts. */
function refuseTwice(hold: ResumeHold): Refusal {
  const message = `${hold.interruptId} is answered more than once`;
  return refuse('payload_invalid', message, { errors: [{ path: 'resume', message }] });
}

function judgeAllClosed(
  named: { hold: ResumeHold; entry: AnswerEntry }[],
  who: Answerer,
  owner: string,
  now: string,
): ResumeJudgement {
  const judged = named.map(({ hold, entry }) => judgeAnswer(hold, entry, who, owner, now));
  if (judged.every((one) => one.ok)) return { ok: true, kind: 'repeat', holdIds: named.map(({ hold }) => hold.holdId) };
  if (named.every(({ entry }) => entry.status === 'cancelled')) return { ok: true, kind: 'way-out' };
  return judged.find((one) => !one.ok) as Refusal;
}
