// What a line of the list says of a question: as the inbox reads it, and as a spreadsheet does.
import type { HoldView, rowFields } from '../../contract/holds/hold.ts';
import type { HoldRowView } from '../../contract/views/inbox.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { mayDecide } from '../../core/policy/audience.ts';
import { publicThreadId } from '../../core/base/ids.ts';
import { isOpenAt, statusAt } from '../../core/answers/time-up.ts';
import { mayAct } from '../../core/acts/may.ts';
import { goingNameOf } from '../../core/answers/hold-end-name.ts';
import { chosenOf, decidesOf, decisionFieldOf, verdictOf } from '../../core/consent/verdict.ts';
import { aboutOf, leadOf, namedOf, quotationText } from '../../core/consent/headline.ts';
import { valuesOf } from '../../core/consent/telling-values.ts';
import { grantedOf, requiredLeft } from '../../core/questions/granted.ts';
import { tallyOf } from '../../core/consent/agreement.ts';
import { votesNextTo } from '../../core/consent/stage.ts';
import type { Known } from '../../core/consent/deciders.ts';
import type { HoldRow } from '../../store/store.ts';
import { dueAtOf } from '../../core/policy/ladder.ts';

/** What comes with its row, for one reader. */
export interface HoldContext {
  /** What the message began with that opened its task. */
  request: string;
  /** Hidden from the reader until then. */
  snoozedUntil?: string | null | undefined;
  /** Who can act now, for a hold that is shown alone. */
  known?: Known;
  now: string;
}

/** Secret fields are never shown again, not even to who gave them. */
export function withoutSecrets({ question }: HoldRow, values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !question.secrets.includes(name)));
}

/** The answer that waits for the end of its grace; its values for those who may decide, as those of votes are. */
export function outgoingOf(row: HoldRow, principal: Principal): HoldView['outgoing'] {
  if (row.status !== 'open' || !row.outgoing) return null;
  const { decision, at } = row.outgoing;
  const { by, inPlaceOf, at: decidedAt, status, values, reason } = decision;
  const isAsked = mayDecide(row, principal, row.owner);
  return {
    at,
    by,
    ...(inPlaceOf !== undefined && { inPlaceOf }),
    decidedAt,
    status,
    values: isAsked ? withoutSecrets(row, values) : {},
    reason: isAsked ? reason : null,
    name: goingNameOf(row.question, decision),
    mayUndo: mayAct('undo', row, principal, row.owner),
  };
}

/** What the caller can do about it now: the one number of the inbox counts these (store: `decidableBy`). */
function isForMe(
  row: HoldRow,
  principal: Principal,
  { snoozedUntil, now }: { snoozedUntil: string | null; now: string },
): boolean {
  return (
    isOpenAt(row, now) &&
    row.fault === undefined &&
    !row.outgoing &&
    snoozedUntil === null &&
    mayDecide(row, principal, row.owner) &&
    (row.claim === null || row.claim.by === principal.id) &&
    !votesNextTo(row).some(({ by }) => by === principal.id)
  );
}

/** What a line and a page call it by, and what it is about. */
function namingFieldsOf(
  row: HoldRow,
  request: string,
): Pick<
  HoldView,
  'headline' | 'quotation' | 'values' | 'changed' | 'about' | 'decides' | 'requiredLeft' | 'verdict' | 'chosen'
> {
  const { agent, owner, question, decision, outgoing } = row;
  const given = outgoing?.decision ?? decision;
  const chosen = chosenOf(question, given);
  const verdict = decision === null ? null : verdictOf(question, decision);
  const isTaken = verdict === 'yes' || (verdict === 'answered' && question.tool === null);
  const { values, changed } =
    isTaken && decision !== null
      ? grantedOf(question, decision.values, decisionFieldOf(question))
      : { values: valuesOf(question), changed: false };
  return {
    ...namedOf(question, { agent, owner, words: request }),
    ...(row.fault !== undefined && { headline: question.title }),
    values,
    changed,
    about: aboutOf(question),
    decides: decidesOf(question),
    requiredLeft: requiredLeft(question),
    verdict: given === null ? null : verdictOf(question, given),
    ...(chosen !== null && { chosen }),
  };
}

/** What a question and its line in the list both show. */
export function lineFields(
  row: HoldRow,
  principal: Principal,
  { request, snoozedUntil = null, now }: HoldContext,
): Pick<HoldView, keyof typeof rowFields | 'decides' | 'nextStep'> {
  const { tool } = row.question;
  return {
    id: row.holdId,
    interruptId: row.interruptId,
    taskId: row.taskId,
    agent: row.agent,
    threadId: publicThreadId(row.threadId),
    kind: row.question.kind,
    title: row.question.title,
    hasOwnTitle: row.question.hasOwnTitle,
    tool: tool && { callId: tool.callId, name: tool.name, isEditable: tool.isEditable },
    lead: leadOf(row.question),
    ...namingFieldsOf(row, request),
    status: statusAt(row, now),
    openedAt: row.openedAt,
    expiresAt: row.expiresAt,
    dueAt: dueAtOf(row),
    mayDecide: isOpenAt(row, now) && row.fault === undefined && mayDecide(row, principal, row.owner),
    ...(row.fault === undefined ? {} : { fault: row.fault }),
    forMe: isForMe(row, principal, { snoozedUntil, now }),
    snoozedUntil,
    requester: row.owner,
    policy: row.plan.policy,
    claim: row.claim,
    reassignAsks: row.reassignAsks,
    ended: row.ended,
    danger: row.plan.danger,
    digest: row.digest,
    version: row.version,
    supersededBy: row.supersededBy,
    nextStep: row.nextStep,
  };
}

/** The line of a hold in the list, as this caller sees it. */
export function holdRowViewOf(row: HoldRow, principal: Principal, context: HoldContext): HoldRowView {
  const outgoing = outgoingOf(row, principal);
  const { decides, ...common } = lineFields(row, principal, context);
  return {
    ...common,
    ...(decides === null ? {} : { decides }),
    outgoing: outgoing && {
      at: outgoing.at,
      by: outgoing.by,
      status: outgoing.status,
      name: outgoing.name,
      mayUndo: outgoing.mayUndo,
    },
    votes: tallyOf(row),
    escalations: row.stepsDone.filter((step) => step.do === 'escalate').length,
    decidedStatus: row.decision?.status ?? null,
    decidedBy: row.decision?.by ?? null,
  };
}

/** What a line of a spreadsheet has, in its order. */
export const csvColumns: Record<string, (hold: HoldView) => string | null> = {
  id: ({ id }) => id,
  task: ({ taskId }) => taskId,
  agent: ({ agent }) => agent,
  requester: ({ requester }) => requester,
  kind: ({ kind }) => kind,
  headline: ({ headline }) => headline,
  title: ({ title }) => title,
  quotation: ({ quotation }) => quotation && quotationText(quotation, quotation.by),
  policy: ({ policy }) => policy,
  asked: ({ openedAt }) => openedAt,
  deadline: ({ dueAt }) => dueAt,
  ended: ({ ended }) => ended?.at ?? null,
  end: ({ ended, status }) => ended?.why ?? status,
  by: ({ ended, decision }) => decision?.by ?? ended?.by ?? null,
  source: ({ decision }) => decision?.source ?? null,
  reason: ({ decision }) => decision?.reason ?? null,
  proposed: ({ context, defaults, tool }) => JSON.stringify(tool === null ? defaults : context.toolArgs),
  answer: ({ decision }) => (decision === null ? null : JSON.stringify(decision.values)),
  changed: ({ changed }) => (changed ? 'yes' : ''),
  digest: ({ digest }) => digest,
};
