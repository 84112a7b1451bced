// One person's answer to one question, from any source: judged here for a quick reply, decided only by the workflow.
import { hasEnded } from '../../contract/holds/hold-names.ts';
import { z } from 'zod';
import type {
  AnswerEntry,
  DecideReply,
  Decision,
  DecisionBody,
  DecisionSource,
} from '../../contract/holds/decision.ts';
import type { GrantScope } from '../../contract/base/grant.ts';
import { HoldViewSchema } from '../../contract/holds/hold.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import { TaskStatusSchema, TaskViewSchema, type TaskStatus } from '../../contract/tasks/task.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import { assertNever, errorOf, StandfastError } from '../../core/base/errors.ts';
import { tooLarge } from '../../core/task/answer-size.ts';
import { judgeAnswer } from '../../core/answers/decision.ts';
import { planDigestOf } from '../../core/consent/confirmed-set.ts';
import { endReasonOf } from '../../core/consent/verdict.ts';
import { fingerprintOf } from '../../host/secrets/hash.ts';
import type { HoldRow } from '../../store/store.ts';
import { checkValues } from './check-values.ts';
import { refuseAltered } from './refuse-altered.ts';
import { closedDetails } from './find-hold.ts';
import type { ApiContext } from '../api-context.ts';
import { followHold } from '../engine/follow-rows.ts';
import { holdViewOf } from './hold-view.ts';
import { answerFingerprint } from './answers.ts';
import { proved } from './prove-answer.ts';
import { type Granted, giveGrant, grantedWith, refuseRepeated } from './grants.ts';
import { sealAnswer } from './seal-answers.ts';
import { proofOf } from './sign-answer.ts';
import { readTaskView } from '../tasks/task-view.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import type { PasskeyReads } from '../auth/passkeys.ts';
import type { SealedReads, ViewReads } from '../api-parts.ts';

export const DecisionReplySchema = z
  .object({ hold: HoldViewSchema, task: TaskViewSchema })
  .meta({ id: 'DecisionReply' });
export type DecisionReply = z.infer<typeof DecisionReplySchema>;

/** What a decision needs of the api. */
export type Deciding = Pick<
  ApiContext,
  'checkAnswer' | 'config' | 'log' | 'now' | 'prover' | 'publicUrl' | 'sealer' | 'store' | 'tasks' | 'temporalUiUrl'
>;

/** Secrets are sealed first, so the fingerprint covers their references. */
export async function entryOf(api: SealedReads, hold: HoldRow, body: DecisionBody): Promise<AnswerEntry> {
  const large = body.status === 'resolved' ? tooLarge(body.values as JsonObject) : null;
  if (large !== null) throw new StandfastError('too_large', large);
  const answer = {
    status: body.status,
    // Safe: it came as JSON.
    values: body.status === 'resolved' ? await sealAnswer(api, hold, body.values as JsonObject) : {},
    reason: body.status === 'cancelled' ? (body.reason ?? null) : null,
  };
  return { hold: hold.holdId, ...answer, digest: body.digest ?? null, fingerprint: answerFingerprint(answer) };
}

/** The status that the workflow returned; null when it is unknown (a worker of another version). */
const statusOf = (reply: DecideReply): TaskStatus | null => TaskStatusSchema.safeParse(reply.taskStatus).data ?? null;

/** With the proof that its person signed it, where that is asked for and it is not a repeat. */
async function signed(
  api: ViewReads & PasskeyReads,
  hold: HoldRow,
  entry: AnswerEntry,
  principal: Principal,
  { passkey }: DecisionBody,
): Promise<AnswerEntry> {
  if (hold.plan.sign === undefined || passkey === undefined || hold.status !== 'open') return entry;
  const judged = judge(hold, entry, principal, api.now().toISOString());
  const isUnsigned = typeof judged === 'object' && judged.code === 'passkey_required';
  return isUnsigned ? { ...entry, passkey: await proofOf(api, hold, entry, principal, passkey) } : entry;
}

function judge(hold: HoldRow, entry: AnswerEntry, principal: Principal, at: string): 'fresh' | 'repeat' | Refusal {
  const judged = judgeAnswer(hold, entry, { principal, receivedAt: at }, hold.owner, at);
  return judged.ok ? judged.kind : judged;
}

/** A late answer learns how the question ended. */
function withEnd(error: unknown, row: HoldRow | null): unknown {
  const isLate =
    error instanceof StandfastError && (error.code === 'hold_closed' || error.code === 'interrupt_expired');
  if (!isLate || row === null) return error;
  const message = error.data?.['supersededBy'] ?? null;
  const data = { ...error.data, ...closedDetails(row), supersededBy: row.supersededBy ?? message };
  return new StandfastError(error.code, error.message, { data, cause: error });
}

const agentDecides = (id: string): string => `the key of ${id} is an agent’s: it asks, and decides nothing`;

async function replyOf(
  api: Pick<Deciding, 'now' | 'store' | 'tasks' | 'temporalUiUrl'>,
  hold: HoldRow,
  principal: Principal,
  status: TaskStatus | null,
): Promise<DecisionReply> {
  const row = await api.store.tasks.get(hold.taskId);
  if (row === null) throw new StandfastError('internal', `the task ${hold.taskId} has no row`);
  const task = await readTaskView(api, row);
  const view = status === null || isEndedStatus(task.status) ? task : { ...task, status };
  return { hold: holdViewOf(hold, principal, { request: row.title, now: api.now().toISOString() }), task: view };
}

/** Judges an answer to a closed hold by its row: a repeat, or too late. */
async function answerClosed(
  api: Deciding,
  hold: HoldRow,
  entry: AnswerEntry,
  by: Principal,
  at: string,
): Promise<DecisionReply> {
  const judged = judge(hold, entry, by, at);
  if (typeof judged === 'object') throw errorOf(judged);
  return replyOf(api, hold, by, null);
}

/** The worker writes what the workflow has; should that take long, the response is what it will write. */
async function shownDecision(
  api: Pick<Deciding, 'store'>,
  hold: HoldRow,
  entry: AnswerEntry,
  decision: Decision,
): Promise<HoldRow> {
  const written = await followHold(api, hold.holdId, (row) => row.status !== 'open');
  if (written !== null) return written;
  const { by, at } = decision;
  const status = entry.status === 'resolved' ? 'decided' : 'cancelled';
  const why = endReasonOf(hold.question, entry);
  // The workflow forgets the values of old answers; the same fingerprint means these.
  const whole = { ...decision, values: entry.values };
  return {
    ...hold,
    status,
    decision: whole,
    answerFingerprint: entry.fingerprint,
    nextStep: null,
    ended: { by, at, why },
  };
}

/** A vote that waits for others: the question stays open. */
async function voteReply(api: Deciding, hold: HoldRow, by: Principal, reply: DecideReply): Promise<DecisionReply> {
  const shown = await followHold(
    api,
    hold.holdId,
    (row) => row.status !== 'open' || row.votes.some((vote) => vote.by === by.id),
  );
  const shownReply = await replyOf(api, shown ?? hold, by, statusOf(reply));
  if (hasEnded(shownReply.hold.status)) return shownReply;
  return { ...shownReply, hold: { ...shownReply.hold, votes: { ...shownReply.hold.votes, ...reply.votes } } };
}

/** It waits for its policy's grace: the question stays open until then. */
async function outgoingReply(api: Deciding, hold: HoldRow, by: Principal, reply: DecideReply): Promise<DecisionReply> {
  const shown = await followHold(api, hold.holdId, (row) => row.status !== 'open' || Boolean(row.outgoing));
  return replyOf(api, shown ?? hold, by, statusOf(reply));
}

interface By {
  principal: Principal;
  source: DecisionSource;
  granted: Granted | null;
  /** What of it is lost where the workflow had the same answer already. */
  repeated: (() => Promise<void>) | null;
}

async function decideByWorkflow(
  api: Deciding,
  hold: HoldRow,
  entry: AnswerEntry,
  { principal, source, granted, repeated }: By,
): Promise<DecisionReply> {
  const at = api.now().toISOString();
  if (hold.status !== 'open') return answerClosed(api, hold, entry, principal, at);
  await refuseAltered(api, hold);
  const judged = judge(hold, entry, principal, at);
  // A row may lag behind an escalation, so a refusal is the workflow's to give; values are only checked when all else fits.
  if (judged === 'fresh') await checkValues(api, hold, entry);
  const checked = judged === 'fresh' ? { ...entry, checked: { digest: hold.digest } } : entry;
  const answer = proved(api, hold, checked, { principal, source, at });
  const given = granted?.(answer) ?? answer;
  const task = await api.store.tasks.get(hold.taskId);
  if (task === null) throw new StandfastError('internal', `the task ${hold.taskId} has no row`);
  const result = await api.tasks.decide(task, { entry: given, principal, receivedAt: at, source });
  switch (result.kind) {
    case 'answer': {
      const { decision, isRepeat, sendAt } = result.value;
      if (isRepeat) await repeated?.();
      if (sendAt !== undefined) return outgoingReply(api, hold, principal, result.value);
      if (decision === null) return voteReply(api, hold, principal, result.value);
      const closed = await shownDecision(api, hold, entry, decision);
      return replyOf(api, closed, principal, isRepeat ? null : statusOf(result.value));
    }
    case 'refusal':
      throw await withSuccessor(api, hold, result.refusal);
    case 'closed': {
      const closed = await followHold(api, hold.holdId, (row) => row.status !== 'open');
      if (closed !== null) {
        const reply = await answerClosed(api, closed, entry, principal, at);
        await repeated?.();
        return reply;
      }
      throw new StandfastError(
        'decision_not_confirmed',
        'the task cannot be reached just now; the same request again is safe',
      );
    }
    case 'unanswered':
      if (typeof judged === 'object') throw errorOf(judged);
      throw await noAnswerError(api, result.by, 'decision_not_confirmed');
    default:
      return assertNever(result);
  }
}

/** What an answer grants that the workflow had by another press of the same moment: given where that was sent, else refused if it has none. */
async function grantRepeated(
  api: Deciding,
  { holdId }: HoldRow,
  scope: GrantScope,
  principal: Principal,
): Promise<void> {
  const isShown = ({ status, outgoing, votes }: HoldRow): boolean =>
    status !== 'open' || Boolean(outgoing) || votes.some(({ by }) => by === principal.id);
  const row = (await followHold(api, holdId, isShown)) ?? (await api.store.holds.get(holdId));
  if (row === null) return;
  if (row.status === 'open') refuseRepeated(row, principal);
  else await giveGrant(api, row, scope, principal);
}

/** An answer that opened the question again learns which one asks now. */
async function withSuccessor(api: Pick<Deciding, 'store'>, hold: HoldRow, refusal: Refusal): Promise<Error> {
  if (refusal.code !== 'edit_under_other_policy') return errorOf(refusal);
  const closed = await followHold(api, hold.holdId, (row) => row.supersededBy !== null || row.status !== 'open');
  const supersededBy = closed?.supersededBy ?? null;
  return errorOf(supersededBy === null ? refusal : { ...refusal, data: { ...refusal.data, supersededBy } });
}

/** An answer that names what it was given under holds for nothing else. */
function refuseReplanned(hold: HoldRow, planDigest: string): void {
  if (planDigestOf(fingerprintOf, hold) === planDigest) return;
  const why = 'its policy, its deadline or who is asked is not what it was when it was shown; read it again';
  throw new StandfastError('changed_meanwhile', why);
}

/** What an answer to an open question grants with it; null: nothing more than it did as it was taken. */
function grantedBy(
  api: Deciding,
  hold: HoldRow,
  entry: AnswerEntry,
  { scope, principal, judged }: { scope: GrantScope; principal: Principal; judged: ReturnType<typeof judge> },
): Granted | null {
  if (hold.status !== 'open') return null;
  return judged === 'repeat' ? refuseRepeated(hold, principal) : grantedWith(api, hold, entry, scope, principal);
}

export async function decide(
  api: Deciding,
  hold: HoldRow,
  body: DecisionBody,
  principal: Principal,
  source: DecisionSource,
): Promise<DecisionReply> {
  const { store } = api;
  const startedAt = api.now().toISOString();
  // No row that lags behind, and no later escalation, could give this caller the right to decide.
  if (principal.kind === 'agent') throw new StandfastError('not_allowed_to_decide', agentDecides(principal.id));
  try {
    const entry = await signed(api, hold, await entryOf(api, hold, body), principal, body);
    const judged = judge(hold, entry, principal, api.now().toISOString());
    if (judged === 'fresh' && body.planDigest !== undefined) refuseReplanned(hold, body.planDigest);
    const scope = body.status === 'resolved' ? body.grant : undefined;
    const granted = scope === undefined ? null : grantedBy(api, hold, entry, { scope, principal, judged });
    const isGranting = scope !== undefined && granted !== null;
    const repeated = isGranting ? () => grantRepeated(api, hold, scope, principal) : null;
    const reply = await decideByWorkflow(api, hold, entry, { principal, source, granted, repeated });
    // The yes was known, and its grant may not be.
    if (scope !== undefined && hold.status !== 'open') await giveGrant(api, hold, scope, principal);
    // An answer that was taken back at once is a draft again already.
    await store.drafts.remove(hold.holdId, principal.id, startedAt);
    return reply;
  } catch (error) {
    throw withEnd(error, await store.holds.get(hold.holdId));
  }
}
