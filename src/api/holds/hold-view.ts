import type { HoldView } from '../../contract/holds/hold.ts';
import type { HoldRowView } from '../../contract/views/inbox.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { isOperator, mayDecide } from '../../core/policy/audience.ts';
import { dialectDigest } from '../../core/questions/hold-digest.ts';
import { mayNudge } from '../../core/policy/nudge.ts';
import { mayExtend } from '../../core/task/extend.ts';
import { endsTaskDeclined } from '../../core/task/hold-end.ts';
import { expiryActionOf } from '../../core/task/hold-time.ts';
import { holdIdOf, publicThreadId } from '../../core/base/ids.ts';
import { graceMsFor, mayUndo } from '../../core/answers/grace.ts';
import { decidesOf, refusalTextOf, verdictOf, yesNoFieldOf } from '../../core/answers/yes-no.ts';
import { aboutOf, grantedOf, leadOf, requiredLeft, subjectOf, valuesOf } from '../../core/questions/subject.ts';
import { tallyOf } from '../../core/answers/quorum.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { DraftRow } from '../../store/ports/hold-notes.ts';
import type { HoldRow } from '../../store/store.ts';
import { pointerOf } from '../../wire/agui/model/state-patch.ts';
import { attachmentsOf } from './attachments.ts';
import { artifactsOf } from './hold-artifacts.ts';
import { dueAtOf, nextStepOf, stepAt } from '../../core/policy/ladder.ts';

/** What comes with its row, for one reader. */
export interface HoldContext {
  /** The message that its task began with. */
  taskTitle: string;
  /** Hidden from the reader until then. */
  snoozedUntil?: string | null | undefined;
}

interface HoldExtras {
  draft: DraftRow | null;
  artifacts: HoldView['context']['artifacts'];
}

/** Secret fields are never shown again, not even to who gave them. */
function withoutSecrets({ question }: HoldRow, values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !question.secrets.includes(name)));
}

function votesOf(row: HoldRow, isAsked: boolean): HoldView['votes'] {
  const by = row.votes.map((vote) => ({
    by: vote.by,
    at: vote.at,
    values: isAsked ? withoutSecrets(row, vote.values) : null,
  }));
  return { ...tallyOf(row), by };
}

/** The agent that decided the question was done with it then: its call was not counted any more. */
function supervisorsOf({ plan, ended, decision }: HoldRow): HoldView['supervisors'] {
  const decider = decision === null ? null : (ended?.by ?? null);
  return plan.supervisors.map(({ agent, at, until, doneAt, why }) => {
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
  const { source, values, passkey, ...decision } = row.decision;
  const signed = passkey === undefined ? {} : { passkey: passkey.id };
  return { ...decision, door: source, values: withoutSecrets(row, values), ...signed };
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
    mayUndo: mayUndo(row, principal, row.owner),
  };
}

/** What the caller can do about it now: the one number of the inbox counts these (store: `decidableBy`). */
function isForMe(row: HoldRow, principal: Principal, snoozedUntil: string | null): boolean {
  return (
    row.status === 'open' &&
    row.fault === undefined &&
    !row.outgoing &&
    snoozedUntil === null &&
    mayDecide(row, principal, row.owner) &&
    (row.claim === null || row.claim.by === principal.id) &&
    !row.votes.some(({ by }) => by === principal.id)
  );
}

/** What a line and a page call it by; `taskTitle`: the message that its task began with. */
function subjectFieldsOf(
  row: HoldRow,
  taskTitle: string,
): Pick<HoldView, 'subject' | 'values' | 'changed' | 'about' | 'decides' | 'requiredLeft' | 'saidNo'> {
  const { question, pause, decision } = row;
  const isYes = decision?.status === 'resolved' && verdictOf(question, decision) !== 'no';
  const { values, changed } = isYes
    ? grantedOf(question, decision.values, yesNoFieldOf(question))
    : { values: valuesOf(question), changed: false };
  return {
    subject: row.fault === undefined ? subjectOf(question, taskTitle, pause.count === 1) : question.title,
    values,
    changed,
    about: aboutOf(question),
    decides: decidesOf(question),
    requiredLeft: requiredLeft(question),
    saidNo: decision?.status === 'resolved' ? refusalTextOf(question, decision.values) : null,
  };
}

/** What a question and its line in the list both show. */
function commonFields(
  row: HoldRow,
  principal: Principal,
  { taskTitle, snoozedUntil = null }: HoldContext,
): Omit<Pick<HoldView, keyof HoldView & keyof HoldRowView>, 'goesOut' | 'votes'> {
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
    ...subjectFieldsOf(row, taskTitle),
    status: row.status,
    openedAt: row.openedAt,
    expiresAt: row.expiresAt,
    dueAt: dueAtOf(row),
    mayDecide: row.status === 'open' && row.fault === undefined && mayDecide(row, principal, row.owner),
    ...(row.fault === undefined ? {} : { fault: row.fault }),
    forMe: isForMe(row, principal, snoozedUntil),
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

/** A hold as this caller sees it. */
export function holdViewOf(row: HoldRow, principal: Principal, context: HoldContext, extras?: HoldExtras): HoldView {
  const { draft, artifacts } = extras ?? { draft: null, artifacts: artifactsOf(row) };
  const { question, plan } = row;
  const { tool } = question;
  const isAsked = mayDecide(row, principal, row.owner);
  return {
    ...commonFields(row, principal, context),
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
    audience: row.audience,
    exclude: plan.exclude,
    mayDiscuss: isOperator(principal) || isAsked,
    mayNudge: row.status === 'open' && mayNudge(row, principal, row.owner),
    nudges: row.nudges,
    alsoRequesters: plan.requesters ?? [],
    reassign: plan.reassign,
    pause: pauseOf(row),
    ladder: ladderOf(row),
    supervisors: supervisorsOf(row),
    moves: row.moves,
    mayExtend: row.status === 'open' && row.expiresAt !== null && mayExtend(row, principal, row.owner),
    extensions: (plan.extensions ?? []).map(({ at, by, from, until, note }) => ({ at, by, from, until, note })),
    expires: { at: row.expiresAt, then: expiryActionOf(row), clock: plan.clock },
    onReject: endsTaskDeclined(row) ? 'cancels' : 'told',
    goesOut: goesOutOf(row, principal),
    secretPaths: question.secrets.map((name) => pointerOf([name])),
    draft: draft && { values: withoutSecrets(row, draft.values), savedAt: draft.savedAt },
    requireDigest: plan.requireDigest,
    ...(plan.sign === undefined ? {} : { sign: plan.sign }),
    graceMs: graceMsFor(plan, principal.id) || null,
    links: question.links,
    errors: question.errors,
    dialect: question.dialect,
    decision: decisionOf(row),
  };
}

/** The line of a hold in the list, as this caller sees it. */
export function holdRowViewOf(row: HoldRow, principal: Principal, context: HoldContext): HoldRowView {
  const goesOut = goesOutOf(row, principal);
  const { decides, ...common } = commonFields(row, principal, context);
  return {
    ...common,
    ...(decides === null ? {} : { decides }),
    goesOut: goesOut && {
      at: goesOut.at,
      by: goesOut.by,
      status: goesOut.status,
      isNo: goesOut.isNo,
      mayUndo: goesOut.mayUndo,
    },
    votes: tallyOf(row),
    escalations: row.stepsDone.filter((step) => step.do === 'escalate').length,
    decidedStatus: row.decision?.status ?? null,
    decidedBy: row.decision?.by ?? null,
  };
}

// The ladder of a hold as a timeline: what was done and when, what comes, and the end of its time.
type LadderStepView = HoldView['ladder'][number];

/** Steps taken: of those whose moment nobody noted the plan alone is known. */
function takenSteps({ plan, stepsTaken, stepsDone }: HoldRow): LadderStepView[] {
  const unnoted = Math.max(0, stepsTaken - stepsDone.length);
  const planned = Array.from({ length: Math.min(unnoted, plan.steps.length) }, (_, index) => stepAt(plan, index));
  const noted = stepsDone.map((done, index): LadderStepView => {
    const step = stepAt(plan, unnoted + index);
    return { at: step?.at ?? done.at, do: done.do, to: done.to, replace: step?.replace ?? false, doneAt: done.at };
  });
  const earlier = planned.flatMap((step): LadderStepView[] =>
    step === null ? [] : [{ at: step.at, do: step.do, to: step.to, replace: step.replace, doneAt: step.at }],
  );
  return [...earlier, ...noted];
}

function upcomingSteps({ status, plan, stepsTaken }: HoldRow): LadderStepView[] {
  if (status !== 'open') return [];
  const planned = plan.steps.slice(stepsTaken).map((step): LadderStepView => ({
    at: step.at,
    do: step.do,
    to: step.to,
    replace: step.replace,
    doneAt: null,
  }));
  // A repeating reminder always has one more to come.
  const next = nextStepOf(plan, stepsTaken);
  return planned.length === 0 && next !== null && next.do !== 'expire'
    ? [{ ...next, replace: false, doneAt: null }]
    : planned;
}

function ladderOf(row: HoldRow): LadderStepView[] {
  const { status, expiresAt, ended } = row;
  const isExpired = ended?.why === 'expired';
  const isShown = expiresAt !== null && (status === 'open' || isExpired);
  const doneAt = isExpired ? ended.at : null;
  const expiry: LadderStepView[] = isShown ? [{ at: expiresAt, do: 'expire', to: [], replace: false, doneAt }] : [];
  return [...takenSteps(row), ...upcomingSteps(row), ...expiry];
}
