// How a hold closes, and what is kept of it: for its row, for the agent, and for late answers.
import type { Decision, Vote } from '../../contract/holds/decision.ts';
import type { ClosedHold, Hold, HoldEnd } from '../../contract/holds/hold.ts';
import { type PastHold, pastKept } from './task-state.ts';

export function closeHold(
  hold: Hold,
  status: Exclude<Hold['status'], 'open'>,
  end: { decision: Decision | null; fingerprint: string | null; ended: HoldEnd; votes?: Vote[] },
): Hold {
  const { decision, fingerprint, ended, votes = hold.votes } = end;
  const { outgoing: _outgoing, ...rest } = hold;
  return { ...rest, status, decision, answerFingerprint: fingerprint, nextStep: null, asking: false, ended, votes };
}

export function endOpen(hold: Hold, status: 'cancelled' | 'withdrawn' | 'expired', ended: HoldEnd): Hold {
  if (hold.status !== 'open') return hold;
  const { outgoing: _outgoing, ...rest } = hold;
  return { ...rest, status, nextStep: null, asking: false, ended };
}

/**
 * Whether declining it ends its task, whatever else is answered: where no refusal can be sent to the agent. Of several questions
 * it learns which one was declined.
 */
export function endsTaskDeclined({ canRefuse, pause }: Pick<Hold, 'canRefuse' | 'pause'>): boolean {
  return !canRefuse && pause.count === 1;
}

/** What rows and agents need of closed holds. */
export function closedHoldsOf(holds: Hold[]): ClosedHold[] {
  return holds.flatMap(({ holdId, status, decision, answerFingerprint, votes, supersededBy, ended }): ClosedHold[] =>
    status === 'open' ? [] : [{ holdId, status, decision, answerFingerprint, votes, supersededBy, ended }],
  );
}

function withoutValues(decision: Decision | null): Decision | null {
  if (decision === null) return null;
  const { proof: _proof, ...rest } = decision;
  return { ...rest, values: {} };
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
            answerFingerprint: hold.answerFingerprint,
            // Values are in the database; here the fingerprint is enough to recognise the same answer.
            decision: withoutValues(hold.decision),
            audience: hold.audience,
            exclude: hold.plan.exclude,
            isOperator: hold.question.kind === 'operator',
            ended: hold.ended,
            supersededBy: hold.supersededBy,
            votes: hold.votes.map(({ by, fingerprint }) => ({ by, fingerprint })),
          },
        ],
  );
  return [...past, ...closed].slice(-pastKept);
}
