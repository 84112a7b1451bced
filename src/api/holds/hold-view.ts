import type { HoldView } from '../../contract/hold.ts';
import type { HoldRowView } from '../../contract/inbox.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { Principal } from '../../contract/principal.ts';
import { isOperator, mayDecide } from '../../core/policy/audience.ts';
import { dialectDigest } from '../../core/questions/hold-digest.ts';
import { endsTaskDeclined } from '../../core/task/hold-end.ts';
import { silenceOf } from '../../core/task/hold-time.ts';
import { holdIdOf, publicThreadId } from '../../core/base/ids.ts';
import { refusalTextOf } from '../../core/answers/refusal.ts';
import { leadOf } from '../../core/questions/lead.ts';
import { requiredLeft, subjectOf, valuesOf } from '../../core/questions/subject.ts';
import { tallyOf } from '../../core/answers/quorum.ts';
import { verdictOf } from '../../core/answers/yes-no.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { DraftRow } from '../../store/ports/drafts.ts';
import type { HoldRow } from '../../store/store.ts';
import { pointerOf } from '../../wire/agui/model/state-patch.ts';
import { attachmentsOf } from './attachments.ts';
import { artifactsOf } from './hold-artifacts.ts';
import { ladderOf } from './hold-ladder.ts';

/** What is not in the hold's own row, and read for one hold alone. */
/** What stands beside its row, for one reader. */
export interface HoldContext {
  /** The words that its task began with. */
  taskTitle: string;
  /** Out of the reader's sight until then. */
  snoozedUntil?: string | null | undefined;
}

export interface HoldExtras {
  draft: DraftRow | null;
  artifacts: HoldView['context']['artifacts'];
}

/** Plans of holds that an older version opened lack what came later. */
const oldPlan = { quorum: 1, clock: 'wall', danger: false, requireDigest: false, notify: [] };
const planOf = ({ plan }: HoldRow): HoldRow['plan'] => ({ ...oldPlan, ...plan });

/** Secret fields are never shown again, not even to who gave them. */
function withoutSecrets({ question }: HoldRow, values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !question.secrets.includes(name)));
}

function tally(row: HoldRow): { have: number; need: number } {
  return tallyOf({ ...row, plan: planOf(row) });
}

function votesOf(row: HoldRow, isAsked: boolean): HoldView['votes'] {
  const by = row.votes.map((vote) => ({
    by: vote.by,
    at: vote.at,
    values: isAsked ? withoutSecrets(row, vote.values) : null,
  }));
  return { ...tally(row), by };
}

/** The agent whose word ended the question was done with it then: its call was not counted any more. */
function supervisorsOf({ plan, ended, decision }: HoldRow): HoldView['supervisors'] {
  const decider = decision === null ? null : (ended?.by ?? null);
  return (plan.supervisors ?? []).map(({ agent, at, until, doneAt, why }) => {
    const endedAt = decider === `agent:${agent}` ? (ended?.at ?? null) : null;
    return { agent, at, until, doneAt: doneAt ?? endedAt, why };
  });
}

function pauseOf({ taskId, n, pause: { firstN, count } }: HoldRow): HoldView['pause'] {
  const holdIds = Array.from({ length: count }, (_, index) => holdIdOf(sha1Hex, taskId, firstN + index));
  return { index: n - firstN + 1, count, holdIds };
}

function decisionOf(row: HoldRow): HoldView['decision'] {
  if (row.decision === null) return null;
  const { source, values, ...decision } = row.decision;
  return { ...decision, door: source, values: withoutSecrets(row, values) };
}

/** The answer that waits to go out; its values for those who may decide, as those of votes are. */
function goesOutOf(row: HoldRow, principal: Principal): HoldView['goesOut'] {
  if (row.status !== 'open' || !row.outgoing) return null;
  const { decision, at } = row.outgoing;
  const { by, at: decidedAt, status, values, reason } = decision;
  const isAsked = mayDecide(row, principal, row.owner);
  return {
    at,
    by,
    decidedAt,
    status,
    values: isAsked ? withoutSecrets(row, values) : {},
    reason: isAsked ? reason : null,
    isNo: verdictOf(row.question, { status, values }) === 'no',
    mayUndo: by === principal.id,
  };
}

/** What the caller can do about it now: the one number of the inbox counts these (store: `decidableBy`). */
function isForMe(row: HoldRow, principal: Principal, snoozedUntil: string | null): boolean {
  return (
    row.status === 'open' &&
    !row.outgoing &&
    snoozedUntil === null &&
    mayDecide(row, principal, row.owner) &&
    (row.claim === null || row.claim.by === principal.id) &&
    !row.votes.some(({ by }) => by === principal.id)
  );
}

/** What a line and a page call it by; `taskTitle` are the words that its task began with. */
function subjectFieldsOf(
  row: HoldRow,
  taskTitle: string,
): Pick<HoldView, 'subject' | 'values' | 'requiredLeft' | 'saidNo'> {
  const { question, pause, decision } = row;
  return {
    subject: subjectOf(question, taskTitle, pause.count === 1),
    values: valuesOf(question),
    requiredLeft: requiredLeft(question),
    saidNo: decision?.status === 'resolved' ? refusalTextOf(question, decision.values) : null,
  };
}

/** A hold as this caller sees it. */
export function holdViewOf(
  row: HoldRow,
  principal: Principal,
  { taskTitle, snoozedUntil = null }: HoldContext,
  extras?: HoldExtras,
): HoldView {
  const { draft, artifacts } = extras ?? { draft: null, artifacts: artifactsOf(row) };
  const { question } = row;
  const { tool } = question;
  const plan = planOf(row);
  const isAsked = mayDecide(row, principal, row.owner);
  return {
    id: row.holdId,
    interruptId: row.interruptId,
    taskId: row.taskId,
    agent: row.agent,
    threadId: publicThreadId(row.threadId),
    kind: question.kind,
    title: question.title,
    lead: leadOf(question),
    ...subjectFieldsOf(row, taskTitle),
    message: question.message,
    schema: question.schema,
    defaults: question.defaults,
    context: {
      conversation: `/api/tasks/${row.taskId}/chat`,
      artifacts,
      toolArgs: tool?.args ?? {},
      ...attachmentsOf(row),
      dialectDigest: dialectDigest(fingerprintOf, question),
    },
    supersedes: row.supersedes,
    asking: row.asking,
    votes: votesOf(row, isAsked),
    status: row.status,
    audience: row.audience,
    exclude: plan.exclude,
    mayDiscuss: isOperator(principal) || isAsked,
    openedAt: row.openedAt,
    expiresAt: row.expiresAt,
    nextStep: row.nextStep,
    digest: row.digest,
    mayDecide: row.status === 'open' && isAsked,
    forMe: isForMe(row, principal, snoozedUntil),
    snoozedUntil,
    policy: plan.policy,
    requester: row.owner,
    alsoRequesters: plan.requesters ?? [],
    reassign: plan.reassign,
    claim: row.claim,
    reassignAsks: row.reassignAsks,
    pause: pauseOf(row),
    ladder: ladderOf(row),
    supervisors: supervisorsOf(row),
    moves: row.moves,
    expires: { at: row.expiresAt, then: silenceOf(row), clock: plan.clock },
    onReject: endsTaskDeclined(row) ? 'cancels' : 'told',
    supersededBy: row.supersededBy,
    ended: row.ended,
    goesOut: goesOutOf(row, principal),
    secretPaths: question.secrets.map((name) => pointerOf([name])),
    draft: draft && { values: withoutSecrets(row, draft.values), savedAt: draft.savedAt },
    danger: plan.danger,
    requireDigest: plan.requireDigest,
    graceMs: plan.graceMs ?? null,
    links: question.links,
    errors: question.errors,
    tool: tool && { callId: tool.callId, name: tool.name, isEditable: tool.isEditable },
    dialect: question.dialect,
    version: row.version,
    decision: decisionOf(row),
  };
}

/** The line of a hold in the list, as this caller sees it. */
export function holdRowViewOf(
  row: HoldRow,
  principal: Principal,
  { taskTitle, snoozedUntil = null }: HoldContext,
): HoldRowView {
  const goesOut = goesOutOf(row, principal);
  return {
    id: row.holdId,
    interruptId: row.interruptId,
    taskId: row.taskId,
    agent: row.agent,
    threadId: publicThreadId(row.threadId),
    kind: row.question.kind,
    title: row.question.title,
    lead: leadOf(row.question),
    ...subjectFieldsOf(row, taskTitle),
    status: row.status,
    openedAt: row.openedAt,
    expiresAt: row.expiresAt,
    mayDecide: row.status === 'open' && mayDecide(row, principal, row.owner),
    forMe: isForMe(row, principal, snoozedUntil),
    snoozedUntil,
    requester: row.owner,
    claim: row.claim,
    reassignAsks: row.reassignAsks,
    ended: row.ended,
    goesOut: goesOut && {
      at: goesOut.at,
      by: goesOut.by,
      status: goesOut.status,
      isNo: goesOut.isNo,
      mayUndo: goesOut.mayUndo,
    },
    danger: planOf(row).danger,
    digest: row.digest,
    version: row.version,
    supersededBy: row.supersededBy,
    votes: tally(row),
    nextStep: row.nextStep,
    escalations: row.stepsDone.filter((step) => step.do === 'escalate').length,
    decidedStatus: row.decision?.status ?? null,
    decidedBy: row.decision?.by ?? null,
  };
}
