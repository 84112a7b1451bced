import type { HoldView } from '../../contract/holds/hold.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { mayDecide } from '../../core/policy/audience.ts';
import { planDigestOf } from '../../core/consent/confirmed-set.ts';
import { dialectDigest } from '../../core/consent/question-digest.ts';
import { mayAct } from '../../core/acts/may.ts';
import { endsTaskDeclined } from '../../core/task/hold-end.ts';
import { expiryActionOf } from '../../core/task/hold-time.ts';
import { holdIdOf } from '../../core/base/ids.ts';
import { graceMsFor, hasUsedGrace } from '../../core/answers/grace.ts';
import { decidingOf } from '../../core/consent/verdict.ts';
import { tallyOf } from '../../core/consent/agreement.ts';
import { proposedWith } from '../../core/answers/grant-with-yes.ts';
import { callOf, longestUntil, recheckOf } from '../../core/consent/grants.ts';
import { shownStages } from '../../core/consent/stage.ts';
import { noDeciderOf, withGone, type Known } from '../../core/consent/deciders.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { DraftRow } from '../../store/ports/hold-notes.ts';
import type { HoldRow } from '../../store/store.ts';
import { pointerOf } from '../../wire/agui/model/state-patch.ts';
import { attachmentsOf, wholeOf } from './attachments.ts';
import { artifactsOf } from './hold-artifacts.ts';
import { ladderOf, mayNudge } from '../tasks/hold-ladder.ts';
import { outgoingOf, lineFields, withoutSecrets, type HoldContext } from './hold-line.ts';

interface HoldExtras {
  draft: DraftRow | null;
  artifacts: HoldView['context']['artifacts'];
}

/** Of a hold that ended: as its row has it. */
function votesOf(row: HoldRow, isAsked: boolean, known: Known | undefined): HoldView['votes'] {
  const votes = row.status === 'open' && known !== undefined ? withGone(known, row.votes) : row.votes;
  const by = votes.map((vote) => ({
    by: vote.by,
    at: vote.at,
    ...(vote.inPlaceOf !== undefined && { inPlaceOf: vote.inPlaceOf }),
    values: isAsked ? withoutSecrets(row, vote.values) : null,
    ...(vote.isGone === true && { isGone: vote.isGone }),
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
  const { source, values, passkey, granted: grant, grant: _given, ...decision } = row.decision;
  const signed = passkey === undefined ? {} : { passkey: passkey.id };
  const granted = grant === undefined ? {} : { granted: { id: grant.id, by: grant.given.map(({ by }) => by) } };
  return { ...decision, source, values: withoutSecrets(row, values), ...signed, ...granted };
}

/** Members of a plan that are missing where its policy does not say so. */
function ifSet<K extends keyof LadderPlan>(plan: LadderPlan, names: readonly K[]): Pick<LadderPlan, K> {
  // Safe: what is missing is optional.
  return Object.fromEntries(names.flatMap((name) => (plan[name] === undefined ? [] : [[name, plan[name]]]))) as Pick<
    LadderPlan,
    K
  >;
}

const minuteMs = 60_000;

function grantsOf(row: HoldRow, isAsked: boolean, now: string): Pick<HoldView, 'grants'> {
  const { plan, question, agent, attachments } = row;
  const { grants: allowed, policy } = plan;
  if (allowed === undefined || !isAsked || callOf({ agent, policy, question, attachments }) === null) return {};
  const proposed = proposedWith(row);
  if (proposed !== null) return { grants: { by: allowed.by, given: proposed.by, ...proposed.terms } };
  const { by, within: ranges, times, sum = null } = allowed;
  const longestMs = Math.floor(Date.parse(longestUntil(allowed, now)) / minuteMs) * minuteMs;
  const until = new Date(longestMs).toISOString();
  return { grants: { by, given: [], ranges, times, sum, until, recheck: recheckOf(allowed) } };
}

function stagesOf(row: HoldRow): Pick<HoldView, 'stages'> {
  const { stages } = row.plan;
  return stages === undefined ? {} : { stages: { order: stages.order, list: shownStages(row) } };
}

/** What of a hold is compared, to answer it together with others: a part of its view that takes a seventh of the time. */
export const comparedFields = (row: HoldRow, principal: Principal, context: HoldContext) => ({
  ...lineFields(row, principal, context),
  message: row.question.message,
  schema: row.question.schema,
  defaults: row.question.defaults,
  links: row.question.links,
  secretPaths: row.question.secrets.map((name) => pointerOf([name])),
  asking: row.asking,
  outgoing: outgoingOf(row, principal),
  votes: tallyOf(row),
  ...ifSet(row.plan, ['sign']),
  onReject: endsTaskDeclined(row) ? ('cancels' as const) : ('answers' as const),
  context: { artifacts: artifactsOf(row), ...attachmentsOf(row) },
});

/** A hold as this caller sees it. */
export function holdViewOf(row: HoldRow, principal: Principal, context: HoldContext, extras?: HoldExtras): HoldView {
  const { draft } = extras ?? { draft: null };
  const { question, plan } = row;
  const { tool } = question;
  const isAsked = mayDecide(row, principal, row.owner);
  const isInside = mayAct('comment', row, principal, row.owner);
  const noDecider = context.known === undefined ? null : noDeciderOf(context.known, row);
  const compared = comparedFields(row, principal, context);
  return {
    ...compared,
    deciding: decidingOf(row.question),
    context: {
      conversation: `/api/tasks/${row.taskId}/chat`,
      toolArgs: tool?.args ?? {},
      ...compared.context,
      ...(extras && { artifacts: extras.artifacts }),
      whole: wholeOf(row),
      digits: question.digits ?? [],
      dialectDigest: dialectDigest(fingerprintOf, question),
    },
    supersedes: row.supersedes,
    votes: votesOf(row, isAsked, context.known),
    audience: row.audience,
    ...stagesOf(row),
    ...grantsOf(row, isAsked, context.now),
    ...(noDecider === null ? {} : { noDecider }),
    ...(plan.rule === undefined || !isInside ? {} : { rule: plan.rule }),
    ...(question.stated === undefined ? {} : { stated: question.stated }),
    exclude: plan.exclude,
    ...ifSet(plan, ['deputies']),
    mayDiscuss: isInside,
    mayNudge: mayNudge(row, principal, context.now),
    nudges: row.nudges,
    alsoRequesters: plan.requesters ?? [],
    reassign: plan.reassign,
    pause: pauseOf(row),
    ladder: ladderOf(row),
    supervisors: supervisorsOf(row),
    moves: row.moves,
    mayExtend: row.status === 'open' && row.expiresAt !== null && mayAct('extend', row, principal, row.owner),
    extensions: (plan.extensions ?? []).map(({ at, by, from, until, note }) => ({ at, by, from, until, note })),
    expires: { at: row.expiresAt, then: expiryActionOf(row), clock: plan.clock },
    draft: draft && { values: withoutSecrets(row, draft.values), savedAt: draft.savedAt },
    planDigest: planDigestOf(fingerprintOf, row),
    requireDigest: plan.requireDigest,
    graceMs: graceMsFor(plan, principal.id) || null,
    ...(hasUsedGrace(plan, principal.id) ? { sendsAtOnce: true as const } : {}),
    errors: question.errors,
    dialect: question.dialect,
    decision: decisionOf(row),
  };
}
