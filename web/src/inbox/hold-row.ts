// A whole hold as a line of the list, where only the whole one could be had.
import type { HoldRowView } from '../../../src/contract/inbox.ts';
import type { HoldView } from '../../../src/contract/hold.ts';

export function rowOfHold(hold: HoldView): HoldRowView {
  const { id, interruptId, taskId, agent, threadId, kind, title, lead, status, openedAt, expiresAt, mayDecide } = hold;
  const { requester, claim, reassignAsks, ended, danger, digest, version, supersededBy, nextStep } = hold;
  const { subject, values, requiredLeft, saidNo, forMe, goesOut, snoozedUntil } = hold;
  return {
    id,
    interruptId,
    taskId,
    agent,
    threadId,
    kind,
    title,
    lead,
    subject,
    values,
    requiredLeft,
    saidNo,
    status,
    openedAt,
    expiresAt,
    mayDecide,
    forMe,
    snoozedUntil,
    requester,
    claim,
    reassignAsks,
    goesOut: goesOut && {
      at: goesOut.at,
      by: goesOut.by,
      status: goesOut.status,
      isNo: goesOut.isNo,
      mayUndo: goesOut.mayUndo,
    },
    ended,
    danger,
    digest,
    version,
    supersededBy,
    nextStep,
    votes: { have: hold.votes.have, need: hold.votes.need },
    escalations: hold.ladder.filter((step) => step.do === 'escalate' && step.doneAt !== null).length,
    decidedStatus: hold.decision?.status ?? null,
    decidedBy: hold.decision?.by ?? null,
  };
}
